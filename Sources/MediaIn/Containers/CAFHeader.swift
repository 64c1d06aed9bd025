import AudioCore
import LibAV
import Platform

/// Those fields of a Core Audio file (Apple Core Audio Format Specification) that libavformat doesn't hand on.
struct CAFHeader {
  /// Bytes of the chunk's header: type and size.
  private static let chunkHeader: Int64 = 12
  /// Chunks that are read at most; real files have a dozen.
  private static let limit = 65_536

  /// Bits that a plain sample means, and those of its place; the same where nothing is to be said about them.
  private(set) var bits = SampleBits()
  /// Whether the samples reach to the end of the file, because a recorder left their size open (`data` of size −1).
  private(set) var isOpen = false
  /// The packet table's account of the samples; `nil` without one.
  private(set) var packetTable: GaplessFacts.PacketTable?

  /// Reads the chunks of `file`; `nil` when it isn't of this kind.
  init?(_ file: LocalFile) {
    guard file.bytes(at: 0, count: 4) == Array("caff".utf8) else { return nil }
    var offset: Int64 = 8
    for _ in 0..<CAFHeader.limit {
      let head = file.bytes(at: offset, count: Int(CAFHeader.chunkHeader))
      guard head.count == CAFHeader.chunkHeader else { return }
      let size = CAFHeader.number(head[4...], 8)
      let body = offset + CAFHeader.chunkHeader
      switch String(decoding: head[..<4], as: UTF8.self) {
      case "desc": readDescription(file.bytes(at: body, count: 32), at: body)
      case "pakt": readTable(file.bytes(at: body, count: 24))
      case "data" where size == -1:
        isOpen = true
        return
      default: break
      }
      let (next, isFar) = body.addingReportingOverflow(size)
      guard size >= 0, !isFar else { return }
      offset = next
    }
  }

  /// Bytes a packet and bits a channel of plain samples.
  private mutating func readDescription(_ bytes: [UInt8], at offset: Int64) {
    guard bytes.count == 32, bytes[8..<12].elementsEqual("lpcm".utf8) else { return }
    bits = SampleBits(
      valid: Int(CAFHeader.number(bytes[28...], 4)), bytes: Int(CAFHeader.number(bytes[16...], 4)),
      channels: Int(CAFHeader.number(bytes[24...], 4)))
    guard bits.isShorterThanItsPlace else { return }
    let place = UInt8(clamping: bits.place)
    bits.patches = [FilePatch(offset: offset + 28, bytes: [0, 0, 0, place])]
  }

  /// Packets, valid frames, priming and remainder.
  private mutating func readTable(_ bytes: [UInt8]) {
    guard bytes.count == 24 else { return }
    let valid = CAFHeader.number(bytes[8...], 8)
    let (priming, remainder) = (
      CAFHeader.number(bytes[16...], 4), CAFHeader.number(bytes[20...], 4)
    )
    // The counts are signed; negative ones are damage. A table without priming and remainder is that of a muxer that
    // counts whole packets, and states nothing.
    guard valid > 0, valid < 1 << 48, priming < 1 << 31, remainder < 1 << 31,
      priming + remainder > 0
    else { return }
    packetTable = GaplessFacts.PacketTable(priming: priming, valid: valid)
  }

  private static func number(_ bytes: ArraySlice<UInt8>, _ count: Int) -> Int64 {
    bytes.prefix(count).reduce(0) { $0 << 8 | Int64($1) }
  }
}
