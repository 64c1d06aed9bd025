/// Finds the packs of tracks of which only `chna` speaks (BS.2127, 5.2.4).
struct TablePacks {
  /// Channels of all packs together.
  private static let mostChannels = 1 << 20

  /// The packs that the tracks fill, each as often as its channels recur.
  /// - Throws: ``ADMError`` of code `tracks` for tracks without a pack.
  static func packs(_ tracks: [TrackIndex.Entry], _ index: ElementIndex) throws(ADMError)
    -> [ElementID]
  {
    var order: [ElementID] = []
    /// Tracks of each channel, by pack.
    var counts: [ElementID: [ElementID: Int]] = [:]
    for track in tracks {
      guard let pack = track.pack else {
        throw ADMError(
          .tracks, "the audioTrackUID \(track.uid) names no pack, and no object does either")
      }
      if counts[pack] == nil { order.append(pack) }
      counts[pack, default: [:]][track.channel, default: 0] += 1
    }
    // The packs of higher orders of a sound field hold those of lower orders; the outermost one counts.
    var inner = Set<ElementID>()
    var channels = 0
    for id in order {
      let leaves = try PackTree(id, of: id, index).leaves
      channels += leaves.count
      guard channels <= mostChannels else {
        throw ADMError(.limit, "the packs that chna names have more than \(mostChannels) channels")
      }
      for leaf in leaves {
        inner.formUnion(leaf.packs.dropFirst().filter { counts[$0] != nil })
      }
    }
    return order.filter { !inner.contains($0) }.flatMap { id in
      [ElementID](repeating: id, count: counts[id]?.values.max() ?? 1)
    }
  }
}
