// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Writes frames of MPEG-1 layers I and II of random samples at 48 kHz (ISO/IEC 11172-3), and puts checksums into those of ADTS.
enum MPEGBytes {
  /// How channels share a frame.
  enum Mode: Int { case stereo, joint, dual, mono }

  /// A field of a frame and its bits.
  private typealias Field = (value: Int, width: Int)

  /// Frames of layer I at 384 kbit/s, in joint stereo from subband 8 on, with their checksum over header and allocation (2.4.3.1).
  static func layerI(frames: Int, _ mode: Mode, hasChecksum: Bool = true) -> Data {
    var noise = SeededNoise(seed: 11)
    let channels = { (band: Int) in mode == .mono || mode == .joint && band >= 8 ? 1 : 2 }
    return (0..<frames).reduce(Data()) { file, _ in
      let widths = (0..<12).map { _ in Int.random(in: 2...4, using: &noise) }
      let allocation = (0..<32).flatMap { band in
        [Field](repeating: (band < 12 ? widths[band] : 0, 4), count: channels(band))
      }
      var frame = head(layer: 0b11, [(12, 4), (0b0100, 4)], mode, allocation, hasChecksum)
      for _ in 0..<(mode == .mono ? 12 : 24) {
        frame.put(Int.random(in: 20...40, using: &noise), 6)
      }
      for _ in 0..<12 {
        for band in 0..<12 {
          let width = widths[band] + 1
          for _ in 0..<channels(band) {
            frame.put(Int.random(in: 0..<(1 << width) - 1, using: &noise), width)
          }
        }
      }
      return file + filled(frame, to: 384)
    }
  }

  /// Frames of layer II in stereo at 192 kbit/s, with their checksum over header, allocation and the choice of scale factors.
  /// Eight subbands have three levels, of which three samples take five bits (table B.2a).
  static func layerII(frames: Int, hasChecksum: Bool = true) -> Data {
    var noise = SeededNoise(seed: 12)
    return (0..<frames).reduce(Data()) { file, _ in
      let allocation = (0..<27).flatMap { band in
        [Field](repeating: (band < 8 ? 1 : 0, band < 11 ? 4 : band < 23 ? 3 : 2), count: 2)
      }
      // One scale factor for the whole frame.
      let choice = [Field](repeating: (2, 2), count: 16)
      var frame = head(layer: 0b10, [(10, 4), (4, 4)], .stereo, allocation + choice, hasChecksum)
      for _ in 0..<16 { frame.put(Int.random(in: 10...30, using: &noise), 6) }
      for _ in 0..<12 * 16 { frame.put(Int.random(in: 0..<27, using: &noise), 5) }
      return file + filled(frame, to: 576)
    }
  }

  /// The frames of a stream of ADTS in one channel, with a checksum in every other of them. Header and the first 192 bits of the
  /// element, without its kind, have it (ISO/IEC 14496-3, 1.A.3.2).
  static func checked(adts: Data) -> Data {
    var (file, rest, isChecked) = (Data(), Array(adts), false)
    while rest.count > 7 {
      let size = Int(rest[3] & 3) << 11 | Int(rest[4]) << 3 | Int(rest[5] >> 5)
      var frame = Array(rest.prefix(size))
      rest.removeFirst(min(size, rest.count))
      if isChecked { frame = checked(frame: frame) }
      isChecked.toggle()
      file += frame
    }
    return file
  }

  private static func checked(frame: [UInt8]) -> [UInt8] {
    var head = Array(frame.prefix(7))
    let size = frame.count + 2
    head[1] &= 0xFE
    head[3] = head[3] & 0xFC | UInt8(size >> 11)
    head[4] = UInt8(size >> 3 & 0xFF)
    head[5] = UInt8(size & 7) << 5 | head[5] & 0x1F
    let bits = (frame.dropFirst(7) + [UInt8](repeating: 0, count: 25)).flatMap { byte in
      (0..<8).reversed().map { Field(Int(byte >> $0 & 1), 1) }
    }
    let sum = checksum(head.map { (Int($0), 8) } + bits[3..<195])
    return head + [UInt8(sum >> 8), UInt8(sum & 0xFF)] + frame.dropFirst(7)
  }

  /// The beginning of a frame, up to the `fields` that its checksum is for.
  private static func head(
    layer: Int, _ rates: [Field], _ mode: Mode, _ fields: [Field], _ hasChecksum: Bool
  ) -> BitBytes {
    let tail = rates + [(mode.rawValue << 2 | (mode == .joint ? 1 : 0), 4), (0, 4)]
    var frame = BitBytes()
    frame.put(0xFFF, 12)
    frame.put(0b1000 | layer << 1 | (hasChecksum ? 0 : 1), 4)
    for field in tail { frame.put(field.value, field.width) }
    if hasChecksum { frame.put(checksum(tail + fields), 16) }
    for field in fields { frame.put(field.value, field.width) }
    return frame
  }

  private static func filled(_ frame: BitBytes, to size: Int) -> Data {
    var frame = frame
    frame.align()
    return Data(frame.bytes) + Data(count: size - frame.bytes.count)
  }

  private static func checksum(_ fields: [Field]) -> Int {
    fields.reduce(0xFFFF) { sum, field in
      (0..<field.width).reversed().reduce(sum) { sum, bit in
        let isOdd = (sum >> 15) ^ (field.value >> bit & 1) == 1
        return (isOdd ? sum << 1 ^ 0x8005 : sum << 1) & 0xFFFF
      }
    }
  }
}
