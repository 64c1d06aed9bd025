import AudioCore

/// Mixes an element's highest layer down to a layout, with the factors that each unit states.
final class FactorDownmixer {
  /// The channels, in the order of IAMF.
  let channels: [ElementChannel]
  private let highest: ChannelReconstructor
  private let made: AudioBuffer
  private let mixer: LayerDownmixer
  private let definition: DemixingDefinition?
  private var factors: DemixingTrack

  /// A downmixer of `element`, whose highest layer `plan` makes; `nil` where the layout can't be reached.
  init?(_ element: PlayableElement, _ plan: ChannelPlan, to layout: LoudspeakerLayout) {
    guard let source = element.layerLayouts.last,
      let mixer = try? LayerDownmixer(from: source, to: layout)
    else { return nil }
    self.mixer = mixer
    channels = layout.channels
    highest = ChannelReconstructor(element, plan, layer: element.layerCount - 1)
    made = AudioBuffer(
      channels: plan.channels.count, capacity: element.codec.samplesPerFrame)
    definition = element.element.demixing
    factors = DemixingTrack(definition)
  }

  /// Appends the channels of a unit to `output`.
  /// - Parameter decoded: planes of all decoded channels, as many samples as the unit has.
  func reconstruct(_ decoded: AudioBuffer, _ unit: TemporalUnit, into output: AudioBuffer) {
    made.removeAll()
    highest.reconstruct(decoded, unit, into: made)
    let mode = definition.flatMap { unit.demixingMode($0.parameter.id) }
    guard let values = factors.next(mode) else { return output.appendSilence(made.frames) }
    mixer.mix(made, range: 0..<made.frames, values, into: output)
  }
}
