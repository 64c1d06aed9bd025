// SPDX-License-Identifier: Apache-2.0

/// Parses a document into the elements of its first audioFormatExtended (BS.2076-2, 5).
package struct DocumentParser {
  /// Elements of one kind.
  private static let mostElements = 65536

  private let reader: ElementReader
  private var document = ADMDocument()
  private var ids: Set<ElementID> = []
  private var blocks = 0
  private var details = 0

  /// Parses a document in UTF-8.
  /// - Returns: `nil` when it is well-formed XML without audioFormatExtended: something else than ADM.
  /// - Throws: ``ADMError`` with the place in the document.
  package static func parse(
    _ bytes: [UInt8], findings: FindingLog
  ) throws(ADMError) -> ADMDocument? {
    let reader = try ElementReader(bytes, findings: findings)
    var found: ADMDocument?
    while let name = try reader.nextAnywhere() {
      guard name == .audioFormatExtended else { continue }
      guard found == nil else {
        findings.note(.ignored, kind: "second", "only the first audioFormatExtended is read")
        try reader.skip()
        continue
      }
      var parser = DocumentParser(reader)
      try parser.parse()
      found = parser.document
    }
    return found
  }

  private init(_ reader: ElementReader) { self.reader = reader }

  private mutating func parse() throws(ADMError) {
    if let text = reader.string("version") {
      guard text.hasPrefix("ITU-R_BS.2076-"), let number = Int(text.dropFirst(14)),
        (0...99).contains(number)
      else {
        throw reader.failure(
          .value, "the version is \"\(text.prefix(80))\", but ITU-R_BS.2076-N is needed")
      }
      document.version = number
      reader.version = number
    }
    while let name = try reader.nextChild() { try parseElement(name) }
  }

  private mutating func parseElement(_ name: ElementName) throws(ADMError) {
    switch name {
    case .audioProgramme:
      document.programmes.append(try AudioProgramme(reader))
      try check(document.programmes.last?.id, document.programmes.count, name)
    case .audioContent:
      document.contents.append(try AudioContent(reader))
      try check(document.contents.last?.id, document.contents.count, name)
    case .audioObject:
      document.objects.append(try AudioObject(reader))
      try check(document.objects.last?.id, document.objects.count, name)
    case .audioPackFormat:
      document.packs.append(try AudioPackFormat(reader))
      try check(document.packs.last?.id, document.packs.count, name)
    case .audioChannelFormat:
      document.channels.append(
        try AudioChannelFormat(reader, blocksBefore: blocks, detailsBefore: details))
      details += document.channels.last?.details.count ?? 0
      blocks += document.channels.last?.blocks.count ?? 0
      try check(document.channels.last?.id, document.channels.count, name)
    case .audioStreamFormat:
      document.streams.append(try AudioStreamFormat(reader))
      try check(document.streams.last?.id, document.streams.count, name)
    case .audioTrackFormat:
      document.trackFormats.append(try AudioTrackFormat(reader))
      try check(document.trackFormats.last?.id, document.trackFormats.count, name)
    case .audioTrackUID:
      document.tracks.append(try AudioTrackUID(reader))
      try check(document.tracks.last?.id, document.tracks.count, name)
    case .profileList, .tagList, .authoringInformation: try reader.skipWithoutEffect()
    default: try reader.skipUnknown(in: "audioFormatExtended")
    }
  }

  /// Refuses a second element with an identifier, and too many elements.
  private mutating func check(
    _ id: ElementID?, _ count: Int, _ name: ElementName
  ) throws(ADMError) {
    guard count <= DocumentParser.mostElements else {
      throw reader.failure(
        .limit, "there are more than \(DocumentParser.mostElements) elements \(name.rawValue)")
    }
    guard let id, !ids.insert(id).inserted else { return }
    throw reader.failure(.duplicate, "\(name.rawValue) \(id) stands in the document twice")
  }
}

/// The elements that are read.
enum ElementName: String, CaseIterable {
  case audioFormatExtended, audioProgramme, audioContent, audioObject, audioPackFormat
  case audioChannelFormat, audioBlockFormat, audioStreamFormat, audioTrackFormat, audioTrackUID
  case audioContentIDRef, audioObjectIDRef, audioComplementaryObjectIDRef, audioPackFormatIDRef
  case audioChannelFormatIDRef, audioStreamFormatIDRef, audioTrackFormatIDRef, audioTrackUIDRef
  case alternativeValueSet, alternativeValueSetIDRef, audioProgrammeReferenceScreen
  case aspectRatio, screenCentrePosition, screenWidth, dialogue, gain, mute, positionOffset
  case headLocked, audioObjectInteraction, gainInteractionRange, positionInteractionRange
  case encodePackFormatIDRef, decodePackFormatIDRef, inputPackFormatIDRef, outputPackFormatIDRef
  case normalization, nfcRefDist, screenRef, absoluteDistance, frequency, position, cartesian
  case width, height, depth, diffuse, channelLock, objectDivergence, jumpPosition, zoneExclusion
  case zone, importance, headphoneVirtualise, speakerLabel, order, degree, equation
  case outputChannelFormatIDRef, matrix, coefficient
  // Known, and without effect on what is rendered.
  case loudnessMetadata, audioProgrammeLabel, audioContentLabel, audioObjectLabel
  case audioComplementaryObjectGroupLabel, authoringInformation, audioMXFLookUp, profileList,
    tagList
  /// None of these.
  case unknown

  /// Finds names by a hash of their bytes (FNV-1a, 64 bits); the bytes are compared as well.
  private static let table: [UInt64: (name: ElementName, bytes: [UInt8])] = {
    var table: [UInt64: (name: ElementName, bytes: [UInt8])] = [:]
    for name in allCases where name != .unknown {
      let bytes = Array(name.rawValue.utf8)
      table[bytes.withUnsafeBufferPointer(hash)] = (name, bytes)
    }
    return table
  }()

  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0100_0000_01B3 }
  }

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    let found = ElementName.table[ElementName.hash(bytes)]
    self = found.map { $0.bytes.elementsEqual(bytes) ? $0.name : .unknown } ?? .unknown
  }
}
