extension AudioProgramme {
  /// Reads an audioProgramme to its end.
  init(_ reader: ElementReader) throws(ADMError) {
    id = try reader.id("audioProgrammeID")
    name = reader.string("audioProgrammeName") ?? ""
    language = reader.string("audioProgrammeLanguage") ?? ""
    // start and end aren't applied, but wrong ones show that the document can't be trusted.
    _ = try reader.time("start")
    _ = try reader.time("end")
    while let child = try reader.nextChild() {
      switch child {
      case .audioContentIDRef: contents.append(try reader.reference())
      case .alternativeValueSetIDRef: valueSets.append(try reader.reference())
      case .audioProgrammeReferenceScreen: screen = try ReferenceScreen(reader)
      case .loudnessMetadata, .audioProgrammeLabel, .authoringInformation:
        try reader.skipWithoutEffect()
      default: try reader.skipUnknown(in: "audioProgramme")
      }
    }
  }
}

extension ReferenceScreen {
  /// Reads an audioProgrammeReferenceScreen to its end.
  init(_ reader: ElementReader) throws(ADMError) {
    var isPolar = false
    if let ratio = try reader.number("aspectRatio", in: 0.01...100) { aspectRatio = ratio }
    while let child = try reader.nextChild() {
      switch child {
      case .aspectRatio: aspectRatio = try reader.number(in: 0.01...100)
      case .screenCentrePosition:
        if let x = try reader.number("X") {
          isCartesian = true
          centre = Position(x, try reader.number("Y") ?? 1, try reader.number("Z") ?? 0)
        } else {
          isPolar = true
          centre = Position(
            try reader.number("azimuth", in: -180...180) ?? 0,
            try reader.number("elevation", in: -90...90) ?? 0,
            try reader.number("distance", in: 0...1e9) ?? 1)
        }
        try reader.skip()
      case .screenWidth:
        if let x = try reader.number("X", in: 0...2) {
          isCartesian = true
          width = x
        } else if let azimuth = try reader.number("azimuth", in: 0...360) {
          isPolar = true
          width = azimuth
        }
        try reader.skip()
      default: try reader.skipUnknown(in: "audioProgrammeReferenceScreen")
      }
    }
    guard !isPolar || !isCartesian else {
      throw reader.failure(.value, "the screen's centre and width have coordinates of two kinds")
    }
  }
}

extension AudioContent {
  /// Reads an audioContent to its end.
  init(_ reader: ElementReader) throws(ADMError) {
    id = try reader.id("audioContentID")
    name = reader.string("audioContentName") ?? ""
    language = reader.string("audioContentLanguage") ?? ""
    while let child = try reader.nextChild() {
      switch child {
      case .audioObjectIDRef: objects.append(try reader.reference())
      case .alternativeValueSetIDRef: valueSets.append(try reader.reference())
      case .dialogue: dialogue = try DialogueKind(reader)
      case .loudnessMetadata, .audioContentLabel: try reader.skipWithoutEffect()
      default: try reader.skipUnknown(in: "audioContent")
      }
    }
  }
}

extension DialogueKind {
  /// Reads a dialogue element to its end.
  init(_ reader: ElementReader) throws(ADMError) {
    let none = try reader.integer("nonDialogueContentKind", in: 0...255) ?? 0
    let speech = try reader.integer("dialogueContentKind", in: 0...255) ?? 0
    let mixed = try reader.integer("mixedContentKind", in: 0...255) ?? 0
    switch try reader.integer(in: 0...2) {
    case 0: self = .none(none)
    case 1: self = .speech(speech)
    default: self = .mixed(mixed)
    }
  }
}
