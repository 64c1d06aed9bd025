// SPDX-License-Identifier: Apache-2.0
@testable import ADM

/// Makes WAV files byte by byte, also wrong ones.
enum WAVFile {
  static func number(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  /// A chunk whose size is `payload`'s unless another one is given.
  static func chunk(
    _ id: String, _ payload: [UInt8], size: UInt32? = nil, isPadded: Bool = true
  ) -> [UInt8] {
    Array(id.utf8) + number(size ?? UInt32(payload.count)) + payload
      + (isPadded && payload.count % 2 != 0 ? [0] : [])
  }

  static func format(
    tag: UInt16 = 1, channels: UInt16 = 2, rate: UInt32 = 48000, bits: UInt16 = 16,
    frame: UInt16? = nil
  ) -> [UInt8] {
    let frame = frame ?? channels * (bits / 8)
    return chunk(
      "fmt ",
      number(tag) + number(channels) + number(rate) + number(rate * UInt32(frame)) + number(frame)
        + number(bits))
  }

  static func file(_ chunks: [[UInt8]], form: String = "RIFF") -> [UInt8] {
    let body = Array("WAVE".utf8) + chunks.flatMap { $0 }
    return Array(form.utf8) + number(form == "RIFF" ? UInt32(body.count) : UInt32.max) + body
  }

  /// `ds64` with the size of the samples and a table of further sizes.
  static func longSizes(data: UInt64, table: [(String, UInt64)] = []) -> [UInt8] {
    chunk(
      "ds64",
      number(UInt64(0)) + number(data) + number(UInt64(0)) + number(UInt32(table.count))
        + table.flatMap { Array($0.0.utf8) + number($0.1) })
  }

  /// A row of `chna`.
  static func row(_ track: UInt16, _ uid: String, _ format: String, _ pack: String) -> [UInt8] {
    func field(_ text: String, _ count: Int) -> [UInt8] {
      Array((Array(text.utf8) + [UInt8](repeating: 0, count: count)).prefix(count))
    }
    return number(track) + field(uid, 12) + field(format, 14) + field(pack, 11) + [0]
  }

  static func channelTable(tracks: UInt16, count: UInt16? = nil, _ rows: [[UInt8]]) -> [UInt8] {
    number(tracks) + number(count ?? UInt16(rows.count)) + rows.flatMap { $0 }
  }

  /// Access to bytes in memory.
  static func source(_ bytes: [UInt8]) -> FileBytes {
    FileBytes(size: Int64(bytes.count)) { offset, count in
      Array(bytes[Int(offset)..<min(bytes.count, Int(offset) + count)])
    }
  }
}
