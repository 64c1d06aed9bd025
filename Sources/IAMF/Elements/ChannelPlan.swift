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
