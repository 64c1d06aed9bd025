// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Eleven hours of silence that take no disk space, for tests that stop a render before its end.
package enum LongProgramme {
  /// Samples of the only channel.
  package static let samples = 1_920_000_000

  /// Makes a mono 16-bit WAV file of so many samples at 48 kHz. The samples are a hole of a sparse file.
  package static func make(_ path: String, samples: Int = samples) throws {
    var header = WAVBytes.pcm16([[]], rate: 48_000)
    let bytes = UInt32(samples * 2)
    let sizes = [(4, bytes + UInt32(header.count) - 8), (header.count - 4, bytes)]
    for (place, size) in sizes {
      withUnsafeBytes(of: size.littleEndian) {
        header.replaceSubrange(place..<place + 4, with: $0)
      }
    }
    try header.write(to: URL(fileURLWithPath: path))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.truncate(atOffset: UInt64(header.count) + UInt64(bytes))
    try file.close()
  }
}
