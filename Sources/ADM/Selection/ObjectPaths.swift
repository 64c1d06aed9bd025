// SPDX-License-Identifier: Apache-2.0

/// Finds the objects of a programme, and the ways that lead to them (BS.2127, 5.2.2).
struct ObjectPaths {
  /// A way from a content to an object.
  struct Path {
    /// `nil` when there is no programme.
    let content: AudioContent?
    /// Places of objects in the document, outermost first; never empty.
    let objects: [Int]
  }

  /// Ways of one document.
  private static let mostPaths = 65536
  /// Objects inside each other.
  private static let mostNesting = 32

  private let index: ElementIndex
  private let findings: FindingLog
  private var visited = 0
  /// All ways, in the order of the document.
  private(set) var paths: [Path] = []

  /// Finds the objects of `programme`; without one, all that aren't inside others.
  /// - Throws: ``ADMError`` of code `limit` or `reference`.
  init(
    _ programme: AudioProgramme?, _ index: ElementIndex, findings: FindingLog
  ) throws(ADMError) {
    self.index = index
    self.findings = findings
    let objects = index.document.objects
    if let programme {
      for id in programme.contents {
        let content = try index.content(id, of: programme.id)
        var seen: Set<Int> = []
        for object in content.objects {
          try walk([try index.object(object, of: content.id)], content, &seen)
        }
      }
    } else {
      var inner = Set<Int>()
      for object in objects {
        for id in object.objects { inner.insert(try index.object(id, of: object.id)) }
      }
      var seen: Set<Int> = []
      for place in objects.indices where !inner.contains(place) {
        try walk([place], nil, &seen)
      }
    }
  }

  /// Adds a way and all that go on from it. Cycles were refused before, and nesting is limited, so that
  /// recursion ends.
  private mutating func walk(
    _ path: [Int], _ content: AudioContent?, _ seen: inout Set<Int>
  ) throws(ADMError) {
    guard let last = path.last else { return }
    let object = index.document.objects[last]
    visited += 1
    // Ways are counted while they are walked: a few objects that each name the next one twice have
    // millions.
    guard visited <= ObjectPaths.mostPaths else {
      throw ADMError(
        .limit,
        "more than \(ObjectPaths.mostPaths) ways lead to objects, the last one to \(object.id)")
    }
    guard path.count <= ObjectPaths.mostNesting else {
      throw ADMError(
        .limit, "\(object.id) lies inside more than \(ObjectPaths.mostNesting) other objects")
    }
    if seen.insert(last).inserted {
      paths.append(Path(content: content, objects: path))
    } else {
      findings.note(
        .ignored, kind: "again",
        "the object \(object.id) is reached twice from one content; it is played once")
    }
    for id in object.objects {
      try walk(path + [try index.object(id, of: object.id)], content, &seen)
    }
  }
}

/// Groups of objects of which one is played (audioComplementaryObjectIDRef, BS.2127, 5.2.3).
struct ComplementGroups {
  /// Objects that aren't played, as places in the document.
  private(set) var silent: Set<Int> = []

  /// Chooses the objects of `wanted`, else the roots of their groups.
  /// - Throws: ``ADMError`` of code `request` for objects that are in no group, or twice in one.
  init(_ index: ElementIndex, wanted: [ElementID]) throws(ADMError) {
    var left = Set(wanted)
    for (place, root) in index.document.objects.enumerated() where !root.complements.isEmpty {
      var members = [place]
      for id in root.complements { members.append(try index.object(id, of: root.id)) }
      let chosen = members.filter { wanted.contains(index.document.objects[$0].id) }
      guard chosen.count <= 1 else {
        let ids = chosen.map { index.document.objects[$0].id.text }.joined(separator: " and ")
        throw ADMError(.request, "\(ids) replace each other; choose one of them")
      }
      let played = chosen.first ?? place
      silent.formUnion(members.filter { $0 != played })
      left.subtract(members.map { index.document.objects[$0].id })
    }
    if let id = left.min() {
      throw ADMError(.request, "\(id) was chosen, but no object names it as a complement")
    }
  }
}
