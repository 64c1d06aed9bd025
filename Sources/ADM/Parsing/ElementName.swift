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

  /// The element with this name.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    let found = ElementName.table[ElementName.hash(bytes)]
    self = found.map { $0.bytes.elementsEqual(bytes) ? $0.name : .unknown } ?? .unknown
  }
}
