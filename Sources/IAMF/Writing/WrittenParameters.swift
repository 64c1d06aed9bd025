extension ParameterDefinition {
  /// Writes the definition (`ParamDefinition`).
  func write(to bits: inout BitWriter) {
    bits.leb128(id)
    bits.leb128(rate)
    bits.write(timing == nil)
    bits.write(0, 7)
    guard let timing else { return }
    bits.leb128(timing.duration)
    bits.leb128(timing.constant)
    guard timing.constant == 0 else { return }
    bits.leb128(timing.listed.count)
    for duration in timing.listed { bits.leb128(duration) }
  }
}

extension MixGainDefinition {
  /// Writes the definition (`MixGainParamDefinition`).
  func write(to bits: inout BitWriter) {
    parameter.write(to: &bits)
    bits.fixed(defaultGain)
  }
}

extension DemixingDefinition {
  /// Writes the definition (`DemixingParamDefinition`).
  func write(to bits: inout BitWriter) {
    parameter.write(to: &bits)
    bits.write(defaultMode, 3)
    bits.write(0, 5)
    bits.write(defaultWeight, 4)
    bits.write(0, 4)
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
