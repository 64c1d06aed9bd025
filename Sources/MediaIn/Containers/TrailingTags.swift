import AudioCore
import Platform

/// Tags after the sound of a bare stream, which libavformat would hand to the decoder: APE (version 1 and 2), Lyrics3, ID3v2
/// with a footer, and ID3v1 in front of any of these.
struct TrailingTags {
  /// Tags that are walked over; a hostile file may consist of nothing else.
  private static let limit = 64
  /// Bytes of ID3v1, and of the block that enhances it in front of it.
  private static let (oldTag, longTag): (Int64, Int64) = (128, 227)
  /// Bytes of Lyrics3 version 1 at most, without its two marks.
  private static let longestLyrics = 5100

  private let kind: ContainerInputTraits.TagsAtEnd

  /// Finds tags of this kind.
  init(_ kind: ContainerInputTraits.TagsAtEnd) { self.kind = kind }

  /// The bytes of the tags at the end of `file`; `nil` without any, and where they leave no byte after the place `head`.
  func range(in file: LocalFile, after head: Int64 = 0) -> Range<Int64>? {
    let hasOldTag = TrailingTags.isOldTag(file, before: file.size)
    if kind == .onlyID3v1, !hasOldTag { return nil }
    let keepsOldTag = kind == .allButID3v1 && hasOldTag
    let end = keepsOldTag ? file.size - TrailingTags.oldTag : file.size
    var start = keepsOldTag ? TrailingTags.enhancement(of: file, before: end) ?? end : end
    for _ in 0..<(kind == .onlyID3v1 ? 1 : TrailingTags.limit) {
      guard let next = TrailingTags.beginning(of: file, before: start), next < start else { break }
      start = next
    }
    return start < end && start > head ? start..<end : nil
  }

  /// The beginning of the tag that ends at `end`; `nil` when there is none.
  private static func beginning(of file: LocalFile, before end: Int64) -> Int64? {
    let foot = file.bytes(at: max(0, end - 32), count: Int(min(32, end)))
    guard foot.count == 32 else { return nil }
    if foot.starts(with: "APETAGEX".utf8) {
      // The size contains the footer, and not the header, which bit 31 of the flags announces.
      let head: Int64 = foot[23] & 0x80 == 0 ? 0 : 32
      return inside(end - little(foot[12..<16]) - head)
    }
    if let size = ID3Tag.size(of: Array("ID3".utf8 + foot[25...])), foot[22..<25] == "3DI" {
      return begins(file, inside(end - size), "ID3")
    }
    if foot[23...] == "LYRICS200" {
      let digits = String(decoding: foot[17..<23], as: UTF8.self)
      return Int64(digits).flatMap { begins(file, inside(end - 15 - $0), "LYRICSBEGIN") }
    }
    if foot[23...] == "LYRICSEND" { return lyrics(file, before: end - 9) }
    if isOldTag(file, before: end) {
      return enhancement(of: file, before: end - oldTag) ?? end - oldTag
    }
    return nil
  }

  private static func lyrics(_ file: LocalFile, before end: Int64) -> Int64? {
    let mark = Array("LYRICSBEGIN".utf8)
    let start = max(0, end - Int64(longestLyrics + mark.count))
    let bytes = file.bytes(at: start, count: Int(end - start))
    let place = bytes.indices.last { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
    return place.map { start + Int64($0) }
  }

  private static func enhancement(of file: LocalFile, before end: Int64) -> Int64? {
    begins(file, inside(end - longTag), "TAG+")
  }

  private static func isOldTag(_ file: LocalFile, before end: Int64) -> Bool {
    begins(file, inside(end - oldTag), "TAG") != nil
  }

  /// `place`, where `word` stands there.
  private static func begins(_ file: LocalFile, _ place: Int64?, _ word: String) -> Int64? {
    guard let place, file.bytes(at: place, count: word.utf8.count) == word else { return nil }
    return place
  }

  private static func inside(_ place: Int64) -> Int64? { place >= 0 ? place : nil }

  private static func little(_ bytes: ArraySlice<UInt8>) -> Int64 {
    bytes.reversed().reduce(0) { $0 << 8 | Int64($1) }
  }
}

private func == (bytes: some Sequence<UInt8>, word: String) -> Bool {
  bytes.elementsEqual(word.utf8)
}
