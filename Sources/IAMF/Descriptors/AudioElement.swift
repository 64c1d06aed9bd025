// SPDX-License-Identifier: Apache-2.0
import Signal

/// An element: substreams that together make channels, a sound field or objects (`Audio Element OBU`).
package struct AudioElement: Equatable, Sendable {
  /// The product of an element's substreams.
  package enum Content: Equatable, Sendable {
    /// Channels, in layers that add to each other.
    case channels([ChannelLayer])
    /// A sound field.
    case scene(AmbisonicsConfig)
    /// Objects (draft of version 2) or what is reserved; can't be played. The bytes are its settings.
    case other([UInt8])
  }

  /// A parameter of the element.
  package enum Parameter: Equatable, Sendable {
    /// How channels were mixed down.
    case demixing(DemixingDefinition)
    /// Gains that repair the levels of demixed channels.
    case reconGain(ParameterDefinition)
    /// A type that nobody knows, with its bytes.
    case other(type: Int, [UInt8])
  }

  /// Numbers of parameters, `param_definition_type`.
  enum ParameterType {
    static let mixGain = 0
    static let demixing = 1
    static let reconGain = 2
  }

  /// Most substreams: six layers whose numbers have eight bits.
  private static let mostSubstreams = ChannelLayer.mostLayers * 255
  /// Parameters that are kept; known types of elements have no more than two.
  private static let mostParameters = 16

  /// Its number, `audio_element_id`.
  package var id: Int
  /// `audio_element_type`: 0 channels, 1 sound field, others reserved or of the draft of version 2.
  package var type: Int
  /// The ``CodecConfig`` of all its substreams.
  package var codecConfigID: Int
  /// Its substreams, those with two channels first in each layer.
  package var substreamIDs: [Int]
  package var parameters: [Parameter]
  /// Product of the substreams.
  package var content: Content
}

extension AudioElement {
  /// An element from its payload.
  /// - Throws: ``IAMFError`` where it ends early or contradicts itself.
  init(_ bits: inout BitReader) throws(IAMFError) {
    id = try bits.leb128()
    type = try bits.read(3)
    try bits.skip(5)
    codecConfigID = try bits.leb128()
    substreamIDs = []
    let count = try bits.count(of: "substreams")
    guard (1...AudioElement.mostSubstreams).contains(count) else {
      throw .malformed("an element of \(count) substreams")
    }
    for _ in 0..<count { substreamIDs.append(try bits.leb128()) }
    parameters = []
    for _ in 0..<(try bits.count(of: "parameters")) {
      let parameter = try AudioElement.parameter(&bits)
      if parameters.count < AudioElement.mostParameters { parameters.append(parameter) }
    }
    switch type {
    case 0: content = .channels(try AudioElement.layers(&bits))
    case 1: content = .scene(try AmbisonicsConfig(&bits))
    default: content = .other(try bits.sizedBytes())
    }
  }

  private static func parameter(_ bits: inout BitReader) throws(IAMFError) -> Parameter {
    let type = try bits.leb128()
    switch type {
    case ParameterType.demixing: return .demixing(try DemixingDefinition(&bits))
    case ParameterType.reconGain: return .reconGain(try ParameterDefinition(&bits))
    case ParameterType.mixGain: throw .malformed("a mix gain in an element")
    default: return .other(type: type, try bits.sizedBytes())
    }
  }

  private static func layers(_ bits: inout BitReader) throws(IAMFError) -> [ChannelLayer] {
    let count = try bits.read(3)
    try bits.skip(5)
    guard (1...ChannelLayer.mostLayers).contains(count) else {
      throw .malformed("an element of \(count) layers")
    }
    var layers: [ChannelLayer] = []
    for index in 0..<count { layers.append(try ChannelLayer(&bits, isFirst: index == 0)) }
    return layers
  }

  /// Its demixing parameter; the first of several.
  package var demixing: DemixingDefinition? {
    for case .demixing(let definition) in parameters { return definition }
    return nil
  }

