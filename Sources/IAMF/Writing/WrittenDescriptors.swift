extension SequenceHeader {
  /// Writes the header (`IA Sequence Header OBU`).
  func write(to bits: inout BitWriter) {
    bits.write(SequenceHeader.code)
    bits.write(primaryProfile, 8)
    bits.write(additionalProfile, 8)
  }
}

extension CodecConfig {
  /// Writes the configuration (`Codec Config OBU`).
  func write(to bits: inout BitWriter) {
    bits.leb128(id)
    bits.write(codecID.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    bits.leb128(samplesPerFrame)
    bits.write(rollDistance & 0xFFFF, 16)
    bits.write(decoderBytes)
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

extension MixPresentation {
  /// Writes the mix (`Mix Presentation OBU`).
  func write(to bits: inout BitWriter) {
    bits.leb128(id)
    bits.leb128(languages.count)
    bits.strings(languages)
    bits.strings(annotations)
    bits.leb128(subMixes.count)
    for subMix in subMixes { subMix.write(to: &bits) }
    guard let tags else { return }
    bits.write(tags.count, 8)
    for tag in tags { bits.strings([tag.name, tag.value]) }
  }
}

extension SubMix {
  /// Writes what is summed and how loud it is.
  func write(to bits: inout BitWriter) {
    bits.leb128(elements.count)
    for element in elements {
      bits.leb128(element.id)
      bits.strings(element.annotations)
      element.rendering.write(to: &bits)
      element.gain.write(to: &bits)
    }
    outputGain.write(to: &bits)
    bits.leb128(loudness.count)
    for loudness in loudness { loudness.write(to: &bits) }
  }
}

extension RenderingConfig {
  /// Writes how an element is rendered (`RenderingConfig`).
  func write(to bits: inout BitWriter) {
    bits.write(headphonesMode.rawValue, 2)
    bits.write(reserved, 6)
    bits.sized(extensionBytes)
  }
}

extension LayoutLoudness {
  /// Writes the layout and how loud the mix is on it (`layout`, `LoudnessInfo`).
  func write(to bits: inout BitWriter) {
    switch layout {
    case .loudspeakers(let system): LayoutLoudness.write(type: 2, system.rawValue, to: &bits)
    case .binaural: LayoutLoudness.write(type: 3, 0, to: &bits)
    case .reserved(let type, let number): LayoutLoudness.write(type: type, number, to: &bits)
    }
    bits.write(infoType, 8)
    bits.fixed(integrated)
    bits.fixed(digitalPeak)
    if infoType & 1 != 0 { bits.fixed(truePeak ?? 0) }
    if infoType & 2 != 0 {
      bits.write(anchors.count, 8)
      for anchor in anchors {
        bits.write(anchor.element, 8)
        bits.fixed(anchor.loudness)
      }
    }
    if infoType & 0xFC != 0 { bits.sized(extensionBytes ?? []) }
  }

  private static func write(type: Int, _ system: Int, to bits: inout BitWriter) {
    bits.write(type, 2)
    bits.write(system, 4)
    bits.write(0, 2)
  }

  /// The loudness of a mix on a layout.
  /// - Parameters:
  ///   - integrated: integrated loudness in LKFS.
  ///   - digitalPeak: sample peak in dBFS.
  ///   - truePeak: true peak in dBFS; `nil` leaves it out.
  package init(_ layout: Layout, integrated: Double, digitalPeak: Double, truePeak: Double?) {
    self.init(
      layout: layout, infoType: truePeak == nil ? 0 : 1, integrated: integrated,
      digitalPeak: digitalPeak, truePeak: truePeak, anchors: [], extensionBytes: nil)
  }
}

extension ConfigurationBox {
  /// A configuration with the bytes of descriptors.
  package init(configOBUs: [UInt8]) {
    self.configOBUs = configOBUs
    // Behind the version and the size.
    offset = 1 + [UInt8].written { $0.leb128(configOBUs.count) }.count
  }

  /// The content of the box, without size and type.
  package var content: [UInt8] {
    .written { bits in
      bits.write(ConfigurationBox.knownVersion, 8)
      bits.sized(configOBUs)
    }
  }
}

/// The configuration of a track in MP4: the content of an `iacb` box (IAConfigurationBox).
package struct ConfigurationBox: Equatable, Sendable {
  /// `configurationVersion` that is known.
  static let knownVersion = 1

  /// The bytes of the descriptors.
  package var configOBUs: [UInt8]
  /// Position of the first of them in the content of the box.
  package var offset: Int

  /// The configuration in the content of the box, without size and type. Bytes behind it are ignored.
  /// - Throws: ``IAMFError`` for another version and where the descriptors leave the box.
  package init(_ content: [UInt8]) throws(IAMFError) {
    (configOBUs, offset) = try content.reading { bits throws(IAMFError) in
      let version = try bits.read(8)
      guard version == ConfigurationBox.knownVersion else {
        throw .unsupported("configurationVersion \(version)")
      }
      let size = try bits.leb128()
      let offset = bits.position / 8
      return (try bits.bytes(size), offset)
    }
  }
}
