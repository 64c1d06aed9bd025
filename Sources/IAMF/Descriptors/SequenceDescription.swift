// SPDX-License-Identifier: Apache-2.0

/// The contents of a sequence: its descriptors, and which of them can be used.
package struct SequenceDescription: Sendable {
  /// A descriptor that isn't used.
  package struct Ignored: Equatable, Sendable {
    package var kind: OBU.Kind
    /// Its number; `nil` where it can't be read.
    package var id: Int?
    /// Why.
    package var error: IAMFError
  }

  /// The place of a substream.
  package struct Substream: Equatable, Sendable {
    /// The element's number.
    package var element: Int
    /// Its place among the element's substreams.
    package var index: Int
    /// Its channels, 1 or 2.
    package var channels: Int
  }

  package let header: SequenceHeader
  /// All configurations of codecs that can be read.
  package let codecConfigs: [CodecConfig]
  /// All elements that can be read.
  package let elements: [AudioElement]
  /// All mixes that can be read.
  package let mixes: [MixPresentation]
  /// Elements that can be played, by their numbers.
  package private(set) var playableElements: [Int: PlayableElement] = [:]
  /// Mixes that can be played, at least one.
  package private(set) var playableMixes: [PlayableMix] = []
  /// Substreams of elements that can be played, by their numbers.
  package private(set) var substreams: [Int: Substream] = [:]
  /// Substreams that a mix that can be played needs.
  package private(set) var neededSubstreams: [Int] = []
  /// Descriptors that aren't used, and layers that are left out.
  package private(set) var ignored: [Ignored] = []
  /// Units of reserved types among the descriptors.
  package let reservedUnits: Int
  /// How blocks of parameters are read.
  private(set) var parameters: [Int: ParameterRule] = [:]

  /// The description that `set` gives.
  /// - Throws: ``IAMFError`` where no mix can be played.
  init(_ set: DescriptorSet) throws(IAMFError) {
    header = set.header
    codecConfigs = set.codecConfigs
    elements = set.elements
    mixes = set.mixes
    reservedUnits = set.reservedUnits
    ignored = set.dropped.map { Ignored(kind: $0.kind, id: nil, error: $0.error) }
    for element in elements { addElement(element) }
    let mostParts = header.knownProfiles.map(\.mostSubMixes).max() ?? 1
    for mix in mixes { addMix(mix, mostParts) }
    if mixes.isEmpty, playableElements.count == 1, let only = playableElements.values.first {
      playableMixes = [PlayableMix(only: only)]
    }
    guard !playableMixes.isEmpty else { throw refusal }
    var needed = Set<Int>()
    neededSubstreams = playableMixes.flatMap(substreams(of:)).filter { needed.insert($0).inserted }
  }

  /// The description in the bytes of a configuration box (`configOBUs`).
  /// - Throws: ``IAMFError`` where no mix can be played, or a unit leaves the bytes.
  package init(configOBUs: [UInt8]) throws(IAMFError) {
    let set = try configOBUs.withUnsafeBufferPointer {
      (bytes) throws(IAMFError) -> DescriptorSet in
      var bits = BitReader(bytes)
      var set = try DescriptorSet(try OBU(&bits), bytes)
      while bits.remaining > 0 { try set.add(try OBU(&bits), bytes) }
      return set
    }
    try self.init(set)
  }

  /// The substreams of a mix's elements, in the order of the mix.
  package func substreams(of mix: PlayableMix) -> [Int] {
    mix.elements.flatMap { playableElements[$0.id]?.element.substreamIDs ?? [] }
  }

  /// Why no mix can be played: what is wrong with the first one, or with the first element.
  private var refusal: IAMFError {
    let kinds: [OBU.Kind] = [.codecConfig, .audioElement, .mixPresentation]
    let causes = kinds.compactMap { kind in ignored.first { $0.kind == kind } }
    guard let cause = causes.first else { return .malformed("no mix, and not exactly one element") }
    let reason = "\(cause.error.reason); no mix can be played"
    if case .unsupported = cause.error { return .unsupported(reason) }
    return .malformed(reason)
  }

  private mutating func addElement(_ element: AudioElement) {
    do throws(IAMFError) {
      let codec = codecConfigs.first { $0.id == element.codecConfigID }
      let playable = try PlayableElement(element, codec)
      guard Set(element.substreamIDs).count == element.substreamIDs.count,
        element.substreamIDs.allSatisfy({ substreams[$0] == nil })
      else { throw .malformed("a substream that belongs to two elements") }
      for (index, id) in element.substreamIDs.enumerated() {
        substreams[id] = Substream(
          element: element.id, index: index, channels: playable.substreamChannels[index])
      }
      playableElements[element.id] = playable
      if let limit = playable.layerLimit {
        ignored.append(Ignored(kind: .audioElement, id: element.id, error: limit))
      }
      addParameters(of: element, playable.codec)
    } catch {
      ignored.append(Ignored(kind: .audioElement, id: element.id, error: error))
    }
  }

  /// Adds the rules of an element's parameters. One whose number has another meaning keeps its defaults.
  private mutating func addParameters(of element: AudioElement, _ codec: CodecConfig) {
    var rules: [ParameterRule] = []
    if let demixing = element.demixing {
      rules.append(ParameterRule(definition: demixing.parameter, kind: .demixing))
    }
    if let definition = element.reconGain, case .channels(let layers) = element.content {
      rules.append(
        ParameterRule(
          definition: definition, kind: .reconGain(layers: layers.map(\.hasReconGain))))
    }
    for rule in rules {
      if !add(rule, codec.samplesPerFrame, codec.sampleRate ?? 0) {
        let reason = IAMFError.malformed("parameter \(rule.definition.id), which has two meanings")
        ignored.append(Ignored(kind: .audioElement, id: element.id, error: reason))
      }
    }
  }

  private mutating func addMix(_ presentation: MixPresentation, _ mostParts: Int) {
    do throws(IAMFError) {
      let mix = try PlayableMix(presentation, playableElements, mostParts: mostParts)
      let definitions = presentation.subMixes.flatMap { subMix in
        subMix.elements.map(\.gain.parameter) + [subMix.outputGain.parameter]
      }
      let before = parameters
      for definition in definitions {
        let rule = ParameterRule(definition: definition, kind: .mixGain)
        guard add(rule, mix.samplesPerFrame, mix.sampleRate) else {
          parameters = before
          throw .malformed("parameter \(definition.id), which has two meanings")
        }
      }
      playableMixes.append(mix)
    } catch {
      ignored.append(Ignored(kind: .mixPresentation, id: presentation.id, error: error))
    }
  }

  /// Adds a rule unless its blocks can't be placed in time: defaults hold then.
  /// - Returns: whether no other rule has the same number.
  private mutating func add(_ rule: ParameterRule, _ samples: Int, _ sampleRate: Int) -> Bool {
    if let known = parameters[rule.definition.id] { return known == rule }
    if rule.definition.fits(samples: samples, sampleRate: sampleRate) {
      parameters[rule.definition.id] = rule
    } else {
      ignored.append(
        Ignored(
          kind: .parameterBlock, id: rule.definition.id,
          error: .malformed("durations that don't fit the frames")))
    }
    return true
  }
}

