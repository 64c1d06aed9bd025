/// Checks that the channels of a sound field fit together (BS.2127, 5.2.8).
enum SceneCheck {
  private struct Component: Hashable {
    let order: Int
    let degree: Int
  }

  /// Completes the details of each channel from its packs, and refuses what doesn't agree.
  /// - Returns: what holds for the whole field: normalisation, near-field distance, screen.
  /// - Throws: ``ADMError`` of code `value`.
  static func check(
    _ channels: [(packs: [AudioPackFormat], format: AudioChannelFormat)], owner: ElementID
  ) throws(ADMError) -> SceneDetails {
    var whole: SceneDetails?
    var seen: Set<Component> = []
    for (packs, format) in channels {
      guard format.blocks.count == 1, let block = format.blocks.first,
        let own = format.details(of: block).scene, let order = own.order, let degree = own.degree,
        abs(degree) <= order
      else {
        throw ADMError(
          .value, "\(format.id) needs exactly one block with an order and a degree in it")
      }
      guard seen.insert(Component(order: order, degree: degree)).inserted else {
        throw ADMError(
          .value, "\(owner) has the component of order \(order) and degree \(degree) twice")
      }
      let merged = try common([own] + packs.map(\.scene), owner)
      guard whole == nil || whole == merged else {
        throw ADMError(
          .value, "the channels of \(owner) differ in normalization, nfcRefDist or screenRef")
      }
      whole = merged
    }
    return whole ?? SceneDetails()
  }

  /// What the channel and its packs state alike.
  private static func common(
    _ stated: [SceneDetails], _ owner: ElementID
  ) throws(ADMError) -> SceneDetails {
    let normalizations = Set(stated.compactMap(\.normalization))
    let distances = Set(stated.compactMap(\.nearFieldDistance))
    let screens = Set(stated.compactMap(\.refersToScreen))
    guard max(normalizations.count, distances.count, screens.count) <= 1 else {
      throw ADMError(
        .value, "channels and packs of \(owner) differ in normalization, nfcRefDist or screenRef")
    }
    return SceneDetails(
      normalization: normalizations.first ?? .sn3d, nearFieldDistance: distances.first ?? 0,
      refersToScreen: screens.first ?? false)
  }
}
