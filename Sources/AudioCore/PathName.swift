// SPDX-License-Identifier: Apache-2.0

/// The path or the name of a file as the kernel has it: bytes.
///
/// `String` takes "é" of one scalar and "é" of two for the same text, although files of both names can lie in one folder.
/// So names that are compared, sorted or looked up are compared as this.
package struct PathName: Hashable, Comparable, Sendable {
  /// The name as text.
  package let text: String

  /// The name `text`.
  package init(_ text: String) { self.text = text }

  package static func == (one: PathName, other: PathName) -> Bool {
    one.text.utf8.elementsEqual(other.text.utf8)
  }

  package static func < (one: PathName, other: PathName) -> Bool {
    one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension PathName: Codable {
  package init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// Paths or names of files, each once; see ``PathName``.
package struct PathSet: Sendable, Hashable {
  private var names: Set<PathName> = []

  /// The paths, each once.
  package init(_ paths: some Sequence<String>) { formUnion(paths) }

  /// How many paths there are.
  package var count: Int { names.count }

  /// Whether there is no path.
  package var isEmpty: Bool { names.isEmpty }

  /// Whether `path` is one of them, byte by byte.
  package func contains(_ path: String) -> Bool { names.contains(PathName(path)) }

  /// Adds `path`.
  /// - Returns: whether it wasn't there.
  @discardableResult
  package mutating func insert(_ path: String) -> Bool { names.insert(PathName(path)).inserted }

  /// Adds `paths`.
  package mutating func formUnion(_ paths: some Sequence<String>) {
    for path in paths { insert(path) }
  }

  /// All of both.
  package func union(_ paths: some Sequence<String>) -> PathSet {
    var all = self
    all.formUnion(paths)
    return all
  }

  /// The paths that aren't among `paths`.
  package func subtracting(_ paths: some Sequence<String>) -> PathSet {
    var rest = self
    for path in paths { rest.names.remove(PathName(path)) }
    return rest
  }

  /// The paths, sorted by their bytes.
  package func sorted() -> [String] { names.sorted().map(\.text) }
}

extension PathSet: Sequence {
  package func makeIterator() -> some IteratorProtocol<String> {
    names.lazy.map(\.text).makeIterator()
  }
}

extension PathSet: ExpressibleByArrayLiteral {
  package init(arrayLiteral paths: String...) { self.init(paths) }
}

extension PathSet: Codable {
  package init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([String].self))
  }

  /// Encodes a list of the paths, sorted by their bytes.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(sorted())
  }
}

extension Sequence<String> {
  /// Names of files, sorted by their bytes: the order of a folder's names is the same everywhere, and no two are equal.
  package func sortedAsNames() -> [String] {
    sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Whether a name of a file is there twice, byte by byte.
  package var hasTwinNames: Bool {
    var seen: PathSet = []
    return !allSatisfy { seen.insert($0) }
  }
}

/// Paths in taps that are written as text, `POINT:KIND=ARGUMENTS`.
package enum TapPaths {
  /// Kinds whose arguments begin with a path, and what may stand behind it.
  private static let ofFiles = [(kind: "eq", end: ""), (kind: "fir", end: ",align=")]
  /// Text before the path of a plugin's state.
  private static let state = ",state="

  /// The path in `text`; `nil` where there is none.
  package static func path(in text: String) -> String? { range(in: text).map { String(text[$0]) } }

  /// `text` with the path in it, if there is one, as `place` turns it.
  package static func placed(
    _ text: String, _ place: (String) throws -> String
  ) rethrows -> String {
    guard let range = range(in: text) else { return text }
    return text[..<range.lowerBound] + (try place(String(text[range]))) + text[range.upperBound...]
  }

  private static func range(in text: String) -> Range<String.Index>? {
    guard let sign = text.firstIndex(of: "=") else { return nil }
    let start = text.index(after: sign)
    let head = text[..<start]
    for (kind, end) in ofFiles where head.hasSuffix(":\(kind)=") {
      return start..<((end.isEmpty ? nil : text.ranges(of: end).last?.lowerBound) ?? text.endIndex)
    }
    guard head.hasSuffix(":lv2="), let mark = text.firstRange(of: state) else { return nil }
    return mark.upperBound..<(text[mark.upperBound...].firstIndex(of: ",") ?? text.endIndex)
  }
}
