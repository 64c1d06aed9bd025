/// Values of a parameter for a stretch of time (`Parameter Block OBU`).
package struct ParameterBlock: Equatable, Sendable {
  /// How a gain moves during a subblock; values in dB.
  package enum Animation: Equatable, Sendable {
    /// It stays.
    case step(Double)
    /// It moves evenly.
    case linear(start: Double, end: Double)
    /// It follows a quadratic Bézier curve; `time` is the place of the control point in 1/256 of the subblock.
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

  /// What a subblock holds.
  package enum Value: Equatable, Sendable {
    /// A gain.
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
    /// What holds for it.
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

extension BlockTiming {
  /// The durations in front of a block's subblocks, without those of listed ones.
  fileprivate init(block bits: inout BitReader) throws(IAMFError) {
    duration = try bits.leb128()
    constant = try bits.leb128()
    listed = []
    guard duration > 0 else { throw .malformed("a parameter block of no duration") }
  }
}