  /// Its recon gain parameter; the first of several.
  package var reconGain: ParameterDefinition? {
    for case .reconGain(let definition) in parameters { return definition }
    return nil
  }
}

extension AudioElement {
  /// Writes the element (`Audio Element OBU`).
  func write(to bits: inout BitWriter) {
    bits.leb128(id)
    bits.write(type, 3)
    bits.write(0, 5)
    bits.leb128(codecConfigID)
    bits.leb128(substreamIDs.count)
    for id in substreamIDs { bits.leb128(id) }
    bits.leb128(parameters.count)
    for parameter in parameters { parameter.write(to: &bits) }
    switch content {
    case .channels(let layers):
      bits.write(layers.count, 3)
      bits.write(0, 5)
      for layer in layers { layer.write(to: &bits) }
    case .scene(let config): config.write(to: &bits)
    case .other(let bytes): bits.sized(bytes)
    }
  }
}

extension AudioElement.Parameter {
  /// Writes the parameter's type and its definition.
  func write(to bits: inout BitWriter) {
    switch self {
    case .demixing(let definition):
      bits.leb128(AudioElement.ParameterType.demixing)
      definition.write(to: &bits)
    case .reconGain(let definition):
      bits.leb128(AudioElement.ParameterType.reconGain)
      definition.write(to: &bits)
    case .other(let type, let bytes):
      bits.leb128(type)
      bits.sized(bytes)
    }
  }
}

/// A layer of an element of channels: what it adds to the layers below it (`ChannelAudioLayerConfig`).
package struct ChannelLayer: Equatable, Sendable {
  /// A gain that restores the level of channels that were attenuated before coding.
  package struct OutputGain: Equatable, Sendable {
    /// Channels of the layer that it counts for, from the most significant of six bits on: L, R, Ls, Rs, Ltf,
    /// Rtf.
    package var flags: Int
    /// The gain in dB.
    package var gain: Double

    /// Factor by which a reader multiplies these channels.
    var amplitude: Float { Float(Decibels.amplitude(gain)) }
  }

  /// Most layers of an element.
  static let mostLayers = 6

  /// Its number, `loudspeaker_layout`.
  package var layoutNumber: Int
  /// The gain of some of its channels.
  package var outputGain: OutputGain?
  /// Whether recon gain blocks have values for it.
  package var hasReconGain: Bool
  /// Substreams of one or two channels, at least 1.
  package var substreamCount: Int
  /// Substreams of two channels, which come first.
  package var coupledCount: Int
  /// `expanded_loudspeaker_layout`, of a first layer whose layout is the expanded one.
  package var expandedNumber: Int?
}

extension ChannelLayer {
  init(_ bits: inout BitReader, isFirst: Bool) throws(IAMFError) {
    layoutNumber = try bits.read(4)
    let hasOutputGain = try bits.flag()
    hasReconGain = try bits.flag()
    try bits.skip(2)
    substreamCount = try bits.read(8)
    coupledCount = try bits.read(8)
    guard substreamCount > 0, coupledCount <= substreamCount else {
      throw .malformed("\(coupledCount) coupled of \(substreamCount) substreams")
    }
    if hasOutputGain {
      let flags = try bits.read(6)
      try bits.skip(2)
      outputGain = OutputGain(flags: flags, gain: try bits.fixed())
    }
    if isFirst, layout == .expanded { expandedNumber = try bits.read(8) }
  }

  /// Its layout; `nil` for a reserved number.
  package var layout: LoudspeakerLayout? { LoudspeakerLayout(rawValue: layoutNumber) }

  /// The part of a larger layout that it has; `nil` of other layouts and for a reserved number.
  package var expanded: ExpandedLayout? { expandedNumber.flatMap(ExpandedLayout.init) }

  /// Channels of each of its substreams.
  var substreamChannels: [Int] {
    (0..<substreamCount).map { $0 < coupledCount ? 2 : 1 }
  }
}

