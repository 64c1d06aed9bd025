/// Finds the objects that a listener names: by identifier, by the kind of their content or by name.
struct ObjectReference {
  private enum Form {
    case object(ElementID)
    case kind(String)
    case name(String)
  }

  private let form: Form
  private let index: ElementIndex

  /// The objects on `paths` that `text` stands for. An identifier counts before a kind, a kind before a name.
  /// - Throws: ``ADMError`` of code `request` when there are none.
  init(_ text: String, _ paths: [ObjectPaths.Path], _ index: ElementIndex) throws(ADMError) {
    self.index = index
    let objects = index.document.objects
    let places = paths.flatMap(\.objects)
    if let id = ElementID(text), places.contains(where: { objects[$0].id == id }) {
      form = .object(id)
    } else if paths.contains(where: { ObjectReference.words(of: $0).contains(text) }) {
      form = .kind(text)
    } else if !text.isEmpty, places.contains(where: { objects[$0].name == text }) {
      form = .name(text)
    } else {
      var known = TitleList()
      for place in paths.compactMap(\.objects.last) { known.add(objects[place].title) }
      throw ADMError(
        .request,
        "\"\(text.prefix(80))\" is no identifier, name or kind of an object that is played; there "
          + (paths.isEmpty ? "are none" : "are \(known.text)"))
    }
  }

  /// Where on `path` the outermost object lies that is meant; `nil` when none on it is.
  func place(on path: ObjectPaths.Path) -> Int? {
    let objects = index.document.objects
    switch form {
    case .object(let id): return path.objects.firstIndex { objects[$0].id == id }
    case .kind(let word): return ObjectReference.words(of: path).contains(word) ? 0 : nil
    case .name(let name): return path.objects.firstIndex { objects[$0].name == name }
    }
  }

  private static func words(of path: ObjectPaths.Path) -> [String] {
    path.content?.dialogue?.words ?? []
  }

}

extension AudioObject {
  /// What a message calls it, e.g. `"Voice" (AO_1001)`; its identifier alone where it has no name.
  var title: String { name.isEmpty ? id.text : "\"\(name.prefix(80))\" (\(id))" }
}

/// Names that a sentence lists.
struct TitleList {
  /// Names that are listed at most.
  private static let most = 8

  /// The names, each once, in the order in which they were added.
  private(set) var titles: [String] = []
  private var known: Set<String> = []

  /// Adds a name unless it is listed.
  mutating func add(_ title: String) {
    if known.insert(title).inserted { titles.append(title) }
  }

  /// The names in words, e.g. `"Voice", "Music" and 12 others`.
  var text: String {
    if titles.count <= 1 { return titles.first ?? "nothing" }
    let shown = titles.count <= TitleList.most ? titles.count - 1 : TitleList.most
    let rest = titles.count - shown
    return titles.prefix(shown).joined(separator: ", ") + " and "
      + (rest == 1 ? titles[shown] : "\(rest) others")
  }
}
