// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Platform

/// The headers of files for plain samples, as far as libavformat doesn't hand them on.
///
/// They are read once a file, because a WAV file may have 65,536 chunks before its samples.
struct PlainHeaders {
  /// The header of a WAV file.
  var riff: RIFFHeader?
  /// The header of a Core Audio file.
  var caf: CAFHeader?
  /// The header of an AU file.
  var au: AUHeader?
  /// The header of an AIFF file.
  var aiff: AIFFHeader?

  /// No header, as of a raw stream.
  init() {}

  /// Reads the header that `file` begins with.
  init(_ file: LocalFile) {
    riff = RIFFHeader(file)
    caf = CAFHeader(file)
    au = AUHeader(file)
    aiff = AIFFHeader(file)
  }

  /// How samples lie in their places.
  var bits: SampleBits { riff?.format?.stored ?? caf?.bits ?? SampleBits() }
}

/// The header of an AU file (Sun audio): where its samples end.
struct AUHeader {
  /// Byte after the last sample by the header; `nil` where the header leaves that open (0xFFFFFFFF, or 0
  /// by writers that were stopped).
  let end: Int64?
  /// Makes libavformat read samples of an open number, whose size 0 newer versions refuse.
  let patches: [FilePatch]

  /// Reads the header of `file`; `nil` when it isn't of this kind.
  init?(_ file: LocalFile) {
    let head = file.bytes(at: 0, count: 12)
    guard head.count == 12, head.starts(with: ".snd".utf8) else { return nil }
    let size = Int64(head.bigEndian32(at: 8))
    end = size == 0xFFFF_FFFF || size == 0 ? nil : Int64(head.bigEndian32(at: 4)) + size
    patches = size == 0 ? [FilePatch(offset: 8, bytes: [0xFF, 0xFF, 0xFF, 0xFF])] : []
  }
}

/// How many bits of a plain sample's place it fills.
struct SampleBits {
  /// Bits that a sample means; 0 when unknown.
  var valid = 0
  /// Bits of its place in the file; 0 when unknown.
  var place = 0
  /// Patches that make libavformat read the whole place.
  var patches: [FilePatch] = []

  /// Nothing known.
  init() {}

  /// Samples of `valid` bits in frames of `bytes` bytes and `channels` channels.
  init(valid: Int, bytes: Int, channels: Int) {
    guard channels > 0, bytes > 0, bytes % channels == 0, valid > 0 else { return }
    self.valid = valid
    place = bytes / channels * 8
  }

  /// Whether samples are left-justified in a place of whole bytes more than they need, so that libavformat, which goes by the bits,
  /// would take frames of another size.
  var isShorterThanItsPlace: Bool { [8, 16, 24, 32, 64].contains(place) && valid < place }
}

/// The fields of an AIFF or AIFF-C file (Audio Interchange File Format 1.3, and its draft of 1991 for coded sound) that can
/// contradict each other: `COMM` counts the samples, and `SSND` holds them.
struct AIFFHeader {
  /// Samples by `COMM`; in coded sound, some writers count packets.
  let frames: Int64
  /// Offset of the first sample in the file.
  let start: Int64
  /// Bytes of them by the size of `SSND`.
  let size: Int64
  /// Whether the file ends before they do.
  let isCut: Bool

  /// Chunks that are read at most; real files have a dozen.
  private static let limit = 65_536
  /// Sizes from here on are those of writers to a pipe, which don't know theirs.
  private static let open: Int64 = 0x7F00_0000

  /// Reads the chunks of `file`; `nil` when it isn't of this kind, or leaves the length open.
  init?(_ file: LocalFile) {
    let head = file.bytes(at: 0, count: 12)
    guard head.count == 12, head.starts(with: "FORM".utf8), head[8..<11].elementsEqual("AIF".utf8)
    else { return nil }
    var (frames, sound): (Int64, (start: Int64, size: Int64)?) = (0, nil)
    var offset: Int64 = 12
    for _ in 0..<AIFFHeader.limit where frames == 0 || sound == nil {
      let chunk = file.bytes(at: offset, count: 16)
      guard chunk.count == 16 else { break }
      let size = Int64(chunk.bigEndian32(at: 4))
      switch String(decoding: chunk[..<4], as: UTF8.self) {
      // Channels, samples, bits.
      case "COMM": frames = Int64(chunk.bigEndian32(at: 10))
      // The samples begin `offset` bytes after it and the size of blocks.
      case "SSND":
        let skipped = 8 + Int64(chunk.bigEndian32(at: 8))
        sound = (offset + 8 + skipped, size - skipped)
      default: break
      }
      offset += 8 + size + size % 2
    }
    guard frames > 0, let sound, (1..<AIFFHeader.open).contains(sound.size) else { return nil }
    self.frames = frames
    (start, size) = sound
    isCut = start + size > file.size
  }

  /// Samples of all channels that `SSND` holds of the plain samples of `stream`; in coded sound, packets.
  func held(_ stream: StreamInfo) -> Int64? {
    let block = Int64(stream.sound.blockBytes)
    return block > 0 ? size / block : nil
  }

  /// Samples of `stream`: as many as `COMM` counts, as far as `SSND` holds them; `nil` where it counts packets.
  func samples(_ stream: StreamInfo) -> Int64? {
    guard let held = held(stream) else { return nil }
    guard stream.codecTraits.isPlain else { return frames == held ? nil : frames }
    return min(frames, held)
  }

  /// Bytes after the last sample that `SSND` holds besides the samples, and whether they are filling: all of one value.
  func surplus(_ stream: StreamInfo, in file: LocalFile) -> (bytes: Int64, isFilling: Bool)? {
    guard stream.codecTraits.isPlain, let held = held(stream), frames < held else { return nil }
    let sound = frames * Int64(stream.sound.blockBytes)
    let rest = file.bytes(at: start + sound, count: Int(clamping: min(size - sound, 65_536)))
    return (size - sound, rest.allSatisfy { $0 == rest.first })
  }
}

/// The fields of a Core Audio file (Apple Core Audio Format Specification) that libavformat doesn't hand on.
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
      let size = Int64(bitPattern: head.bigEndian64(at: 4))
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
      valid: Int(bytes.bigEndian32(at: 28)), bytes: Int(bytes.bigEndian32(at: 16)),
      channels: Int(bytes.bigEndian32(at: 24)))
    guard bits.isShorterThanItsPlace else { return }
    let place = UInt8(clamping: bits.place)
    bits.patches = [FilePatch(offset: offset + 28, bytes: [0, 0, 0, place])]
  }

  /// Packets, valid frames, priming and remainder.
  private mutating func readTable(_ bytes: [UInt8]) {
    guard bytes.count == 24 else { return }
    let valid = Int64(bitPattern: bytes.bigEndian64(at: 8))
    let (priming, remainder) = (
      Int64(bytes.bigEndian32(at: 16)), Int64(bytes.bigEndian32(at: 20))
    )
    // The counts are signed; negative ones are damage. A table without priming and remainder is that of a muxer that
    // counts whole packets, and states nothing.
    guard valid > 0, valid < 1 << 48, priming < 1 << 31, remainder < 1 << 31,
      priming + remainder > 0
    else { return }
    packetTable = GaplessFacts.PacketTable(priming: priming, valid: valid)
  }
}
