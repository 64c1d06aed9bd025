import AudioCore

/// Finds the file that a list means: lists outlive the names of their files, most often because a `.wav`
/// became a `.flac`.
struct NameSearch {
  /// Extensions of files that may take another's place.
  private static let extensions: Set<String> = [
    "aif", "aiff", "ape", "flac", "m4a", "mka", "mp3", "mp4", "ogg", "opus", "tak", "tta", "w64",
    "wav", "wv",
  ]

  /// The folder of the list.
  let folder: ListFolder

  /// Extensions of lists; a list may name itself, or two each other.
  private static let lists = [".m3u", ".m3u8", ".cue", ".pls", ".xspf", ".otio"]

  /// Whether `path` names a list by its extension.
  static func isList(_ path: String) -> Bool {
    lists.contains(where: path.lowercased().hasSuffix)
  }

  /// The path that is there, as ``find(_:line:)`` gives it, of a file that is no list.
  /// - Throws: ``ListError`` of kind `unsupportedFeature` for a list inside the list.
  func sound(_ path: String, line: Int?) throws(ListError) -> (path: String, note: ListNote?) {
    // Following none of them leaves nothing to bound.
    guard !NameSearch.isList(path) else {
      throw ListError(
        .unsupportedFeature, line: line,
        "\(ListWord.quoted(path)) is a list itself, and lists inside lists aren't followed; "
          + "write the names of its files")
    }
    return try find(path, line: line)
  }

  /// The path that is there, as ``sound(_:line:)`` gives it, of an address: `file:` or one that is relative.
  ///
  /// Programs disagree on percent-encoding of relative names, in every format. So both readings are tried, the format's own
  /// first, and a file that is there comes before one that would take its place.
  /// - Parameter isEncoded: Whether the format wants relative names with percent-encoding.
  /// - Throws: ``ListError`` of the format's own reading where neither is there, or where an encoded one leads out of the folder.
  func find(
    address: String, isEncoded: Bool, line: Int?
  ) throws(ListError) -> (path: String, note: ListNote?) {
    guard !ListFolder.hasScheme(address), let decoded = ListFolder.decoded(Array(address.utf8)),
      decoded != address
    else { return try sound(try folder.inside(address: address, line: line), line: line) }
    let names = isEncoded ? [decoded, address] : [address, decoded]
    // A format that wants the encoding means what it decodes to, wherever that leads.
    let decodedPath = isEncoded ? try folder.inside(decoded, line: line) : nil
    let own = decodedPath ?? (try? folder.inside(names[0], line: line))
    let other = try? folder.inside(names[1], line: line)
    for case let path? in [own, other] where folder.exists(path) {
      return try sound(path, line: line)
    }
    do throws(ListError) {
      return try sound(try folder.inside(names[0], line: line), line: line)
    } catch {
      guard let other, let found = try? sound(other, line: line) else { throw error }
      return found
    }
  }

  /// The path that is there: the path itself, else its name in other letter case, else the one sound
  /// file of the same stem.
  /// - Returns: The path, and a note when it is another one.
  /// - Throws: ``ListError`` of kind `inputMissing` when there is none, or more than one.
  func find(_ path: String, line: Int?) throws(ListError) -> (path: String, note: ListNote?) {
    if folder.exists(path) { return (path, nil) }
    let (parent, name) = NameSearch.split(path)
    // Sorted, so that the order of a folder can't decide anything.
    let names = folder.list(parent).sortedAsNames()
    let wanted = name.lowercased()
    var candidates = names.filter { $0.lowercased() == wanted }
    if candidates.isEmpty {
      let stem = NameSearch.stem(wanted).name
      candidates = names.filter {
        let (other, suffix) = NameSearch.stem($0.lowercased())
        return other == stem && NameSearch.extensions.contains(suffix)
      }
    }
    guard let found = candidates.first else {
      throw ListError(
        .inputMissing, line: line,
        "\(ListWord.quoted(path)) doesn't exist; put it beside the list, or correct the name")
    }
    guard candidates.count == 1 else {
      let some = candidates.prefix(3).map { ListWord.quoted($0) }.joined(separator: ", ")
      throw ListError(
        .inputMissing, line: line,
        "\(ListWord.quoted(path)) doesn't exist, and \(candidates.count) files could be meant "
          + "(\(some)); write the name of one")
    }
    let note = ListNote(
      .replacedName, line: line,
      "\(ListWord.quoted(path)) doesn't exist; \(ListWord.quoted(found)) takes its place")
    return (parent.isEmpty ? found : parent + "/" + found, note)
  }

  private static func split(_ path: String) -> (parent: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
    let name = path.utf8[path.utf8.index(after: slash)...]
    return (
      String(decoding: path.utf8[..<slash], as: UTF8.self), String(decoding: name, as: UTF8.self)
    )
  }

  private static func stem(_ name: String) -> (name: Substring, suffix: String) {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name[...], "") }
    return (name[..<dot], String(name[name.index(after: dot)...]))
  }
}
