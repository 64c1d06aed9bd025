import AudioCore
import LibAV

/// A tag of ID3v2.4 (id3.org, ID3v2.4.0) in UTF-8, as WAV files hold it in their chunk `id3 `.
package struct ID3Block {
  /// Bytes of a tag at most: its size has 28 bits.
  package static let longest = 1 << 28 - 1
  /// Owner of the frame that names a recording (MusicBrainz Picard, "Tag Mapping").
  private static let musicBrainz = "http://musicbrainz.org"
  /// UTF-8, the only encoding that is written.
  private static let utf8: UInt8 = 3
  /// Language of comments and lyrics when it isn't known (ID3v2.4.0, 4.8).
  private static let language = Array("XXX".utf8)

  private var frames: [UInt8] = []

  /// All of `tags`, those without a frame as `TXXX`, and the pictures.
  package init(_ tags: MediaTags, pictures: [AttachedPicture]) {
    var joined: Set<String> = []
    for (entry, values) in tags.grouped {
      guard let total = entry.known?.total, values.count == 1, !values[0].contains("/"),
        let count = tags[total]
      else { continue }
      add(entry, ["\(values[0])/\(count)"])
      joined.formUnion([entry.key, total])
    }
    for (entry, values) in tags.grouped where !joined.contains(entry.key) { add(entry, values) }
    for picture in pictures { add(picture) }
  }

  /// The tag; none without frames.
  package var bytes: [UInt8] {
    frames.isEmpty
      ? [] : Array("ID3".utf8) + [4, 0, 0] + ID3Block.syncsafe(frames.count) + frames
  }

  private mutating func add(_ entry: MediaTags.Entry, _ values: [String]) {
    let texts = values.map { value in Array(value.utf8.filter { $0 != 0 }) }
    let text = Array(texts.joined(separator: [0]))
    switch entry.known?.frame {
    case "COMM", "USLT":
      // Frames of one language differ in their descriptions.
      for (index, text) in texts.enumerated() {
        let description = index == 0 ? [] : Array("\(index + 1)".utf8)
        frame(
          entry.known?.frame ?? "", [ID3Block.utf8] + ID3Block.language + description + [0] + text)
      }
    case let id?: frame(id, [ID3Block.utf8] + text)
    case nil where entry.key == "musicbrainz_trackid" && texts.count == 1 && texts[0].count <= 64:
      frame("UFID", Array(ID3Block.musicBrainz.utf8) + [0] + texts[0])
    case nil:
      let name = Array((entry.known?.freeName ?? entry.name).utf8.filter { $0 != 0 })
      frame("TXXX", [ID3Block.utf8] + name + [0] + text)
    }
  }

  private mutating func add(_ picture: AttachedPicture) {
    let text = Array(picture.text.utf8.filter { $0 != 0 })
    frame(
      "APIC",
      [ID3Block.utf8] + Array(picture.mediaType.utf8) + [0, UInt8(clamping: picture.kind)] + text
        + [0] + picture.bytes)
  }

  private mutating func frame(_ id: String, _ content: [UInt8]) {
    frames += Array(id.utf8) + ID3Block.syncsafe(content.count) + [0, 0] + content
  }

  /// A size in four bytes of seven bits.
  private static func syncsafe(_ size: Int) -> [UInt8] {
    [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: size >> $0 & 0x7F) }
  }
}
