// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

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

/// How the channels of one layer's layout come from the decoded ones.
///
/// Planes are numbered: first the decoded channels of all substreams up to the layer in their order, then
/// those that demixing makes.
struct ChannelPlan: Equatable, Sendable {
  /// A gain of a decoded plane.
  struct PlaneGain: Equatable, Sendable {
    var plane: Int
    var gain: Float
  }

  /// A channel of the layout whose level recon gain repairs.
  struct Repair: Equatable, Sendable {
    /// Its bit in recon gain flags.
    var bit: Int
    /// Its place in the layout.
    var output: Int
  }

  /// The channels, in the order of IAMF.
  var channels: [ElementChannel]
  /// Decoded channels that are needed; those of higher layers aren't.
  var decodedCount: Int
  /// Gains of decoded planes.
  var gains: [PlaneGain] = []
  /// Steps of demixing, in their order.
  var steps: [DemixStep] = []
  /// The plane of each channel.
  var outputs: [Int]
  /// Demixed channels that recon gain may repair.
  var repairs: [Repair] = []

  /// Planes in all.
  var planeCount: Int { decodedCount + steps.count }
  /// Whether a step depends on demixing parameters.
  var needsParameters: Bool { steps.contains { $0.kind.needsParameters } }

  /// The plan of channels that are coded by themselves.
  init(_ channels: [ElementChannel]) {
    self.channels = channels
    let decoded = ElementChannel.substreams(of: channels).flatMap { $0 }
    decodedCount = decoded.count
    outputs = channels.compactMap(decoded.firstIndex)
  }

  /// The plan of the last of `layers`, whose layouts grow from one to the next.
  /// - Parameter hasGains: whether output gains count; they mean nothing in an element of one layer.
  init(_ layers: [(layer: ChannelLayer, layout: LoudspeakerLayout)], hasGains: Bool) {
    var planes: [CodedChannel] = []
    var below: LoudspeakerLayout?
    for (layer, layout) in layers {
      let added = CodedChannel.substreams(layout, above: below).flatMap { $0 }
      if hasGains, let output = layer.outputGain {
        let gain = output.amplitude
        for (index, channel) in added.enumerated() {
          guard let bit = channel.outputGainBit, output.flags >> bit & 1 == 1 else { continue }
          gains.append(PlaneGain(plane: planes.count + index, gain: gain))
        }
      }
      planes += added
      below = layout
    }
    let layout = below ?? .mono
    decodedCount = planes.count
    channels = layout.channels
    outputs = []
    addSteps(layout, &planes)
    outputs = channels.map { channel in
      CodedChannel.version(of: channel, in: layout).flatMap(planes.firstIndex) ?? 0
    }
    repairs = outputs.indices.compactMap { index in
      guard outputs[index] >= decodedCount, let bit = ReconGainBits.bit(of: channels[index])
      else { return nil }
      return Repair(bit: bit, output: index)
    }
  }

  /// Adds the steps that make what `layout` has and no layer codes.
  private mutating func addSteps(_ layout: LoudspeakerLayout, _ planes: inout [CodedChannel]) {
    let (surround, _, top) = layout.counts
    if surround >= 2 { add(.right, .r2, [.mono, .l2], &planes) }
    for isRight in [false, true] {
      let side = { (channel: CodedChannel) in channel.side(isRight) }
      if surround >= 3 { add(.withoutCenter, side(.l3), [side(.l2), .c], &planes) }
      if surround >= 5 { add(.surround, side(.ls5), [side(.l3), side(.l5)], &planes) }
      if surround >= 7 { add(.rear, side(.lrs), [side(.ls5), side(.lss)], &planes) }
      if surround >= 5 {
        add(.topFront, side(.ltf2), [side(.ltf3), side(.l3), side(.l5)], &planes)
      }
      if top == 4 { add(.topBack, side(.ltb), [side(.ltf2), side(.ltf4)], &planes) }
    }
  }

