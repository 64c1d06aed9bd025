import Foundation

/// Writes files of 4,800 plain samples of 16 bits in one channel at 48 kHz, so that a test decides on each field of the header.
enum PlainBytes {
  /// Samples of 16 bits.
  static let values = (0..<4800).map {
    Int32(truncatingIfNeeded: $0 * 7919 % 16_001 - 8000)
  }
  /// The same samples as floats.
  static let floats = values.map { Float($0) / 32_768 }

  /// Samples of 16 bits at the top of places of so many bytes.
  static func places(_ bytes: Int, isBigEndian: Bool = false) -> Data {
    Data(
      values.flatMap { value -> [UInt8] in
        let whole = Int64(value) << (8 * bytes - 16)
        let little = (0..<bytes).map { UInt8(truncatingIfNeeded: whole >> (8 * $0)) }
        return isBigEndian ? little.reversed() : little
      })
  }

  /// A number of so many bytes, the least significant first.
  static func little(_ value: Int, _ count: Int) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
  }

  /// A number of so many bytes, the most significant first.
  static func big(_ value: Int, _ count: Int) -> Data {
    Data(little(value, count).reversed())
  }

  /// A WAV file with an extensible header: `valid` bits in places of so many bytes.
  static func wave(valid: Int, bytes: Int, subformat: Int = 1, data: Data) -> Data {
    var format = little(0xFFFE, 2) + little(1, 2) + little(48_000, 4) + little(48_000 * bytes, 4)
    format += little(bytes, 2) + little(8 * bytes, 2) + little(22, 2) + little(valid, 2)
    format += little(4, 4) + little(subformat, 2)
    format += Data([0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71])
    let chunks =
      Data("WAVEfmt ".utf8) + little(format.count, 4) + format + Data("data".utf8)
      + little(data.count, 4) + data
    return Data("RIFF".utf8) + little(chunks.count, 4) + chunks
  }

  /// A CAF file of plain samples; `size` is that of its data, `nil` for the true one.
  static func caf(bits: Int, bytes: Int, size: Int? = nil) -> Data {
    let data = places(bytes, isBigEndian: true)
    let rate = withUnsafeBytes(of: Double(48_000).bitPattern.bigEndian) { Data($0) }
    let description =
      rate + Data("lpcm".utf8) + big(0, 4) + big(bytes, 4) + big(1, 4) + big(1, 4) + big(bits, 4)
    let head =
      Data("caff".utf8) + Data([0, 1, 0, 0]) + Data("desc".utf8) + big(32, 8) + description
    return head + Data("data".utf8) + big(size ?? data.count + 4, 8) + big(0, 4) + data
  }

  /// An AU file of 16-bit samples whose header states `size` bytes.
  static func au(size: Int) -> Data {
    let data = places(2, isBigEndian: true)
    let head = [24, size, 3, 48_000, 1].map { big($0, 4) }.reduce(Data(), +)
    return Data(".snd".utf8) + head + data
  }

  /// An AIFF file of 4,800 samples of 16 bits whose COMM counts `frames`, with `fill` after and `lead` bytes in front of them.
  static func aiff(_ frames: Int, fill: Data = Data(), lead: Int = 0) -> Data {
    let data = places(2, isBigEndian: true)
    let sound = Data(repeating: 0x55, count: lead) + data + fill
    let common =
      Data("COMM".utf8) + big(18, 4) + big(1, 2)
      + big(frames, 4) + big(16, 2)
      + Data([0x40, 0x0E, 0xBB, 0x80, 0, 0, 0, 0, 0, 0])
    let chunks =
      Data("AIFF".utf8) + common + Data("SSND".utf8) + big(sound.count + 8, 4)
      + big(lead, 4) + big(0, 4) + sound
    return Data("FORM".utf8) + big(chunks.count, 4) + chunks
  }
}
