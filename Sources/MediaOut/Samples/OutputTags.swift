/// Descriptive tags carried into the output, where its format has a place for them.
public struct OutputTags: Sendable, Equatable {
  /// Title.
  public var title: String?
  /// Artist.
  public var artist: String?
  /// Album.
  public var album: String?
  /// Comment.
  public var comment: String?
  /// Copyright.
  public var copyright: String?
  /// Date or year.
  public var date: String?
  /// Genre.
  public var genre: String?
  /// Track number.
  public var track: String?

  /// Longest tag that libsndfile writes whole beside others, in UTF-8 bytes.
  public static let longest = 16_384

  /// No tags.
  public init() {}

  /// Cuts tags longer than ``longest``; answers the names of those that were.
  public mutating func cutToFit() -> [String] {
    var cut: [String] = []
    func fit(_ name: String, _ value: String?) -> String? {
      guard let value, value.utf8.count > OutputTags.longest else { return value }
      cut.append(name)
      return String(decoding: value.utf8.prefix(OutputTags.longest), as: UTF8.self)
    }
    title = fit("title", title)
    artist = fit("artist", artist)
    album = fit("album", album)
    comment = fit("comment", comment)
    copyright = fit("copyright", copyright)
    return cut
  }
}
