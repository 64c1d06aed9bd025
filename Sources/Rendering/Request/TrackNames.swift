/// File names for the tracks of a queue.
public enum TrackNames {
  /// Bytes of a title that a name keeps; file systems allow 255 for the whole name.
  private static let longest = 180

  /// The names of the files of `titles` in `folder`, which ends in a slash: number, title and extension.
  public static func names(_ titles: [String], in folder: String, fileExtension: String) -> [String]
  {
    let digits = max(2, "\(titles.count)".utf8.count)
    return titles.enumerated().map { index, title in
      let number = "\(index + 1)"
      let padded = String(repeating: "0", count: max(0, digits - number.utf8.count)) + number
      let text = plain(title)
      return folder + padded + (text.isEmpty ? "" : " " + text) + "." + fileExtension
    }
  }

  /// A title without what file systems don't take: slashes and backslashes, colons, control characters, and what
  /// is too long.
  static func plain(_ title: String) -> String {
    var kept = ""
    for scalar in title.unicodeScalars {
      let isOdd =
        scalar.properties.generalCategory == .control
        || "/\\:*?\"<>|".unicodeScalars.contains(scalar)
      let next = isOdd ? "_" : String(scalar)
      guard kept.utf8.count + next.utf8.count <= longest else { break }
      kept += next
    }
    while kept.unicodeScalars.first == " " { kept.unicodeScalars.removeFirst() }
    while let last = kept.unicodeScalars.last, last == " " || last == "." {
      kept.unicodeScalars.removeLast()
    }
    return kept
  }
}
