// SPDX-License-Identifier: Apache-2.0
extension AudioPackFormat {
  /// Reads an audioPackFormat to its end.
  init(_ reader: ElementReader) throws(ADMError) {
    id = try reader.id("audioPackFormatID")
    kind = try reader.kind(of: id)
    name = reader.string("audioPackFormatName") ?? ""
    importance = try reader.integer("importance", in: 0...10)
    while let child = try reader.nextChild() {
      switch child {
      case .audioChannelFormatIDRef: channels.append(try reader.reference())
      case .audioPackFormatIDRef: packs.append(try reader.reference())
      case .encodePackFormatIDRef: encodes.append(try reader.reference())
      case .inputPackFormatIDRef: input = try reader.reference()
      case .outputPackFormatIDRef: output = try reader.reference()
      // This reference states the same relation from the other end.
      case .decodePackFormatIDRef: try reader.skip()
      case .absoluteDistance: try reader.skipWithoutEffect()
      default:
        if try !scene.read(child, reader) { try reader.skipUnknown(in: "audioPackFormat") }
      }
    }
  }
}

extension SceneDetails {
  /// Reads one element to its end if it is one of these properties; tells whether it is.
  mutating func read(_ name: ElementName, _ reader: ElementReader) throws(ADMError) -> Bool {
    switch name {
    case .order: order = try reader.integer(in: 0...50)
    case .degree: degree = try reader.integer(in: -50...50)
    case .nfcRefDist: nearFieldDistance = try reader.number(in: 0...1e6)
    case .screenRef: refersToScreen = try reader.flag()
    case .normalization:
      let text = try reader.text()
      guard let known = Normalization(rawValue: text) else {
        throw reader.failure(
          .value, "normalization is \"\(text.prefix(80))\"; SN3D, N3D and FuMa are known")
      }
      normalization = known
    case .equation:
      throw reader.failure(.unsupported, "HOA components given by an equation aren't supported")
    default: return false
    }
    return true
  }
}

extension AudioChannelFormat {
  /// Blocks of a document at most: they take 260 MB.
  private static let mostBlocks = 2_500_000
  /// Different details of a document's blocks at most; equal ones are kept once in each channel.
  private static let mostDetails = 1 << 18

  /// Reads an audioChannelFormat to its end; `blocksBefore` blocks with `detailsBefore` different details
  /// were read already.
  init(_ reader: ElementReader, blocksBefore: Int, detailsBefore: Int) throws(ADMError) {
    id = try reader.id("audioChannelFormatID")
    kind = try reader.kind(of: id)
    name = reader.string("audioChannelFormatName") ?? ""
    var places: [BlockDetails: Int32] = [:]
    while let child = try reader.nextChild() {
      switch child {
      case .audioBlockFormat:
        guard blocksBefore + blocks.count < AudioChannelFormat.mostBlocks else {
          throw reader.failure(
            .limit, "there are more than \(AudioChannelFormat.mostBlocks) blocks in the document")
        }
        var parser = BlockParser(reader, kind)
        var block = try parser.parse()
        if parser.details != .none {
          block.details = places[parser.details] ?? Int32(details.count)
          if Int(block.details) == details.count {
            places[parser.details] = block.details
            details.append(parser.details)
            guard detailsBefore + details.count <= AudioChannelFormat.mostDetails else {
              throw reader.failure(
                .limit, "blocks differ in more than \(AudioChannelFormat.mostDetails) ways")
            }
          }
        }
        blocks.append(block)
      case .frequency:
        let definition = reader.string("typeDefinition")
        let value = try reader.number(in: 0...1e6)
        if definition == "lowPass" { lowPass = value }
        if definition == "highPass" { highPass = value }
      default: try reader.skipUnknown(in: "audioChannelFormat")
      }
    }
  }
}

extension AudioStreamFormat {
  /// Reads an audioStreamFormat to its end.
  init(_ reader: ElementReader) throws(ADMError) {
    id = try reader.id("audioStreamFormatID")
    isPCM = reader.isPCM()
    var hasPack = false
    while let child = try reader.nextChild() {
      switch child {
      case .audioChannelFormatIDRef: channel = try reader.reference()
      case .audioTrackFormatIDRef: tracks.append(try reader.reference())
      case .audioPackFormatIDRef:
        _ = try reader.reference()
        hasPack = true
      default: try reader.skipUnknown(in: "audioStreamFormat")
      }
    }
    // BS.2076 forbids both, but Dolby's tools and others always write them.
    if hasPack, channel != nil {
      reader.findings.note(
        .streamNamesPack, "the stream \(id) names a channel and a pack; the channel is used")
    }
  }
}

extension AudioTrackFormat {
  /// Reads an audioTrackFormat to its end.
  init(_ reader: ElementReader) throws(ADMError) {
    id = try reader.id("audioTrackFormatID")
    isPCM = reader.isPCM()
    while let child = try reader.nextChild() {
      switch child {
      case .audioStreamFormatIDRef: stream = try reader.reference()
      default: try reader.skipUnknown(in: "audioTrackFormat")
      }
    }
  }
}

extension AudioTrackUID {
  /// Reads an audioTrackUID to its end.
  init(_ reader: ElementReader) throws(ADMError) {
    id = try reader.id("UID")
    guard id != .silentTrack else {
      throw reader.failure(.value, "\(id) stands for silence and can't be an element")
    }
    while let child = try reader.nextChild() {
      switch child {
      case .audioTrackFormatIDRef: format = try reader.reference()
      case .audioChannelFormatIDRef: channel = try reader.reference()
      case .audioPackFormatIDRef: pack = try reader.reference()
      case .audioMXFLookUp: try reader.skipWithoutEffect()
      default: try reader.skipUnknown(in: "audioTrackUID")
      }
    }
  }
}
