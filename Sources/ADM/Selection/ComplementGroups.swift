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
