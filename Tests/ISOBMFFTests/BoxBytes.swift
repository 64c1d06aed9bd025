// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF

/// Boxes built byte by byte.
enum BoxBytes {
  /// A box with a 32-bit size.
  static func box(_ type: String, _ payload: [UInt8] = []) -> [UInt8] {
    number(UInt32(payload.count + 8)) + Array(type.utf8) + payload
  }

  /// A box with a 64-bit size.
  static func largeBox(_ type: String, _ payload: [UInt8], size: UInt64? = nil) -> [UInt8] {
    number(UInt32(1)) + Array(type.utf8) + number(size ?? UInt64(payload.count + 16)) + payload
  }

  /// A big-endian integer.
  static func number<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// A source of these bytes.
  static func source(_ bytes: [UInt8]) -> ByteSource {
    ByteSource(bytes)
  }

  /// A `moov` of one audio track.
  static func movie(
    longHeaders: Bool = false, timescale: UInt32 = 1000, media: UInt32 = 48_000,
    edits: [UInt8]? = nil, entry: [UInt8] = []
  ) -> [UInt8] {
    let version: [UInt8] = longHeaders ? [1, 0, 0, 0] : [0, 0, 0, 0]
    let times = [UInt8](repeating: 0, count: longHeaders ? 16 : 8)
    let track =
      box("tkhd", version + times + number(UInt32(7)) + [UInt8](repeating: 0, count: 60))
      + (edits.map { box("edts", box("elst", $0)) } ?? [])
      + box(
        "mdia",
        box("mdhd", version + times + number(media) + [UInt8](repeating: 0, count: 12))
          + box("hdlr", [UInt8](repeating: 0, count: 8) + Array("soun".utf8))
          + box(
            "minf",
            box("stbl", box("stsd", [UInt8](repeating: 0, count: 4) + number(UInt32(1)) + entry))))
    return box(
      "moov", box("mvhd", version + times + number(timescale) + [0, 0, 0, 0]) + box("trak", track))
  }
}
