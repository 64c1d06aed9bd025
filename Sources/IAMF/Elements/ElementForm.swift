/// What is made of an element of channels in layers.
package enum ElementForm: Hashable, Sendable {
  /// The channels of a layer, counted from 0, as they are.
  case layer(Int)
  /// The highest layer, mixed down to this layout with the factors of the element's demixing parameter.
  case downmix(LoudspeakerLayout)
}

extension PlayableElement {
  /// The form that the file has for loudspeakers of the layout `wanted` (3.6.2 and 7.2): a layer with just these, else
  /// its own downmix; `nil` where it has none, and the highest layer is rendered.
  ///
  /// Where the layout has no tops and the element does, its factors needn't be followed.
  /// - Parameter followsFactors: whether a downmix may be made.
  package func form(for wanted: LoudspeakerLayout, followsFactors: Bool) -> ElementForm? {
    guard let highest = layerLayouts.last else { return nil }
    if let layer = layerLayouts.firstIndex(of: wanted) { return .layer(layer) }
    guard followsFactors, element.demixing != nil, wanted != highest,
      LayerDownmixer.reaches(wanted, from: highest),
      wanted.counts.top > 0 || highest.counts.top == 0
    else { return nil }
    return .downmix(wanted)
  }

  /// The layouts of the layers that can be made, the lowest first; none of a sound field and of expanded layouts.
  package var layerLayouts: [LoudspeakerLayout] {
    guard case .channels(let layers) = element.content else { return [] }
    let layouts = layers.prefix(layerCount).compactMap(\.layout)
    return layouts.contains(.expanded) ? [] : layouts
  }
}
