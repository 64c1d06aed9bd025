/// Descriptive tags of a file in order: names and values, of which a name may have several.
///
/// A name is kept as it was found. Names compare without regard to case, and all that ``TagName`` lists for one tag
/// are equal.
package struct MediaTags: Sendable, Equatable {
  /// A name and one value.
  package struct Entry: Sendable, Equatable {
    /// The name as it was found.
    package let name: String
    /// The value; never empty.
    package let value: String
    /// Key that names of one tag share.
    package let key: String

    fileprivate init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
      key = MediaTags.key(of: name)
    }

    /// The row of the tag; `nil` for one that ``TagName`` doesn't list.
    package var known: TagName? { TagName.named(name) }
  }

  /// Names and values in the order of the file.
  package private(set) var entries: [Entry] = []

  /// No tags.
  package init() {}

  /// Tags of these names and values; empty values are left out.
  package init(_ pairs: some Sequence<(String, String)>) {
    for (name, value) in pairs { append(name, value) }
  }

  /// Whether there are no tags.
  package var isEmpty: Bool { entries.isEmpty }

  /// The first value of a name. A new one takes the place of all values; `nil` removes them.
  package subscript(_ name: String) -> String? {
    get {
      let key = MediaTags.key(of: name)
      return entries.first { $0.key == key }?.value
    }
    set {
      let key = MediaTags.key(of: name)
      let place = entries.firstIndex { $0.key == key } ?? entries.count
      entries.removeAll { $0.key == key }
      guard let newValue, !newValue.isEmpty else { return }
      entries.insert(Entry(name, newValue), at: min(place, entries.count))
    }
  }

  /// All values of a name.
  package func values(_ name: String) -> [String] {
    let key = MediaTags.key(of: name)
    return entries.filter { $0.key == key }.map(\.value)
  }

  /// Adds a value; an empty one isn't added.
  package mutating func append(_ name: String, _ value: String) {
    if !value.isEmpty { entries.append(Entry(name, value)) }
  }

  /// Adds those tags of `others` of whose names there are none yet.
  package mutating func complete(with others: MediaTags) {
    let keys = Set(entries.map(\.key))
    entries += others.entries.filter { !keys.contains($0.key) }
  }

  /// Replaces the values of all names of `others`.
  package mutating func override(with others: [String: String]) {
    for (name, value) in others.sorted(by: { $0.key < $1.key }) { self[name] = value }
  }

  /// Removes what `isUnwanted` says; the names of it, each once.
  @discardableResult package mutating func remove(where isUnwanted: (Entry) -> Bool) -> [String] {
    let removed = entries.filter(isUnwanted)
    entries.removeAll(where: isUnwanted)
    return MediaTags.names(removed)
  }

  /// The names of all tags in lower case, each once.
  package var names: [String] { MediaTags.names(entries) }

  /// The tags by their names, in the order in which the names come first: name as found first, and all values.
  package var grouped: [(first: Entry, values: [String])] {
    // A hostile file may have one name a hundred thousand times.
    var places: [String: (place: Int, known: Set<String>)] = [:]
    var groups: [(first: Entry, values: [String])] = []
    for entry in entries {
      if let place = places[entry.key]?.place {
        let isNew = places[entry.key]?.known.insert(entry.value).inserted ?? false
        if isNew { groups[place].values.append(entry.value) }
      } else {
        places[entry.key] = (groups.count, [entry.value])
        groups.append((entry, [entry.value]))
      }
    }
    return groups
  }

  private static func names(_ entries: [Entry]) -> [String] {
    var seen: Set<String> = []
    return entries.map { $0.name.lowercased() }.filter { seen.insert($0).inserted }
  }

  private static func key(of name: String) -> String {
    TagName.named(name)?.name ?? name.lowercased()
  }
}