extension ChannelLayer {
  /// Writes the layer (`ChannelAudioLayerConfig`).
  func write(to bits: inout BitWriter) {
    bits.write(layoutNumber, 4)
    bits.write(outputGain != nil)
    bits.write(hasReconGain)
    bits.write(0, 2)
    bits.write(substreamCount, 8)
    bits.write(coupledCount, 8)
    if let outputGain {
      bits.write(outputGain.flags, 6)
      bits.write(0, 2)
      bits.fixed(outputGain.gain)
    }
    if let expandedNumber { bits.write(expandedNumber, 8) }
  }
}

/// How substreams make a sound field in ACN order and SN3D normalization (`AmbisonicsConfig`).
package struct AmbisonicsConfig: Equatable, Sendable {
  /// How the field's channels are made of the decoded ones.
  package enum Mapping: Equatable, Sendable {
    /// For each channel of the field the index of its substream, or ``silent``.
    case mono([Int])
    /// Weights in 1/32768: for each decoded channel those of all channels of the field.
    case projection(coupledCount: Int, matrix: [Int16])
  }

  /// The index that stands for a silent channel.
  package static let silent = 255
  private static let highestOrder = 14

  /// Channels of the field, (order + 1)².
  package var channelCount: Int
  /// Substreams, of one channel but for the coupled ones.
  package var substreamCount: Int
  /// How the channels are made.
  package var mapping: Mapping
}

extension AmbisonicsConfig {
  init(_ bits: inout BitReader) throws(IAMFError) {
    let mode = try bits.leb128()
    guard mode <= 1 else { throw .unsupported("ambisonics_mode \(mode)") }
    channelCount = try bits.read(8)
    substreamCount = try bits.read(8)
    if mode == 0 {
      guard channelCount <= bits.bytesLeft else { throw .malformed("a channel mapping") }
      mapping = .mono(try bits.bytes(channelCount).map(Int.init))
    } else {
      let coupled = try bits.read(8)
      let count = (substreamCount + coupled) * channelCount
      guard 2 * count <= bits.bytesLeft else { throw .malformed("a demixing matrix") }
      var matrix: [Int16] = []
      for _ in 0..<count { matrix.append(Int16(truncatingIfNeeded: try bits.read(16))) }
      mapping = .projection(coupledCount: coupled, matrix: matrix)
    }
    try check()
  }

  private func check() throws(IAMFError) {
    guard
      (0...AmbisonicsConfig.highestOrder).contains(where: { ($0 + 1) * ($0 + 1) == channelCount })
    else { throw .malformed("a sound field of \(channelCount) channels") }
    guard substreamCount > 0 else { throw .malformed("a sound field without substreams") }
    switch mapping {
    case .mono(let indices):
      guard indices.allSatisfy({ $0 < substreamCount || $0 == AmbisonicsConfig.silent }) else {
        throw .malformed("a channel of a substream that isn't there")
      }
    case .projection(let coupled, _):
      guard coupled <= substreamCount else {
        throw .malformed("\(coupled) coupled of \(substreamCount) substreams")
      }
    }
  }

  package var substreamChannels: [Int] {
    var coupled = 0
    if case .projection(let count, _) = mapping { coupled = count }
    return (0..<substreamCount).map { $0 < coupled ? 2 : 1 }
  }
}

extension AmbisonicsConfig {
  /// Writes how substreams make the field (`AmbisonicsConfig`).
  func write(to bits: inout BitWriter) {
    switch mapping {
    case .mono(let indices):
      bits.leb128(0)
      bits.write(channelCount, 8)
      bits.write(substreamCount, 8)
      for index in indices { bits.write(index, 8) }
    case .projection(let coupled, let matrix):
      bits.leb128(1)
      bits.write(channelCount, 8)
      bits.write(substreamCount, 8)
      bits.write(coupled, 8)
      for weight in matrix { bits.write(Int(weight) & 0xFFFF, 16) }
    }
  }
}
