import AudioCore

/// Makes the channels of one layer's layout from decoded channels, frame by frame.
final class ChannelReconstructor {
  private let plan: ChannelPlan
  /// The layer, counted from 0, whose recon gains count.
  private let layer: Int
  private let element: AudioElement
  private var demixing: DemixingTrack
  private let smoother: ReconGainSmoother?
  /// For each plane the one of ``made`` that holds it; −1 for a decoded channel as it is.
  private let places: [Int]
  /// Scaled decoded channels and demixed ones.
  private let made: AudioBuffer

  /// A reconstructor of the layer `layer` of `element`, which has the plan `plan`.
  init(_ element: PlayableElement, _ plan: ChannelPlan, layer: Int) {
    self.plan = plan
    self.layer = layer
    self.element = element.element
    demixing = DemixingTrack(element.element.demixing)
    smoother =
      plan.repairs.isEmpty
      ? nil : ReconGainSmoother(element.codec, channels: plan.repairs.count)
    var places = Array(repeating: -1, count: plan.planeCount)
    for (index, gain) in plan.gains.enumerated() { places[gain.plane] = index }
    for (index, step) in plan.steps.enumerated() { places[step.output] = plan.gains.count + index }
    self.places = places
    made = AudioBuffer(
      channels: plan.gains.count + plan.steps.count, capacity: element.codec.samplesPerFrame)
  }

  /// Appends the channels of a unit to `output`.
  /// - Parameter decoded: planes of all decoded channels, as many samples as the unit has.
  func reconstruct(_ decoded: AudioBuffer, _ unit: TemporalUnit, into output: AudioBuffer) {
    let count = decoded.frames
    made.removeAll()
    made.grow(by: count)
    for gain in plan.gains {
      let (source, scaled) = (decoded.channel(gain.plane), plane(gain.plane, decoded))
      for index in 0..<count { scaled[index] = source[index] * gain.gain }
    }
    let mode = element.demixing.flatMap { unit.demixingMode($0.parameter.id) }
    if let values = demixing.next(mode) {
      for step in plan.steps { run(step, values, decoded) }
    }
    let start = output.grow(by: count)
    for (channel, source) in plan.outputs.enumerated() {
      let line = UnsafeMutableBufferPointer(rebasing: output.channel(channel)[start...])
      _ = line.update(fromContentsOf: plane(source, decoded))
    }
    repair(unit, output, start)
  }

  /// The samples of a plane.
  private func plane(_ index: Int, _ decoded: AudioBuffer) -> UnsafeMutableBufferPointer<Float> {
    places[index] < 0 ? decoded.channel(index) : made.channel(places[index])
  }

  private func run(_ step: DemixStep, _ values: DemixingValues, _ decoded: AudioBuffer) {
    let weights = step.weights(values)
    let first = plane(step.sources[0], decoded)
    let second = plane(step.sources[1], decoded)
    let result = plane(step.output, decoded)
    guard step.sources.count > 2 else {
      for index in result.indices {
        result[index] = Float(weights.0 * Double(first[index]) + weights.1 * Double(second[index]))
      }
      return
    }
    let third = plane(step.sources[2], decoded)
    for index in result.indices {
      result[index] = Float(
        weights.0 * Double(first[index]) + weights.1 * Double(second[index])
          + weights.2 * Double(third[index]))
    }
  }

  private func repair(_ unit: TemporalUnit, _ output: AudioBuffer, _ start: Int) {
    guard let smoother, let definition = element.reconGain else { return }
    let gains = unit.reconGains(definition.id, layer: layer)
    for (index, repair) in plan.repairs.enumerated() {
      let samples = UnsafeMutableBufferPointer(
        rebasing: output.channel(repair.output)[start...])
      smoother.apply(gains?.gain(repair.bit), to: samples, channel: index)
    }
  }
}

extension TemporalUnit {
  /// The demixing mode of the first block of parameter `id`; `nil` without one.
  func demixingMode(_ id: Int) -> Int? {
    for block in blocks where block.id == id {
      if case .demixing(let mode) = block.subblocks.first?.value { return mode }
    }
    return nil
  }

  /// The recon gains of the layer `layer` in the first block of parameter `id`; `nil` without them.
  func reconGains(_ id: Int, layer: Int) -> ParameterBlock.LayerGains? {
    for block in blocks where block.id == id {
      if case .reconGain(let layers) = block.subblocks.first?.value {
        return layer < layers.count ? layers[layer] : nil
      }
    }
    return nil
  }
}
