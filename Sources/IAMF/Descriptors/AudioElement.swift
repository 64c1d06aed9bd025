/// An element: substreams that together make channels, a sound field or objects (`Audio Element OBU`).
package struct AudioElement: Equatable, Sendable {
  /// What the substreams make.
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
  /// Its parameters.
  package var parameters: [Parameter]
  /// What the substreams make.
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