  /// Adds a step unless a layer codes its result or its sources aren't there.
  private mutating func add(
    _ kind: DemixStep.Kind, _ output: CodedChannel, _ sources: [CodedChannel],
    _ planes: inout [CodedChannel]
  ) {
    let indices = sources.compactMap(planes.firstIndex)
    guard !planes.contains(output), indices.count == sources.count else { return }
    steps.append(DemixStep(kind: kind, output: planes.count, sources: indices))
    planes.append(output)
  }
}

/// A step of demixing: one channel from two or three others.
struct DemixStep: Equatable, Sendable {
  /// The formula of a step.
  enum Kind: Equatable, Sendable {
    /// R2 = 2·mono − L2.
    case right
    /// L3 = L2 − 0.707·C.
    case withoutCenter
    /// Ls5 = (L3 − L5) / δ.
    case surround
    /// Lrs = (Ls5 − α·Lss) / β.
    case rear
    /// Ltf2 = Ltf3 − w·(L3 − L5).
    case topFront
    /// Ltb = (Ltf2 − Ltf4) / γ.
    case topBack

    /// Whether it depends on demixing parameters.
    var needsParameters: Bool { self != .right && self != .withoutCenter }
  }

  /// The gain of the centre in both front channels; exactly this, not √½.
  static let centerGain = 0.707

  /// Formula of the step.
  var kind: Kind
  /// Plane of the result.
  var output: Int
  /// Planes of the two or three sources, in the order of the formula.
  var sources: [Int]

  /// The weights of the sources; the third is 0 where there are two.
  func weights(_ values: DemixingValues) -> (Double, Double, Double) {
    switch kind {
    case .right: return (2, -1, 0)
    case .withoutCenter: return (1, -DemixStep.centerGain, 0)
    case .surround: return (1 / values.delta, -1 / values.delta, 0)
    case .rear: return (1 / values.beta, -values.alpha / values.beta, 0)
    case .topFront: return (1, -values.weight, values.weight)
    case .topBack: return (1 / values.gamma, -1 / values.gamma, 0)
    }
  }
}

/// Repairs the levels of demixed channels, which coding noise of their sources has changed.
final class ReconGainSmoother {
  /// Weight of a frame's gain in its average with those before, 2 / (N + 1) for N = 7.
  private static let share = 0.25

  private let averages: Buffer<Double>
  /// Whether a channel has ever had a gain; it isn't touched before.
  private let isActive: Buffer<Bool>
  /// Samples in which a frame's average takes over from the last one.
  private let overlap: Int
  /// The weight of the frame's average in these samples.
  private let rise: Buffer<Double>
  /// The weight of the last average.
  private let fall: Buffer<Double>

  /// A smoother of `channels` channels; `nil` for codecs that need none.
  init?(_ codec: CodecConfig, channels: Int) {
    let length: Int
    switch codec.decoder {
    case .opus: length = 60
    case .aac: length = 64
    case .flac, .lpcm, .unknown: return nil
    }
    overlap = min(length, codec.samplesPerFrame)
    averages = Buffer(1, count: channels)
    isActive = Buffer(false, count: channels)
    let count = overlap
    let window = (0..<2 * count).map {
      0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(2 * count - 1))
    }
    rise = Buffer(Array(window[..<count]), or: 1)
    fall = Buffer(Array(window[count...]), or: 0)
  }

  /// Repairs the samples of channel `index` in one frame.
  /// - Parameter gain: the frame's; `nil` without one, which counts as 1 once there has been one.
  func apply(_ gain: Double?, to samples: UnsafeMutableBufferPointer<Float>, channel index: Int) {
    guard gain != nil || isActive.base[index] else { return }
    isActive.base[index] = true
    let last = averages.base[index]
    let average = ReconGainSmoother.share * (gain ?? 1) + (1 - ReconGainSmoother.share) * last
    averages.base[index] = average
    let border = min(overlap, samples.count)
    for place in 0..<border {
      let factor = last * fall.base[place] + average * rise.base[place]
      samples[place] = Float(Double(samples[place]) * factor)
    }
    let factor = Float(average)
    for place in border..<samples.count { samples[place] *= factor }
  }
}
