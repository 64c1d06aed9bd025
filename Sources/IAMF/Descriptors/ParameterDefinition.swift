// SPDX-License-Identifier: Apache-2.0

/// How the blocks of a parameter are read and placed in time (`ParamDefinition`).
package struct ParameterDefinition: Equatable, Sendable {
  /// Its number, `parameter_id`.
  package var id: Int
  /// Ticks per second of its durations.
  package var rate: Int
  /// Durations of all blocks; `nil` where each block has its own.
  package var timing: BlockTiming?
}

extension ParameterDefinition {
  init(_ bits: inout BitReader) throws(IAMFError) {
    id = try bits.leb128()
    rate = try bits.leb128()
    let isTimedByBlocks = try bits.flag()
    try bits.skip(7)
    guard !isTimedByBlocks else { return }
    var timing = BlockTiming(
      duration: try bits.leb128(), constant: try bits.leb128(), listed: [])
    if timing.constant == 0 {
      for _ in 0..<(try bits.count(of: "subblocks")) { timing.listed.append(try bits.leb128()) }
    }
    self.timing = timing
  }

  /// Whether its blocks can be placed in time: the ticks of a frame of `samples` at `sampleRate` are a whole
  /// number above 0, and no duration is 0. A frame without a fixed length, 0 samples, fits any rate above 0.
  func fits(samples: Int, sampleRate: Int) -> Bool {
    guard rate > 0, timing?.isUsable != false else { return false }
    guard samples > 0 else { return true }
    return (rate * samples).isMultiple(of: sampleRate)
  }
}

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

/// Durations of a parameter block, in ticks.
package struct BlockTiming: Equatable, Sendable {
  /// Of the block.
  package var duration: Int
  /// Of every subblock but the last; 0 where they are listed.
  package var constant: Int
  /// Of each subblock, where they are listed.
  package var listed: [Int]

  /// Number of subblocks.
  package var count: Int {
    constant == 0 ? listed.count : (duration + constant - 1) / constant
  }

  /// Whether no duration is 0.
  var isUsable: Bool { duration > 0 && listed.allSatisfy { $0 > 0 } }

  /// The duration of subblock `index`; the last one is shorter where they don't divide.
  package func subblock(_ index: Int) -> Int {
    constant == 0 ? listed[index] : min(constant, duration - index * constant)
  }
}

/// A gain of an element or of a mix over time (`MixGainParamDefinition`).
package struct MixGainDefinition: Equatable, Sendable {
  /// How blocks are read.
  package var parameter: ParameterDefinition
  /// Gain in dB where no block says another.
  package var defaultGain: Double
}

extension MixGainDefinition {
  init(_ bits: inout BitReader) throws(IAMFError) {
    parameter = try ParameterDefinition(&bits)
    defaultGain = try bits.fixed()
  }
}

extension MixGainDefinition {
  /// Writes the definition (`MixGainParamDefinition`).
  func write(to bits: inout BitWriter) {
    parameter.write(to: &bits)
    bits.fixed(defaultGain)
  }
}

/// How channels were mixed down, over time (`DemixingParamDefinition`).
package struct DemixingDefinition: Equatable, Sendable {
  /// How blocks are read.
  package var parameter: ParameterDefinition
  /// `dmixp_mode` where no block says another, 0…7.
  package var defaultMode: Int
  /// Index of the weight w where no block says another, `default_w`, 0…15.
  package var defaultWeight: Int
}

extension DemixingDefinition {
  init(_ bits: inout BitReader) throws(IAMFError) {
    parameter = try ParameterDefinition(&bits)
    defaultMode = try bits.read(3)
    try bits.skip(5)
    defaultWeight = try bits.read(4)
    try bits.skip(4)
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

/// How the blocks of a parameter are read: its definition, and what its values are.
struct ParameterRule: Equatable, Sendable {
  /// The kind of a parameter's values.
  enum Kind: Equatable, Sendable {
    /// Gains in dB.
    case mixGain
    /// Demixing modes.
    case demixing
    /// Gains of demixed channels, for each layer whether it has them.
    case reconGain(layers: [Bool])
  }

  /// How blocks are placed in time.
  var definition: ParameterDefinition
  /// Kind of their values.
  var kind: Kind
}
