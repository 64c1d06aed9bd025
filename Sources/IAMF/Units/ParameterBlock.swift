// SPDX-License-Identifier: Apache-2.0

/// Values of a parameter for a stretch of time (`Parameter Block OBU`).
package struct ParameterBlock: Equatable, Sendable {
  /// How a gain moves during a subblock; values in dB.
  package enum Animation: Equatable, Sendable {
    /// The value stays.
    case step(Double)
    /// The value moves evenly.
    case linear(start: Double, end: Double)
    /// The value follows a quadratic Bézier curve; `time` is the place of the control point in 1/256 of the subblock.
    case bezier(start: Double, end: Double, control: Double, time: Int)
  }

  /// Recon gains of one layer.
  package struct LayerGains: Equatable, Sendable {
    /// Channels that have one, ``ReconGainBits``.
    package var flags: Int
    /// The gains of these channels in 1/255, in the order of their bits.
    package var gains: [UInt8]

    /// The gain of the channel with the bit `bit`; `nil` where it has none.
    func gain(_ bit: Int) -> Double? {
      guard flags >> bit & 1 == 1 else { return nil }
      let place = (flags & (1 << bit - 1)).nonzeroBitCount
      return Double(gains[place]) / 255
    }
  }

  /// The value of a subblock.
  package enum Value: Equatable, Sendable {
    case mixGain(Animation)
    /// `dmixp_mode`, 0…7.
    case demixing(mode: Int)
    /// Gains of demixed channels; `nil` for layers without them.
    case reconGain([LayerGains?])
  }

  /// A part of the block.
  package struct Subblock: Equatable, Sendable {
    /// Its length in ticks.
    package var duration: Int
    /// Value of the part.
    package var value: Value
  }

  /// The parameter's number.
  package var id: Int
  /// Ticks per second.
  package var rate: Int
  /// The durations that the block itself has; `nil` where the definition has them.
  package var timing: BlockTiming?
  /// Its parts, one behind the other.
  package var subblocks: [Subblock]
}

extension ParameterBlock {
  /// The number of the parameter whose block `bits` hold; moves behind it.
  static func readID(_ bits: inout BitReader) throws(IAMFError) -> Int { try bits.leb128() }

  /// A block whose number has been read.
  /// - Throws: ``IAMFError`` where it ends early, its durations make no sense or its animation isn't known.
  init(_ bits: inout BitReader, _ rule: ParameterRule) throws(IAMFError) {
    id = rule.definition.id
    rate = rule.definition.rate
    var durations = rule.definition.timing
    if durations == nil {
      let own = try BlockTiming(block: &bits)
      timing = own
      durations = own
    }
    subblocks = []
    guard var durations else { return }
    let count = timing == nil || durations.constant > 0 ? durations.count : try bits.leb128()
    // A subblock of recon gains may take no byte at all.
    guard count <= max(bits.bytesLeft, 1) else {
      throw .malformed("\(count) subblocks in \(bits.bytesLeft) bytes")
    }
    for index in 0..<count {
      if timing != nil, durations.constant == 0 { durations.listed.append(try bits.leb128()) }
      let duration = durations.subblock(index)
      guard duration > 0 else { throw .malformed("a subblock of no duration") }
      let value = try ParameterBlock.value(&bits, rule.kind)
      subblocks.append(Subblock(duration: duration, value: value))
    }
    if timing != nil { timing = durations }
  }

  private static func value(
    _ bits: inout BitReader, _ kind: ParameterRule.Kind
  ) throws(IAMFError) -> Value {
    switch kind {
    case .mixGain:
      return .mixGain(try animation(&bits))
    case .demixing:
      let mode = try bits.read(3)
      try bits.skip(5)
      return .demixing(mode: mode)
    case .reconGain(let layers):
      var all: [LayerGains?] = []
      for hasGains in layers { all.append(hasGains ? try layerGains(&bits) : nil) }
      return .reconGain(all)
    }
  }

  private static func animation(_ bits: inout BitReader) throws(IAMFError) -> Animation {
    let type = try bits.leb128()
    guard type <= 2 else { throw .unsupported("animation_type \(type)") }
    let start = try bits.fixed()
    if type == 0 { return .step(start) }
    let end = try bits.fixed()
    if type == 1 { return .linear(start: start, end: end) }
    return .bezier(
      start: start, end: end, control: try bits.fixed(), time: try bits.read(8))
  }

  private static func layerGains(_ bits: inout BitReader) throws(IAMFError) -> LayerGains {
    let flags = try bits.leb128()
    guard flags < 1 << ReconGainBits.count else {
      throw .malformed("recon_gain_flags \(flags)")
    }
    return LayerGains(flags: flags, gains: try bits.bytes(flags.nonzeroBitCount))
  }
}

extension ParameterBlock {
  /// Writes the block (`Parameter Block OBU`).
  func write(to bits: inout BitWriter) {
    bits.leb128(id)
    let isListed = timing?.constant == 0
    if let timing {
      bits.leb128(timing.duration)
      bits.leb128(timing.constant)
      if isListed { bits.leb128(subblocks.count) }
    }
    for subblock in subblocks {
      if isListed { bits.leb128(subblock.duration) }
      subblock.value.write(to: &bits)
    }
  }
}

