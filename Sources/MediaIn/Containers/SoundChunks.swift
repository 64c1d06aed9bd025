import AudioCore
import Platform

/// The chunks of a WAV file (RIFF, RF64 or BW64) or an AIFF file, in their order.
struct SoundChunks: Sequence, IteratorProtocol {
  /// A chunk without its content.
  struct Chunk {
    /// Its four characters.
    let id: String
    /// Byte of the file at which its content begins.
    let place: Int64
    /// Bytes of its content.
    let size: Int64
  }

  /// Chunks that are looked through at most; real files have a dozen.
  private static let limit = 65_536

  private let file: LocalFile
  private let isAIFF: Bool
  private var offset: Int64 = 12
  private var left = SoundChunks.limit
  /// Bytes of the samples by `ds64`, whose own field can't hold them.
  private var longData: Int64?

  /// The chunks of `file`; `nil` where it is of another kind.
  init?(_ file: LocalFile) {
    let head = file.bytes(at: 0, count: 12)
    guard head.count == 12 else { return nil }
    isAIFF = head.starts(with: "FORM".utf8) && head[8..<11].elementsEqual("AIF".utf8)
    let isWAV = ["RIFF", "RF64", "BW64"].contains { head.starts(with: $0.utf8) }
    guard isAIFF || isWAV && head[8...].elementsEqual("WAVE".utf8) else { return nil }
    self.file = file
  }

  /// The next chunk; `nil` at the end, and where the size of one isn't known.
  mutating func next() -> Chunk? {
    let head = file.bytes(at: offset, count: 8)
    guard left > 0, head.count == 8 else { return nil }
    left -= 1
    let id = String(decoding: head[..<4], as: UTF8.self)
    let place = offset + 8
    var size = SoundChunks.number(isAIFF ? Array(head[4...]) : head[4...].reversed())
    if id == "ds64" {
      longData = SoundChunks.number(file.bytes(at: place + 8, count: 8).reversed())
    } else if id == "data", size == 0xFFFF_FFFF {
      guard let longData, (0...file.size).contains(longData) else { return nil }
      size = longData
    }
    offset = place + size + size % 2
    return Chunk(id: id, place: place, size: size)
  }

  /// The place of the ID3v2 tag in a chunk of `file`; `nil` where it has none.
  static func tag(in file: LocalFile) -> Int64? {
    SoundChunks(file)?.first { $0.id == "id3 " || $0.id == "ID3 " }?.place
  }

  private static func number(_ bytes: [UInt8]) -> Int64 {
    bytes.reduce(0) { $0 << 8 | Int64($1) }
  }
}

/// Description and originator of a broadcast WAV file (`bext`, EBU Tech 3285), which libavformat calls `comment` and `encoded_by`.
struct BroadcastTexts {
  private static let descriptionSize = 256
  private static let originatorSize = 32

  private let description: String
  private let originator: String

  /// The texts of `file`; `nil` where it has no such chunk in front of its samples.
  init?(_ file: LocalFile) {
    let front = SoundChunks(file)?.prefix { $0.id != "data" && $0.id != "SSND" }
    guard let chunk = front?.first(where: { $0.id == "bext" }) else { return nil }
    let (first, second) = (BroadcastTexts.descriptionSize, BroadcastTexts.originatorSize)
    let fields = file.bytes(at: chunk.place, count: first + second)
    guard fields.count == first + second else { return nil }
    description = BroadcastTexts.text(fields.prefix(first))
    originator = BroadcastTexts.text(fields.suffix(second))
  }

  /// Gives the values that are these texts their names back.
  func correct(_ tags: inout MediaTags) {
    if !originator.isEmpty { tags.remove { $0.key == "encoded_by" && $0.value == originator } }
    guard !description.isEmpty,
      !tags.remove(where: { $0.key == "comment" && $0.value == description }).isEmpty
    else { return }
    tags.append("description", description)
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    let text = bytes.prefix { $0 != 0 }
    return String(validating: text, as: UTF8.self) ?? TextEncoding.windows1252.text(text) ?? ""
  }
}
