/// The channels of a pack and of the packs inside it.
struct PackTree {
  /// A channel with the way to it.
  struct Leaf: Sendable {
    /// Outermost pack first.
    let packs: [ElementID]
    let channel: ElementID
  }

  /// Channels of one pack.
  private static let mostChannels = 65536
  /// Packs inside each other.
  private static let mostNesting = 32

  /// Channels in the order of the document, a pack's own ones before those of packs inside it.
  private(set) var leaves: [Leaf] = []
  private var visited = 0
  private var seen: Set<ElementID> = []

  /// The tree below `root`, which `owner` refers to.
  /// - Throws: ``ADMError`` for channels that are reached twice, for too many, and for what isn't there.
  init(_ root: ElementID, of owner: ElementID, _ index: ElementIndex) throws(ADMError) {
    try walk(try index.pack(root, of: owner), [root], index)
  }

  private mutating func walk(
    _ pack: AudioPackFormat, _ path: [ElementID], _ index: ElementIndex
  ) throws(ADMError) {
    visited += 1
    // Common definitions that the document replaces may make cycles that the check of the document's
    // own packs doesn't see; they end here.
    guard path.count <= PackTree.mostNesting, visited <= PackTree.mostChannels else {
      throw ADMError(.limit, "\(pack.id) lies inside too many other packs")
    }
    for id in pack.channels {
      _ = try index.channel(id, of: pack.id)
      guard seen.insert(id).inserted else {
        throw ADMError(.reference, "\(path.first ?? pack.id) reaches the channel \(id) on two ways")
      }
      leaves.append(Leaf(packs: path, channel: id))
      guard leaves.count <= PackTree.mostChannels else {
        throw ADMError(
          .limit, "\(path.first ?? pack.id) has more than \(PackTree.mostChannels) channels")
      }
    }
    for id in pack.packs { try walk(try index.pack(id, of: pack.id), path + [id], index) }
  }
}
