import AudioCore
import LibAV
import Platform

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
      let size = AIFFHeader.number(chunk[4...])
      switch String(decoding: chunk[..<4], as: UTF8.self) {
      // Channels, samples, bits.
      case "COMM": frames = AIFFHeader.number(chunk[10...])
      // The samples begin `offset` bytes after it and the size of blocks.
      case "SSND":
        let skipped = 8 + AIFFHeader.number(chunk[8...])
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

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
    bytes.prefix(4).reduce(0) { $0 << 8 | Int64($1) }
  }
}
