// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Planes of a media file, to check files that Pinna wrote: WAV as the tests read it byte by byte, the rest as ffmpeg
/// decodes it.
struct Decoded {
  let planes: [[Float]]
  let rate: Int

  /// Planes at `rate` Hz that were never in a file.
  init(rate: Int, planes: [[Float]]) { (self.rate, self.planes) = (rate, planes) }

  init(_ path: String) throws {
    let head = FileHandle(forReadingAtPath: path)?.readData(ofLength: 4) ?? Data()
    let isWAV = ["RIFF", "RF64", "BW64"].contains(String(decoding: head, as: UTF8.self))
    guard isWAV, let read = WAVPlanes(try Data(contentsOf: URL(fileURLWithPath: path))) else {
      try self.init(byFFmpeg: path)
      return
    }
    self.init(rate: read.rate, planes: read.planes)
  }

  /// The planes as ffmpeg decodes them, of WAV as well.
  init(byFFmpeg path: String) throws {
    let result = try Tool.run(
      "ffmpeg", ["-v", "error", "-i", path, "-c:a", "pcm_f32le", "-f", "wav", "-"])
    guard result.status == 0, let read = WAVPlanes(result.output) else {
      throw ToolFailure(text: "ffmpeg \(path): \(result.errors)")
    }
    (planes, rate) = (read.planes, read.rate)
  }
}
