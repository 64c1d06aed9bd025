// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import LibAV
import Platform

extension MediaFile {
  /// All descriptive tags of the file and of `stream`, in the file's order, read by Pinna where libavformat loses
  /// values, names or order; those of the file come first. Tags that ``TagName`` lists have their names in Vorbis
  /// comments, those of Vorbis comments the names that the file gives them.
  package func tags(of stream: StreamInfo) -> MediaTags {
    // A file of FLAC may have its tags in an ID3 tag in front, and a block without comments.
    if let comments = VorbisComments.flac(file), !comments.isEmpty { return comments }
    if let ogg = oggStream(of: stream), let comments = VorbisComments.ogg(file, ogg) {
      return comments
    }
    return MediaTags(
      otherTags(of: stream).entries.map { ($0.known?.comments.first ?? $0.name, $0.value) })
  }

  /// The tags of a file without Vorbis comments that Pinna reads.
  private func otherTags(of stream: StreamInfo) -> MediaTags {
    var others = container?.tags ?? MediaTags()
    let chunk = SoundChunks.tag(in: file)
    if let broadcast = BroadcastTexts(file) { broadcast.correct(&others) }
    if let frames = ID3Frames(file, at: chunk ?? 0), !frames.tags.isEmpty {
      var found = frames.tags
      // libavformat gives frames without a name of its own the frame's; it doesn't read those of WAV, which has INFO, too.
      if chunk == nil { others.remove { !MediaFile.plain.contains($0.key) } }
      found.complete(with: others)
      return found
    }
    var found = MediaTags()
    if movie != nil { found = itemTags }
    // libavformat has names of its own for some atoms, whose values are there already.
    let values = Set(found.entries.map(\.value))
    others.remove { $0.key != "genre" && values.contains($0.value) }
    found.complete(with: others)
    // Statements of a track's storage aren't tags, and Matroska has them only there.
    var own = container?.tags(stream: stream.index) ?? MediaTags()
    // If tracks of several makes lie in one file, ours states what its sound is made for.
    if let maker = own["encoder"], maker.hasPrefix("Pinna ") {
      found.remove { $0.key == "encoder" }
      found.complete(with: MediaTags([("encoder", maker)]))
    }
    own.remove { MediaFile.stored.contains($0.key) }
    found.complete(with: own)
    return found
  }

  /// Names that libavformat gives to properties of a stream.
  private static let stored: Set = [
    "language", "handler_name", "vendor_id", "creation_time", "duration", "encoder", "timecode",
    "filename", "mimetype",
  ]

  /// Names that libavformat gives to what stands beside an ID3 tag: in INFO, `bext` and ID3v1; it knows genres by number, too.
  private static let plain: Set = [
    "title", "artist", "album", "comment", "copyright", "date", "genre", "track", "encoder",
    "encoded_by", "description", "coding_history", "time_reference", "umid", "timecode",
    "originator", "originator_reference", "origination_date", "origination_time",
  ]

  /// The tags in Apple's list.
  private var itemTags: MediaTags {
    let source = file.source
    var tags = MediaTags()
    for item in ItemList(source)?.items ?? [] {
      // Genres by number have names in libavformat.
      guard item.type != "gnre" else { continue }
      let known = TagName.atom(item.type)
      let name = item.type == "----" ? item.name : known?.name ?? item.type.replacing("©", with: "")
      for value in item.values {
        tags.append(name, MediaFile.text(value, of: item.type) ?? "")
      }
    }
    return tags
  }

  private static func text(_ value: ItemList.Value, of type: String) -> String? {
    if type == "trkn" || type == "disk" {
      guard let (number, count) = value.numbers, number > 0 else { return nil }
      return count > 0 ? "\(number)/\(count)" : "\(number)"
    }
    // Text may be stored without saying so.
    return value.text ?? value.integer.map { "\($0)" }
  }
}

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
    var size = isAIFF ? head[4...].bigEndian(Int64.self) : head[4...].littleEndian()
    if id == "ds64" {
      longData = file.bytes(at: place + 8, count: 8).littleEndian()
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
}

/// Chunks of WAV that describe the sound for other programs, and that no output has.
enum ForeignChunks {
  private static let meanings = [
    "smpl": "sampler loops", "inst": "instrument settings", "iXML": "production notes",
    "cart": "cart data of radio", "acid": "tempo of a loop", "strc": "beats of a loop",
    "plst": "a playlist of cue points",
  ]

  /// The chunks of `file` in words, in the order of the file.
  static func list(in file: LocalFile) -> [String] {
    var seen: Set<String> = []
    return (SoundChunks(file).map { Array($0) } ?? []).compactMap { chunk in
      guard let meaning = meanings[chunk.id], seen.insert(chunk.id).inserted else { return nil }
      return "\(meaning) (\(chunk.id))"
    }
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
