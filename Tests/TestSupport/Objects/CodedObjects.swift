// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Streams of E-AC-3 with objects that lie beside the checkout, frame by frame.
package struct CodedObjects {
  /// The frames.
  package let frames: [[UInt8]]

  /// Whether the streams are there.
  package static var isPresent: Bool {
    SharedMedia.beside("joc/oracle") != nil && SharedMedia.beside("media") != nil
  }

  /// The real sample: a bed of 5.1 and ten resting objects in 64 frames, each a tone of its own.
  package static func sample() throws -> CodedObjects {
    try CodedObjects(samplePath, from: Array("mdat".utf8))
  }

  /// The MP4 file that holds the real sample.
  package static var samplePath: String {
    SharedMedia.beside("media/sample_eac3joc.mp4") ?? "/nowhere"
  }

  /// A made stream of an LFE and six objects that move, in 50 frames.
  package static func moving() throws -> CodedObjects {
    try CodedObjects(SharedMedia.beside("joc/oracle/made.moving.ec3") ?? "/nowhere")
  }

  /// These frames.
  package init(frames: [[UInt8]]) { self.frames = frames }

  /// Frames of a file that lie one behind the other, the first one behind `mark`.
  private init(_ path: String, from mark: [UInt8] = []) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var place = 0
    if !mark.isEmpty {
      let range = Data(bytes).range(of: Data(mark))
      place = range?.upperBound ?? bytes.count
    }
    var frames: [[UInt8]] = []
    while place + 6 < bytes.count, bytes[place] == 0x0B, bytes[place + 1] == 0x77 {
      let size = 2 * ((Int(bytes[place + 2] & 7) << 8 | Int(bytes[place + 3])) + 1)
      guard place + size <= bytes.count else { break }
      frames.append(Array(bytes[place..<place + size]))
      place += size
    }
    self.frames = frames
  }

  /// All bytes.
  package var data: Data { Data(frames.joined()) }

  /// The stream in which the frames of `range` have no container of metadata, and else the same sound.
  package func withoutObjects(in range: Range<Int>) -> CodedObjects {
    CodedObjects(
      frames: frames.enumerated().map { index, frame in
        range.contains(index) ? CodedObjects.withoutContainer(frame) : frame
      })
  }

  /// A frame whose container of metadata has no sync word (0x5838, at any bit) any more, with the checksum that
  /// this takes (ETSI TS 102 366, 6.1.8: the polynomial x^16 + x^15 + x^2 + 1).
  private static func withoutContainer(_ frame: [UInt8]) -> [UInt8] {
    var frame = frame
    let word = { (bit: Int) in
      (0..<16).reduce(0) { $0 << 1 | Int(frame[(bit + $1) / 8] >> (7 - (bit + $1) % 8) & 1) }
    }
    for bit in 64..<8 * frame.count - 40 where word(bit) == 0x5838 {
      // Such bits happen to lie elsewhere, too, but not with the length of a container behind them.
      if (100...511).contains(word(bit + 16)) { frame[bit / 8] ^= 0x80 >> UInt8(bit % 8) }
    }
    var sum = 0
    for byte in frame[2..<frame.count - 2] {
      sum ^= Int(byte) << 8
      for _ in 0..<8 { sum = sum << 1 ^ (sum & 0x8000 == 0 ? 0 : 0x1_8005) }
    }
    frame[frame.count - 2] = UInt8(sum >> 8 & 0xFF)
    frame[frame.count - 1] = UInt8(sum & 0xFF)
    return frame
  }
}
