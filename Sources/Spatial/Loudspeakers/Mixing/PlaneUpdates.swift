import AudioCore

/// The updates of a block, plane by plane.
struct PlaneUpdates {
  private let updates: [ObjectUpdate]
  /// Numbers of the updates by plane, then in their own order.
  private var order: [Int]
  /// For each plane the first of `order`, and the end behind the last plane.
  private var first: [Int]

  /// The updates of `block`.
  init(_ block: ProgrammeBlock) {
    updates = block.updates
    first = [Int](repeating: 0, count: block.audio.channels + 1)
    for update in updates { first[update.plane + 1] += 1 }
    for plane in 0..<block.audio.channels { first[plane + 1] += first[plane] }
    order = [Int](repeating: 0, count: updates.count)
    var next = first
    for (number, update) in updates.enumerated() {
      order[next[update.plane]] = number
      next[update.plane] += 1
    }
  }

  /// Update `number` of a plane, from 0; `nil` behind the last one.
  func update(_ number: Int, of plane: Int) -> ObjectUpdate? {
    let place = first[plane] + number
    return place < first[plane + 1] ? updates[order[place]] : nil
  }
}
