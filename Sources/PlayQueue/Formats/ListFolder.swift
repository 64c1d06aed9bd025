// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// The folder that a list lies in: the only place that its names may lead to.
///
/// Paths are relative to it, with `/` between folders. Links on the disk aren't seen here; who opens a
/// file keeps it inside the folder.
package struct ListFolder {
  /// The folder's absolute path, by which absolute names are recognised; `nil` refuses all of them.
  package let path: String?
  /// Whether there is a file at a path.
  package let exists: (String) -> Bool
  /// The names in a folder below; the folder itself is the empty path.
  package let list: (String) -> [String]

  /// A folder, seen through two questions.
  package init(
    path: String? = nil, exists: @escaping (String) -> Bool, list: @escaping (String) -> [String]
  ) {
    self.path = path
    self.exists = exists
    self.list = list
  }

  /// The path of a name in a list, without `.` and with `/` for `\`.
  /// - Throws: ``ListError`` for names that lead out of the folder, and for addresses on the network.
  package func inside(_ name: some StringProtocol, line: Int?) throws(ListError) -> String {
    // Bytes throughout: a slash with a combining mark is no slash to `Character`, but one to the system.
    var bytes = Array(name.utf8)[...]
    if let path, bytes.starts(with: (path + "/").utf8) {
      bytes = bytes.dropFirst(path.utf8.count + 1)
    }
    let relative = String(decoding: bytes, as: UTF8.self)
    try checkForm(relative, line: line)
    var parts: [String] = []
    for part in bytes.split(whereSeparator: { $0 == 0x2F || $0 == 0x5C }) where part != [0x2E] {
      guard part != [0x2E, 0x2E] else {
        throw outside(relative, "leads out of the list's folder", line)
      }
      parts.append(String(decoding: part, as: UTF8.self))
    }
    guard !parts.isEmpty else {
      throw ListError(.inputUnreadable, line: line, "names no file; write its name")
    }
    return parts.joined(separator: "/")
  }

  /// The path of an address: `file:` with percent-encoding, or a plain name.
  /// - Throws: ``ListError`` as ``inside(_:line:)`` does, and for other schemes.
  func inside(address: some StringProtocol, line: Int?) throws(ListError) -> String {
    guard let colon = address.firstIndex(of: ":"), ListFolder.hasScheme(address) else {
      return try inside(address, line: line)
    }
    guard address[..<colon].lowercased() == "file" else {
      throw ListError(
        .inputUnreadable, line: line,
        "\(ListWord.quoted(WebSecrets.hidden(reference: String(address)))) isn't a file; download it, and name the file"
      )
    }
    var rest = address[address.index(after: colon)...].utf8[...]
    if rest.starts(with: "//localhost/".utf8) {
      rest = rest.dropFirst(11)
    } else if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
    }
    guard let decoded = ListFolder.decoded(Array(rest)) else {
      throw ListError(
        .inputUnreadable, line: line,
        "\(ListWord.quoted(address)) isn't a valid address; write % as %25 and encode UTF-8")
    }
    return try inside(decoded, line: line)
  }

  /// The text that percent-encoded bytes stand for; `nil` for a broken code or invalid UTF-8.
  static func decoded(_ bytes: [UInt8]) -> String? {
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "%") {
        guard position + 2 < bytes.count, let high = hex(bytes[position + 1]),
          let low = hex(bytes[position + 2])
        else { return nil }
        result.append(high << 4 | low)
        position += 3
      } else {
        result.append(bytes[position])
        position += 1
      }
    }
    return String(validating: result, as: UTF8.self)
  }

  private static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }

  /// Whether an address begins with a scheme such as `file:`.
  static func hasScheme(_ address: some StringProtocol) -> Bool {
    address.firstIndex(of: ":").map { isScheme(address[..<$0]) } ?? false
  }

  /// RFC 3986, 3.1; one letter is a drive of Windows.
  private static func isScheme(_ text: some StringProtocol) -> Bool {
    guard text.utf8.count > 1, let first = text.unicodeScalars.first,
      first.isASCII, first.properties.isAlphabetic
    else { return false }
    return text.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || "0123456789+-.".unicodeScalars.contains($0))
    }
  }

  private func checkForm(_ name: String, line: Int?) throws(ListError) {
    let scalars = name.unicodeScalars
    guard !scalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
      throw ListError(
        .inputUnreadable, line: line,
        "the name \(ListWord.quoted(name)) contains a control character; correct it")
    }
    // After `file:` the drive stands behind a slash: /C:/Music.
    let drive = Array(scalars.drop { $0 == "/" || $0 == "\\" }.prefix(2))
    if drive.count == 2, drive[1] == ":", drive[0].isASCII, drive[0].properties.isAlphabetic {
      throw outside(name, "is a path of Windows", line)
    }
    if let first = scalars.first, first == "/" || first == "\\" {
      throw outside(name, "is an absolute path", line)
    }
  }

  private func outside(_ name: String, _ why: String, _ line: Int?) -> ListError {
    ListError(
      .inputUnreadable, line: line,
      "\(ListWord.quoted(name)) \(why); put the file into the list's folder and write its name there"
    )
  }
}

/// Finds the file that a list means: lists outlive the names of their files, most often because a `.wav`
/// became a `.flac`.
struct NameSearch {
  /// Extensions of files that may take another's place.
  private static let extensions: Set<String> = [
    "aif", "aiff", "ape", "flac", "m4a", "mka", "mp3", "mp4", "ogg", "opus", "tak", "tta", "w64",
    "wav", "wv",
  ]

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
    let (start, name) = PathParts.split(path)
    let parent = String(decoding: start.utf8.dropLast(), as: UTF8.self)
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
    return (start + found, note)
  }

  private static func stem(_ name: String) -> (name: Substring, suffix: String) {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name[...], "") }
    return (name[..<dot], String(name[name.index(after: dot)...]))
  }
}