extension SequenceDescription {
  /// The value of the `codecs` parameter (6.4), such as `iamf.000.000.Opus`: both profiles in three digits, and the
  /// codec of the elements that can be played.
  package var codecsText: String {
    func digits(_ number: Int) -> String {
      String(repeating: "0", count: max(0, 3 - String(number).count)) + String(number)
    }
    let first = elements.lazy.compactMap { self.playableElements[$0.id] }.first
    let codec = first?.codec.codecID ?? ""
    return "iamf.\(digits(header.primaryProfile)).\(digits(header.additionalProfile))."
      + (codec == "mp4a" ? "mp4a.40.2" : codec)
  }
}

/// The header that begins a sequence (`IA Sequence Header OBU`).
package struct SequenceHeader: Equatable, Sendable {
  /// Required value of `ia_code`: "iamf".
  static let code: [UInt8] = [0x69, 0x61, 0x6D, 0x66]

  /// Profile that a decoder needs for at least one mix.
  package var primaryProfile: Int
  /// Profile that a decoder needs for all mixes.
  package var additionalProfile: Int
}

extension SequenceHeader {
  /// A header from its payload.
  /// - Throws: ``IAMFError/malformed(_:)`` for another `ia_code`.
  init(_ bits: inout BitReader) throws(IAMFError) {
    guard try bits.bytes(4) == SequenceHeader.code else { throw .malformed("another ia_code") }
    primaryProfile = try bits.read(8)
    additionalProfile = try bits.read(8)
  }

  /// The profiles that are known, of the two that it names.
  package var knownProfiles: [Profile] {
    [primaryProfile, additionalProfile].compactMap(Profile.init)
  }
}

