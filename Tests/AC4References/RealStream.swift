// SPDX-License-Identifier: Apache-2.0
import AC4
import Foundation
import TestSupport

/// The real elementary streams.
enum RealStream: String, CaseIterable, Sendable {
  case channelCheck = "ChannelCheck"
  case sample = "sample"

  /// All bytes of the file.
  func bytes() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: SharedMedia.path(rawValue + ".ac4"))))
  }

  /// All its frames.
  func frames() throws -> [AC4SyncFrame] { RealStream.frames(of: try bytes(), chunk: 65_536) }

  /// The frames of `bytes`, pushed in pieces of `chunk`.
  static func frames(of bytes: [UInt8], chunk: Int) -> [AC4SyncFrame] {
    var scanner = AC4FrameScanner()
    var frames: [AC4SyncFrame] = []
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      scanner.push(bytes[start..<min(start + chunk, bytes.count)])
      while let frame = scanner.next() { frames.append(frame) }
    }
    scanner.finish()
    while let frame = scanner.next() { frames.append(frame) }
    return frames
  }
}
