// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A tone as a stream of single bits, made by a sigma-delta modulator of second order, in a DSF file (Sony, DSF File
/// Format Specification 1.01).
enum DSDStream {
  static let rate = 2_822_400
  /// Bits of a channel, a whole number of blocks of 4096 bytes.
  static let samples = 4096 * 8 * 40

  static func file(frequency: Double, level: Double) -> Data {
    let payload = bits(frequency, level)
    var data = Data("DSD ".utf8)
    append(28, 8, &data)
    append(28 + 52 + 12 + payload.count, 8, &data)
    append(0, 8, &data)
    data += Data("fmt ".utf8)
    append(52, 8, &data)
    // Version, format, kind of channels (mono), channels, rate, bits.
    for field in [1, 0, 1, 1, rate, 1] { append(field, 4, &data) }
    append(samples, 8, &data)
    for field in [4096, 0] { append(field, 4, &data) }
    data += Data("data".utf8)
    append(12 + payload.count, 8, &data)
    return data + payload
  }

  /// The tone in WavPack 5, as blocks of bytes that aren't compressed (WavPack 4 & 5 Binary File / Block Format,
  /// sections 2 and 7).
  static func wavPack(frequency: Double, level: Double) -> Data {
    // DSF has the first bit lowest, WavPack highest.
    let bytes = bits(frequency, level).map { byte in
      (0..<8).reduce(UInt8(0)) { $0 << 1 | (byte >> UInt8($1)) & 1 }
    }
    let step = 32_768
    return stride(from: 0, to: bytes.count, by: step).reduce(into: Data()) { data, first in
      let block = bytes[first..<min(first + step, bytes.count)]
      let crc = block.reduce(UInt32.max) { $0 &* 3 &+ UInt32($1) }
      data += Data("wvpk".utf8)
      // The size counts what follows: 24 bytes of header, 4 of the item's head, its 2 parameters and the bytes.
      append(24 + 4 + 2 + block.count, 4, &data)
      append(0x410, 2, &data)
      append(0, 2, &data)
      for field in [bytes.count, first, block.count] { append(field, 4, &data) }
      // DSD, 88.2 kHz (12), which the item shifts by 2, first and last block of its samples, mono.
      append(0x8000_0000 | 12 << 23 | 0x1800 | 4, 4, &data)
      append(Int(crc), 4, &data)
      // An item of DSD with a size of three bytes, in words.
      data.append(0x8E)
      append((2 + block.count) / 2, 3, &data)
      data += [2, 0] + block
    }
  }

  private static func bits(_ frequency: Double, _ level: Double) -> Data {
    var (first, second, output) = (0.0, 0.0, 0.0)
    var bytes = [UInt8](repeating: 0, count: samples / 8)
    for index in 0..<samples {
      first += level * sin(2 * Double.pi * frequency * Double(index) / Double(rate)) - output
      second += first - output
      output = second >= 0 ? 1 : -1
      if output > 0 { bytes[index / 8] |= 1 << UInt8(index % 8) }
    }
    return Data(bytes)
  }

  private static func append(_ value: Int, _ count: Int, _ data: inout Data) {
    for index in 0..<count { data.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }
}
