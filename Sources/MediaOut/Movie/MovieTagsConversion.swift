import ISOBMFF

extension MovieTags {
  /// The tags of `tags` that a movie has a place for, and who made the file, e.g. `Pinna 1.0.0`.
  package init(_ tags: OutputTags, encoder: String) {
    self.init()
    title = tags.title
    artist = tags.artist
    album = tags.album
    date = tags.date
    genre = tags.genre
    comment = tags.comment
    copyright = tags.copyright
    // "3" or "3/12".
    let numbers = (tags.track ?? "").split(separator: "/").map { Int($0) }
    if let number = numbers.first ?? nil, (1...65_535).contains(number) {
      trackNumber = number
      if numbers.count > 1, let count = numbers[1], (1...65_535).contains(count) {
        trackCount = count
      }
    }
    self.encoder = encoder
  }
}
