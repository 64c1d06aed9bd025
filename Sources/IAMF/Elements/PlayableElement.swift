// SPDX-License-Identifier: Apache-2.0

/// An element that can be played, with what its parts mean.
package struct PlayableElement: Sendable {
  /// The product of an element's decoded channels.
  enum Content: Sendable {
    /// Channels: the plan of each layer that can be played, the lowest first.
    case channels([ChannelPlan])
    /// A sound field.
    case scene(AmbisonicsConfig)
  }

  /// Most decoded channels of an element and of a mix (Base-Enhanced profile).
  package static let mostChannels = 28

  /// The element as the file describes it.
  package let element: AudioElement
  /// How its substreams are coded.
  package let codec: CodecConfig
  /// Channels of each substream, 1 or 2.
  package let substreamChannels: [Int]
  /// Product of the decoded channels.
  let content: Content
  /// Why upper layers are left out; `nil` where all are played.
  package let layerLimit: IAMFError?

  package var decodedCount: Int { substreamChannels.reduce(0, +) }

  /// An element whose codec is `codec`.
  /// - Throws: ``IAMFError`` where it can't be played.
  init(_ element: AudioElement, _ codec: CodecConfig?) throws(IAMFError) {
    guard let codec else { throw .malformed("a codec that the file doesn't describe") }
    guard codec.decoder != .unknown else { throw .unsupported("codec \(codec.codecID)") }
    self.element = element
    self.codec = codec
    switch element.content {
    case .channels(let layers):
      substreamChannels = layers.flatMap(\.substreamChannels)
      let plans = try PlayableElement.plans(layers, hasDemixing: element.demixing != nil)
      content = .channels(plans.plans)
      layerLimit = plans.limit
    case .scene(let config):
      substreamChannels = config.substreamChannels
      content = .scene(config)
      layerLimit = nil
    case .other:
      throw .unsupported("an element of type \(element.type)")
    }
    guard substreamChannels.count == element.substreamIDs.count else {
      throw .malformed(
        "\(element.substreamIDs.count) substreams where its parts have \(substreamChannels.count)")
    }
    guard decodedCount <= PlayableElement.mostChannels else {
      throw .unsupported("an element of \(decodedCount) coded channels")
    }
  }

  /// The plans of all layers that can be played, and why there aren't more.
  private static func plans(
    _ layers: [ChannelLayer], hasDemixing: Bool
  ) throws(IAMFError) -> (plans: [ChannelPlan], limit: IAMFError?) {
    guard let first = layers.first, let base = first.layout else {
      throw .unsupported("loudspeaker_layout \(layers.first?.layoutNumber ?? -1)")
    }
    if base == .expanded {
      guard let expanded = first.expanded else {
        throw .unsupported("expanded_loudspeaker_layout \(first.expandedNumber ?? -1)")
      }
      try check(first, ElementChannel.substreams(of: expanded.channels).map(\.count))
      return ([ChannelPlan(expanded.channels)], limit(above: base, layers))
    }
    try check(first, CodedChannel.substreams(base, above: nil).map(\.count))
    var known = [(layer: first, layout: base)]
    let hasGains = layers.count > 1
    var plans = [ChannelPlan(known, hasGains: hasGains)]
    if let limit = limit(above: base, layers) { return (plans, limit) }
    for layer in layers.dropFirst() {
      let below = known[known.count - 1].layout
      guard let layout = layer.layout, layout.isScalable else {
        return (plans, .unsupported("loudspeaker_layout \(layer.layoutNumber) in an upper layer"))
      }
      guard layout.grows(from: below) else {
        return (plans, .malformed("a layer that doesn't add to the one below it"))
      }
      try check(layer, CodedChannel.substreams(layout, above: below).map(\.count))
      known.append((layer, layout))
      let plan = ChannelPlan(known, hasGains: hasGains)
      guard hasDemixing || !plan.needsParameters else {
        return (plans, .malformed("a layer that needs demixing parameters, without them"))
      }
      plans.append(plan)
    }
    return (plans, nil)
  }

  /// Why no layer may stand above the layout `base`; `nil` where one may, and where none does.
  private static func limit(above base: LoudspeakerLayout, _ layers: [ChannelLayer]) -> IAMFError? {
    base.isScalable || layers.count == 1 ? nil : .malformed("layers above a layout that has none")
  }

  private static func check(
    _ layer: ChannelLayer, _ substreams: [Int]
  ) throws(IAMFError) {
    guard layer.substreamChannels == substreams else {
      throw .malformed(
        "\(layer.coupledCount) coupled of \(layer.substreamCount) substreams, which isn't what "
          + "loudspeaker_layout \(layer.layoutNumber) has")
    }
  }
}

extension LoudspeakerLayout {
  /// Whether it has nothing less than `below` and something more.
  func grows(from below: LoudspeakerLayout) -> Bool {
    let (old, new) = (below.counts, counts)
    return new.surround >= old.surround && new.lfe >= old.lfe && new.top >= old.top && new != old
  }
}