extension SequenceHeader {
  /// Writes the header (`IA Sequence Header OBU`).
  func write(to bits: inout BitWriter) {
    bits.write(SequenceHeader.code)
    bits.write(primaryProfile, 8)
    bits.write(additionalProfile, 8)
  }
}

/// A profile: what a decoder promises to play.
package enum Profile: Int, Sendable {
  /// One element of up to 16 channels.
  case simple = 0
  /// Two elements, 18 channels.
  case base = 1
  /// 28 elements, 28 channels, expanded layouts (version 1.1).
  case baseEnhanced = 2
  /// The first one with objects (draft of version 2).
  case baseAdvanced = 3
  /// Limits of ``baseAdvanced`` (draft of version 2).
  case advanced1 = 4
  /// 28 elements and channels (draft of version 2).
  case advanced2 = 5

  /// Sub-mixes that a mix may have.
  package var mostSubMixes: Int { rawValue >= Profile.baseAdvanced.rawValue ? 2 : 1 }
}

/// Collects the descriptors that stand in front of a sequence's data.
struct DescriptorSet {
  /// A descriptor that isn't used, and why.
  struct Dropped: Equatable, Sendable {
    var kind: OBU.Kind
    /// Why.
    var error: IAMFError
  }

  /// Descriptors of each kind that are kept, and those that are dropped and listed.
  static let most = 256
  /// Most bytes of all descriptors; real ones have thousands.
  static let mostBytes = 2 * OBU.mostBytes

  private(set) var header: SequenceHeader
  private(set) var codecConfigs: [CodecConfig] = []
  private(set) var elements: [AudioElement] = []
  private(set) var mixes: [MixPresentation] = []
  /// Descriptors that can't be read or repeat a number.
  private(set) var dropped: [Dropped] = []
  /// Units of reserved types.
  private(set) var reservedUnits = 0
  /// Bytes of the descriptors so far.
  private var bytes = 0

  /// A set that begins with `obu`, which must be a sequence header. The first set counts as the original,
  /// whatever its units say.
  /// - Throws: ``IAMFError`` where it isn't one.
  init(_ obu: OBU, _ bytes: UnsafeBufferPointer<UInt8>) throws(IAMFError) {
    guard obu.kind == .sequenceHeader else { throw .malformed("no sequence header in front") }
    var bits = try obu.payloadReader(bytes)
    header = try SequenceHeader(&bits)
    guard !header.knownProfiles.isEmpty else {
      throw .unsupported("profiles \(header.primaryProfile) and \(header.additionalProfile)")
    }
  }

  /// Takes the next descriptor. One that can't be read is dropped; another may do.
  /// - Throws: ``IAMFError/malformed(_:)`` where all together are larger than memory should hold.
  mutating func add(_ obu: OBU, _ bytes: UnsafeBufferPointer<UInt8>) throws(IAMFError) {
    guard obu.kind != .reserved else {
      reservedUnits += 1
      return
    }
    self.bytes += obu.size
    guard self.bytes <= DescriptorSet.mostBytes else {
      throw .malformed("descriptors of more than \(DescriptorSet.mostBytes) bytes")
    }
    do throws(IAMFError) {
      var bits = try obu.payloadReader(bytes)
      switch obu.kind {
      case .codecConfig:
        let config = try CodecConfig(&bits)
        try keep(config, \.codecConfigs, obu) { $0.id == config.id }
      case .audioElement:
        let element = try AudioElement(&bits)
        try keep(element, \.elements, obu) { $0.id == element.id }
      case .mixPresentation:
        let mix = try MixPresentation(&bits)
        try keep(mix, \.mixes, obu) { $0.id == mix.id }
      case .sequenceHeader, .parameterBlock, .temporalDelimiter, .audioFrame, .reserved:
        // A repeated header says nothing new; data never get here.
        break
      }
    } catch {
      guard dropped.count < DescriptorSet.most else { return }
      dropped.append(Dropped(kind: obu.kind, error: error))
    }
  }

  /// Keeps the first descriptor of each number; a copy says so in its header.
  private mutating func keep<Descriptor>(
    _ descriptor: Descriptor, _ place: WritableKeyPath<DescriptorSet, [Descriptor]>, _ obu: OBU,
    isSame: (Descriptor) -> Bool
  ) throws(IAMFError) {
    guard !self[keyPath: place].contains(where: isSame) else {
      if obu.isRedundant { return }
      throw .malformed("a second one of the same number")
    }
    guard self[keyPath: place].count < DescriptorSet.most else {
      throw .malformed("more than \(DescriptorSet.most) of a kind")
    }
    self[keyPath: place].append(descriptor)
  }
}
