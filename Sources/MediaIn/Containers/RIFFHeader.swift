// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Platform

/// The fields of a WAV file's chunks (RIFF, RF64 or BW64) that can contradict each other.
struct RIFFHeader {
  /// Fields of the `fmt ` chunk.
  struct Format {
    var tag = 0
    var channels = 0
    var rate = 0
    var byteRate = 0
    var blockAlign = 0
    var bits = 0
    /// Valid bits of a sample (`wValidBitsPerSample`) in the bytes that it takes, with the patches that make libavformat read all of
    /// these bytes.
    var stored = SampleBits()
  }

  /// The `fmt ` chunk; `nil` when there is none before the samples.
  private(set) var format: Format?
  /// Whether the header states no length of the samples, because its writer wrote to a pipe or was stopped.
  private(set) var isSizeUnknown = false
  /// Bytes after the end that the header states; 0 when there are none or it states no end.
  private(set) var trailingBytes: Int64 = 0
  /// Whether another RIFF file begins at that end.
  private(set) var isFollowedByFile = false
  /// `LIST` chunks whose entries claim to reach beyond them.
  private(set) var brokenLists = 0

  /// Samples by the `fact` chunk; `nil` without one, and where its count is 0 or all ones.
  private(set) var factSamples: Int64?
  /// Whether there is a `fact` chunk whose count is 0 or all ones.
  private(set) var isFactOpen = false

  /// Most chunks that are read before the samples, which bounds the time that a hostile file takes; real files have a dozen.
  private static let limit = 65_536

  /// Reads the header of `file`; `nil` when it isn't of this kind.
  init?(_ file: LocalFile) {
    let head = file.bytes(at: 0, count: 12)
    guard head.count == 12, ["RIFF", "RF64", "BW64"].contains(RIFFHeader.name(head, 0)),
      RIFFHeader.name(head, 8) == "WAVE"
    else { return nil }
    let isLarge = RIFFHeader.name(head, 0) != "RIFF"
    let stated = Int64(RIFFHeader.number(head, 4, 4))
    var offset: Int64 = 12
    for _ in 0..<RIFFHeader.limit {
      let chunk = file.bytes(at: offset, count: 8)
      guard chunk.count == 8 else { return }
      let size = Int64(RIFFHeader.number(chunk, 4, 4))
      switch RIFFHeader.name(chunk, 0) {
      // 40 bytes are the whole of `WAVE_FORMAT_EXTENSIBLE`.
      case "fmt ": readFormat(file.bytes(at: offset + 8, count: Int(min(size, 40))), at: offset + 8)
      case "fact":
        let count = file.bytes(at: offset + 8, count: 4)
        guard count.count == 4, size >= 4 else { break }
        let samples = Int64(RIFFHeader.number(count, 0, 4))
        isFactOpen = samples == 0 || samples == 0xFFFF_FFFF
        factSamples = isFactOpen ? nil : samples
      case "LIST": checkList(file.bytes(at: offset + 8, count: 12), size)
      case "data":
        // RF64 and BW64 state the length in `ds64`. A length of 0 is open, too, unless the file ends there but for a byte of padding.
        isSizeUnknown =
          !isLarge
          && (RIFFHeader.isOpen(size, format?.blockAlign ?? 1)
            || (size == 0 && file.size > offset + 9))
        let end = 8 + stated + stated % 2
        // A size that reaches beyond the file isn't a matter of trailing bytes; RF64's end stands in `ds64`.
        guard !isLarge, !isSizeUnknown, offset + 8 + size <= file.size, end >= offset + 8 + size,
          file.size > end
        else { return }
        trailingBytes = file.size - end
        isFollowedByFile = file.bytes(at: end, count: 4) == Array("RIFF".utf8)
        return
      default: break
      }
      offset += 8 + size + size % 2
    }
  }

  /// Whether a length of samples is one that writers to pipes leave in the header: all ones, less their header of up to
  /// 255 bytes; 2³¹ − 1, as LAME leaves it; or SoX's 0x7FFFF000, which it rounds down to whole frames of `frame` bytes.
  private static func isOpen(_ size: Int64, _ frame: Int) -> Bool {
    let sox: Int64 = 0x7FFF_F000
    return size >= 0xFFFF_FF00 || size == 0x7FFF_FFFF || size == sox
      || size == sox - sox % Int64(max(1, frame))
  }

  private mutating func readFormat(_ bytes: [UInt8], at offset: Int64) {
    guard bytes.count >= 16 else { return }
    var format = Format(
      tag: RIFFHeader.number(bytes, 0, 2), channels: RIFFHeader.number(bytes, 2, 2),
      rate: RIFFHeader.number(bytes, 4, 4), byteRate: RIFFHeader.number(bytes, 8, 4),
      blockAlign: RIFFHeader.number(bytes, 12, 2), bits: RIFFHeader.number(bytes, 14, 2))
    // `WAVE_FORMAT_EXTENSIBLE` alone tells the bits that a sample means from those of its place, at whose top they lie; a
    // header without it that states more bytes than its bits need has no meaning that readers agree on.
    if bytes.count >= 40, format.tag == 0xFFFE, [1, 3].contains(RIFFHeader.number(bytes, 24, 2)) {
      format.stored = SampleBits(
        valid: RIFFHeader.number(bytes, 18, 2), bytes: format.blockAlign,
        channels: format.channels)
      if format.stored.isShorterThanItsPlace {
        let place = [UInt8(format.stored.place), 0]
        // `wBitsPerSample` and `wValidBitsPerSample`.
        format.stored.patches = [14, 18].map { FilePatch(offset: offset + $0, bytes: place) }
        format.bits = format.stored.place
      }
    }
    self.format = format
  }

  private mutating func checkList(_ head: [UInt8], _ size: Int64) {
    guard head.count == 12, size > 4, RIFFHeader.name(head, 0) == "INFO" else { return }
    let entry = Int64(RIFFHeader.number(head, 8, 4))
    if size < 12 || entry > size - 12 { brokenLists += 1 }
  }

  private static func name(_ bytes: [UInt8], _ offset: Int) -> String {
    String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
  }

  private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
    bytes[offset..<offset + count].littleEndian()
  }
}

extension RIFFHeader.Format {
  /// Whether samples are stored uncompressed (integers, floats or `WAVE_FORMAT_EXTENSIBLE`), so that the
  /// sizes in the header follow from each other.
  var isPlain: Bool { [1, 3, 0xFFFE].contains(tag) }

  /// Bytes of one sample of all channels, calculated from bits and channels.
  var frameBytes: Int { channels * ((bits + 7) / 8) }

  /// The sample rate that the bytes per second amount to; `nil` when they aren't whole frames.
  var rateOfBytes: Int? {
    guard frameBytes > 0, byteRate > 0, byteRate % frameBytes == 0 else { return nil }
    return byteRate / frameBytes
  }
}
