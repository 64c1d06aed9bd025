// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import ISOBMFF
import TestSupport

@testable import MediaOut

/// Samples and sources for tests of written movies.
enum MovieBytes {
  /// A source of these bytes.
  static func source(_ bytes: [UInt8]) -> ByteSource {
    ByteSource(bytes)
  }

  /// 16-bit planes as PCM packets of up to 1024 frames, low bits zero beyond 16.
  static func pcm(_ planes: [[Int16]], bits: Int, isLittleEndian: Bool) -> [MediaSample] {
    let frames = planes[0].count
    return stride(from: 0, to: frames, by: 1024).map { start in
      let end = min(frames, start + 1024)
      var data: [UInt8] = []
      for frame in start..<end {
        for plane in planes {
          let value = Int32(plane[frame]) << 16
          let big = withUnsafeBytes(of: value.bigEndian) { Array($0.prefix(bits / 8)) }
          data += isLittleEndian ? big.reversed() : big
        }
      }
      return MediaSample(data: data, decodeTime: Int64(start), duration: Int64(end - start))
    }
  }

  /// One fact of the first audio stream as ffprobe prints it.
  static func probed(_ path: String, _ field: String) throws -> String {
    let result = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "a:0", "-show_entries", "stream=\(field)", "-of",
        "default=nw=1:nk=1", path,
      ])
    return String(decoding: result.output, as: UTF8.self).split(separator: "\n").first
      .map(String.init) ?? ""
  }
}
