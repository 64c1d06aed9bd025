/// Finds elements that contain each other.
enum CycleCheck {
  /// Walks a graph depth first, without recursion.
  /// - Returns: the places on the first cycle, the first one repeated at the end; `nil` when there is
  ///   none.
  static func cycle(in children: [[Int]]) -> [Int]? {
    /// 0 unseen, 1 on the path, 2 done.
    var states = [UInt8](repeating: 0, count: children.count)
    var path: [(node: Int, next: Int)] = []
    for start in children.indices where states[start] == 0 {
      path = [(start, 0)]
      states[start] = 1
      while let top = path.last {
        guard top.next < children[top.node].count else {
          states[top.node] = 2
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let child = children[top.node][top.next]
        if states[child] == 1 {
          let first = path.firstIndex { $0.node == child } ?? 0
          return path[first...].map(\.node) + [child]
        }
        if states[child] == 0 {
          states[child] = 1
          path.append((child, 0))
        }
      }
    }
    return nil
  }

  /// Refuses objects and packs that contain each other.
  /// - Throws: ``ADMError`` naming the cycle.
  static func check(_ index: ElementIndex) throws(ADMError) {
    let objects = index.document.objects
    let packs = index.document.packs
    if let cycle = cycle(in: objects.map { $0.objects.compactMap(index.objectPlace) }) {
      throw failure(cycle.map { objects[$0].id })
    }
    if let cycle = cycle(in: packs.map { $0.packs.compactMap(index.packPlace) }) {
      throw failure(cycle.map { packs[$0].id })
    }
  }

  private static func failure(_ ids: [ElementID]) -> ADMError {
    let shown =
      ids.count > 9
      ? ids.prefix(4).map(\.text) + ["…"] + ids.suffix(4).map(\.text) : ids.map(\.text)
    return ADMError(.cycle, "these contain each other: \(shown.joined(separator: " → "))")
  }
}
