// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Writes files of 4,800 plain samples of 16 bits in one channel at 48 kHz, so that a test decides on each field of the header.
enum PlainBytes {
  /// Samples of 16 bits.
  static let values = (0..<4800).map {
    Int32(truncatingIfNeeded: $0 * 7919 % 16_001 - 8000)
  }
  /// ``values`` as floats.
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

  /// The samples as floats of 32 bits.
  static func singles(isBigEndian: Bool = false) -> Data {
    floats.reduce(into: Data()) { data, value in
      let bytes = little(Int(value.bitPattern), 4)
      data += isBigEndian ? Data(bytes.reversed()) : bytes
    }
  }

  /// The samples as floats of 64 bits, the least significant byte first.
  static var doubles: Data {
    floats.reduce(into: Data()) { $0 += little(Int(bitPattern: UInt(Double($1).bitPattern)), 8) }
  }

  /// A chunk of RIFF; `size` is the stated one, `nil` for the true one.
  static func chunk(_ name: String, _ content: Data, size: Int? = nil) -> Data {
    Data(name.utf8) + little(size ?? content.count, 4) + content + Data(count: content.count % 2)
  }

  /// A WAV file of these chunks; `size` is the stated one, `nil` for the true one.
  static func riff(_ chunks: Data..., form: String = "RIFF", size: Int? = nil) -> Data {
    let content = Data("WAVE".utf8) + chunks.reduce(Data(), +)
    return Data(form.utf8) + little(size ?? content.count, 4) + content
  }

  /// The chunk that describes the samples.
  static let format = chunk(
    "fmt ",
    little(1, 2) + little(1, 2) + little(48_000, 4) + little(96_000, 4) + little(2, 2)
      + little(16, 2))

  /// The chunk that describes `valid` bits in places of so many bytes.
  static func extensible(
    valid: Int, bytes: Int, channels: Int = 1, subformat: Int = 1
  ) -> Data {
    let frame = bytes * channels
    var format = little(0xFFFE, 2) + little(channels, 2) + little(48_000, 4)
    format += little(48_000 * frame, 4) + little(frame, 2) + little(8 * bytes, 2) + little(22, 2)
    format += little(valid, 2) + little(channels == 1 ? 4 : 3, 4) + little(subformat, 2)
    format += Data([0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71])
    return chunk("fmt ", format)
  }

  /// A WAV file with an extensible header: `valid` bits in places of so many bytes.
  static func wave(valid: Int, bytes: Int, subformat: Int = 1, data: Data) -> Data {
    riff(extensible(valid: valid, bytes: bytes, subformat: subformat), chunk("data", data))
  }

  /// A CAF file of plain samples, of integers with the most significant byte first unless `data` and `flags` (1: floats,
  /// 2: the least significant byte first) say otherwise; `size` is that of its data, `nil` for the true one.
  static func caf(
    bits: Int, bytes: Int, _ data: Data? = nil, flags: Int = 0, before chunks: Data = Data(),
    size: Int? = nil
  ) -> Data {
    let data = data ?? places(bytes, isBigEndian: true)
    let rate = big(Int(bitPattern: UInt(Double(48_000).bitPattern)), 8)
    let description =
      rate + Data("lpcm".utf8) + big(flags, 4) + big(bytes, 4) + big(1, 4) + big(1, 4)
      + big(bits, 4)
    let head = Data("caff".utf8) + big(0x1_0000, 4) + cafChunk("desc", description) + chunks
    return head + Data("data".utf8) + big(size ?? data.count + 4, 8) + big(0, 4) + data
  }

  /// A chunk of CAF, which may have an odd size.
  static func cafChunk(_ name: String, _ content: Data) -> Data {
    Data(name.utf8) + big(content.count, 8) + content
  }

  /// An AU file whose header states `size` bytes, with a `note` in it; of 16-bit samples unless said otherwise.
  static func au(
    _ data: Data? = nil, encoding: Int = 3, size: Int, note: String = ""
  ) -> Data {
    let head = [24 + note.utf8.count, size, encoding, 48_000, 1].map { big($0, 4) }
    return head.reduce(Data(".snd".utf8), +) + Data(note.utf8)
      + (data ?? places(2, isBigEndian: true))
  }

  /// An AIFF file of 4,800 samples of 16 bits whose COMM counts `frames`, with `fill` after and `lead` bytes in front of them.
  static func aiff(_ frames: Int, fill: Data = Data(), lead: Int = 0) -> Data {
    let sound = Data(repeating: 0x55, count: lead) + places(2, isBigEndian: true) + fill
    return iff(
      "AIFF", [common(frames, bits: 16), iffChunk("SSND", big(lead, 4) + big(0, 4) + sound)])
  }

  /// An AIFF-C file of samples of this kind, whose COMM counts `frames`.
  static func aiffC(
    _ kind: String, bits: Int = 16, _ data: Data, frames: Int = 4800, isSoundFirst: Bool = false
  ) -> Data {
    let coding = Data(kind.utf8) + big(0, 2)
    let sound = iffChunk("SSND", big(0, 8) + data)
    let chunks = [common(frames, bits: bits, coding), sound]
    let version = iffChunk("FVER", big(0xA280_5140, 4))
    return iff("AIFC", [version] + (isSoundFirst ? chunks.reversed() : chunks))
  }

  private static func common(_ frames: Int, bits: Int, _ coding: Data = Data()) -> Data {
    // 48 kHz as a float of 80 bits.
    let rate = Data([0x40, 0x0E, 0xBB, 0x80, 0, 0, 0, 0, 0, 0])
    return iffChunk("COMM", big(1, 2) + big(frames, 4) + big(bits, 2) + rate + coding)
  }

  private static func iffChunk(_ name: String, _ content: Data) -> Data {
    Data(name.utf8) + big(content.count, 4) + content + Data(count: content.count % 2)
  }

  private static func iff(_ kind: String, _ chunks: [Data]) -> Data {
    let content = chunks.reduce(Data(kind.utf8), +)
    return Data("FORM".utf8) + big(content.count, 4) + content
  }
}
