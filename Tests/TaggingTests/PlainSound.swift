// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform

@testable import Tagging

/// An MP3 file whose sound is known byte for byte, for tests of the replacement itself.
enum PlainSound {
  /// A frame of MPEG-1 layer 3 with 128 kbit/s at 44.1 kHz, without sound.
  private static let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0] + [UInt8](repeating: 0x55, count: 413)

  /// `count` frames, each with its number in it.
  static func bytes(frames count: Int = 300) -> [UInt8] {
    (0..<count).flatMap { number in
      var bytes = frame
      bytes.replaceSubrange(20..<24, with: UInt32(number).littleEndianBytes)
      return bytes
    }
  }

  /// Writes a file of `count` frames without any tag.
  static func write(to path: String, frames count: Int = 300) throws {
    try Data(bytes(frames: count)).write(to: URL(fileURLWithPath: path))
  }

  /// The digest of all from the first frame on.
  static func digest(_ file: LocalFile) throws -> [UInt8] {
    let bytes = try file.wholeContent()
    let start = bytes.starts(with: "ID3".utf8) ? 10 + Int(ID3Frames.size(bytes[6..<10])) : 0
    var digest = Digest(.sha256)
    digest.update(Array(bytes[start...]))
    return digest.bytes
  }
}
