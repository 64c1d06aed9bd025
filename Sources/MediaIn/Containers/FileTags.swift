import AudioCore
import ISOBMFF
import LibAV

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
    let source = ByteSource(size: file.size) { [file] in file.bytes(at: $0, count: $1) }
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
