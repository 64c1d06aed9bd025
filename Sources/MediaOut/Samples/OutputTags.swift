/// Descriptive tags carried into the output, where its format has a place for them.
package struct OutputTags: Sendable, Equatable {
  /// Title.
  package var title: String?
  /// Artist.
  package var artist: String?
  /// Album.
  package var album: String?
  /// Comment.
  package var comment: String?
  /// Copyright.
  package var copyright: String?
  /// Date or year.
  package var date: String?
  /// Genre.
  package var genre: String?
  /// Track number.
  package var track: String?

  /// Longest tag that libsndfile writes whole beside others, in UTF-8 bytes.
  package static let longest = 16_384

  /// No tags.
  package init() {}

  /// Cuts tags longer than ``longest``; returns the names of those that were cut.
  package mutating func cutToFit() -> [String] {
    var cut: [String] = []
    func fit(_ name: String, _ value: String?) -> String? {
      guard let value, value.utf8.count > OutputTags.longest else { return value }
      cut.append(name)
      // A cut inside a character moves in front of it.
      let cuts = stride(from: OutputTags.longest, to: 0, by: -1).lazy
      return cuts.compactMap { String(value.utf8.prefix($0)) }.first
    }
    title = fit("title", title)
    artist = fit("artist", artist)
    album = fit("album", album)
    comment = fit("comment", comment)
    copyright = fit("copyright", copyright)
    return cut
  }
}