extension ParameterBlock.Value {
  /// Writes the value of a subblock.
  func write(to bits: inout BitWriter) {
    switch self {
    case .mixGain(let animation): animation.write(to: &bits)
    case .demixing(let mode):
      bits.write(mode, 3)
      bits.write(0, 5)
    case .reconGain(let layers):
      for layer in layers.compactMap({ $0 }) {
        // As a number in base 128 the flags have 7 bits in one byte, or 12 in two.
        bits.leb128(layer.flags)
        bits.write(layer.gains)
      }
    }
  }
}

extension ParameterBlock.Animation {
  /// Writes how a gain moves.
  func write(to bits: inout BitWriter) {
    switch self {
    case .step(let gain):
      bits.leb128(0)
      bits.fixed(gain)
    case .linear(let start, let end):
      bits.leb128(1)
      bits.fixed(start)
      bits.fixed(end)
    case .bezier(let start, let end, let control, let time):
      bits.leb128(2)
      bits.fixed(start)
      bits.fixed(end)
      bits.fixed(control)
      bits.write(time, 8)
    }
  }
}

extension BlockTiming {
  /// The durations in front of a block's subblocks, without those of listed ones.
  fileprivate init(block bits: inout BitReader) throws(IAMFError) {
    duration = try bits.leb128()
    constant = try bits.leb128()
    listed = []
    guard duration > 0 else { throw .malformed("a parameter block of no duration") }
  }
}

/// The factors that channels were mixed down with.
package struct DemixingValues: Equatable, Sendable {
  /// `dmixp_mode`, 0…2 or 4…6; the upper ones have the factors of the lower ones.
  package let mode: Int
  /// Index of the weight w, 0…10.
  package let weightIndex: Int
  /// Sides in the surrounds of five channels, α.
  package let alpha: Double
  /// Rears in the surrounds of five channels, β.
  package let beta: Double
  /// Back tops in two tops, γ.
  package let gamma: Double
  /// Surrounds in left and right, δ.
  package let delta: Double
  /// Surrounds in the tops of 3.1.2, w.
  package let weight: Double

  /// The largest index of a weight.
  package static let lastWeight = weights.count - 1
  private static let weights = [
    0, 0.0179, 0.0391, 0.0658, 0.1038, 0.25, 0.3962, 0.4342, 0.4609, 0.4821, 0.5,
  ]

  /// The values of a mode (`dmixp_mode`) with the weight of index `weight`, 0…10; `nil` of reserved modes.
  package init?(mode: Int, weight: Int) {
    guard DemixingValues.weights.indices.contains(weight) else { return nil }
    self.mode = mode
    weightIndex = weight
    switch mode & 3 {
    case 0: (alpha, beta, gamma, delta) = (1, 1, 0.707, 0.707)
    case 1: (alpha, beta, gamma, delta) = (0.707, 0.707, 0.707, 0.707)
    case 2: (alpha, beta, gamma, delta) = (1, 0.866, 0.866, 0.866)
    default: return nil
    }
    self.weight = DemixingValues.weights[weight]
  }

  /// By how much a block with a mode changes the weight's index.
  static func weightStep(_ mode: Int) -> Int { mode >= 4 ? 1 : -1 }
}

/// Follows the demixing values from unit to unit.
struct DemixingTrack {
  private let definition: DemixingDefinition?
  /// The last mode that isn't reserved.
  private var mode: Int
  /// Index of the weight; `nil` before the first block.
  private var weight: Int?

  /// The values of an element with the parameter `definition`.
  init(_ definition: DemixingDefinition?) {
    self.definition = definition
    let mode = definition?.defaultMode ?? 0
    self.mode = DemixingValues(mode: mode, weight: 0) == nil ? 0 : mode
  }

  /// The values of the next unit. They don't glide from one unit to the next.
  /// - Parameter sent: the mode of the unit's block; `nil` without one: the defaults hold, and the weight
  ///   stays what it was for the next block.
  mutating func next(_ sent: Int?) -> DemixingValues? {
    guard let sent else {
      let index = min(definition?.defaultWeight ?? 0, DemixingValues.lastWeight)
      return DemixingValues(mode: definition?.defaultMode ?? 0, weight: index)
        ?? DemixingValues(mode: mode, weight: index)
    }
    // A reserved mode leaves the last one.
    if DemixingValues(mode: sent, weight: 0) != nil { mode = sent }
    // The first block's weight has index 0, whatever its mode.
    let next = weight.map {
      min(max($0 + DemixingValues.weightStep(mode), 0), DemixingValues.lastWeight)
    }
    weight = next ?? 0
    return DemixingValues(mode: mode, weight: next ?? 0)
  }
}

/// The bits of `recon_gain_flags`.
enum ReconGainBits {
  /// Bits that mean a channel.
  static let count = 12

  /// The bit of a channel of a layout up to 7.1.4; `nil` of others. Surrounds of five channels share those of
  /// the sides, and rear tops those of the back tops.
  static func bit(of channel: ElementChannel) -> Int? {
    switch channel {
    case .l: return 0
    case .c: return 1
    case .r: return 2
    case .ls, .lss: return 3
    case .rs, .rss: return 4
    case .ltf: return 5
    case .rtf: return 6
    case .lrs: return 7
    case .rrs: return 8
    case .ltb, .ltr: return 9
    case .rtb, .rtr: return 10
    case .lfe: return 11
    default: return nil
    }
  }
}
