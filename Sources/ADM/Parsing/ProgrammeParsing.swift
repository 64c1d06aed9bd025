// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

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

extension AudioObject {
  /// Reads an audioObject to its end.
  init(_ reader: ElementReader) throws(ADMError) {
    id = try reader.id("audioObjectID")
    name = reader.string("audioObjectName") ?? ""
    // Documents of the first version call it startTime.
    let old = try reader.time("startTime")
    start = try reader.time("start") ?? old ?? .zero
    duration = try reader.time("duration")
    importance = try reader.integer("importance", in: 0...10)
    let isFixed = try reader.flag("interact") == false
    while let child = try reader.nextChild() {
      switch child {
      case .audioPackFormatIDRef: packs.append(try reader.reference())
      case .audioTrackUIDRef: tracks.append(try reader.reference())
      case .audioObjectIDRef: objects.append(try reader.reference())
      case .audioComplementaryObjectIDRef: complements.append(try reader.reference())
      case .headLocked: isHeadLocked = try reader.flag()
      case .alternativeValueSet:
        var set = ObjectValues(id: try reader.id("alternativeValueSetID"))
        while let value = try reader.nextChild() {
          if try !set.read(value, reader) { try reader.skipUnknown(in: "alternativeValueSet") }
        }
        valueSets.append(set)
      case .audioObjectLabel, .audioComplementaryObjectGroupLabel: try reader.skipWithoutEffect()
      default:
        if try !values.read(child, reader) { try reader.skipUnknown(in: "audioObject") }
      }
    }
    guard isFixed else { return }
    values.interaction = nil
    for set in valueSets.indices { valueSets[set].interaction = nil }
  }
}

extension ObjectValues {
  /// Reads one element to its end if it is one of these values; tells whether it is.
  fileprivate mutating func read(
    _ name: ElementName, _ reader: ElementReader
  ) throws(ADMError) -> Bool {
    switch name {
    case .gain: gain = try reader.gain()
    case .mute: isMuted = try reader.flag()
    case .positionOffset: try readOffset(reader)
    case .audioObjectInteraction: interaction = try ObjectInteraction(reader)
    default: return false
    }
    return true
  }

  private mutating func readOffset(_ reader: ElementReader) throws(ADMError) {
    let coordinate = reader.string("coordinate") ?? ""
    let isCartesian = ["X", "Y", "Z"].contains(coordinate)
    var known = offset ?? PositionOffset(isCartesian: isCartesian)
    guard isCartesian == known.isCartesian else {
      throw reader.failure(.value, "position offsets of one object have coordinates of two kinds")
    }
    switch coordinate {
    case "azimuth", "X": known.offset.first = try reader.number(in: -360...360)
    case "elevation", "Y": known.offset.second = try reader.number(in: -180...180)
    case "distance", "Z": known.offset.third = try reader.number(in: -1e6...1e6)
    default:
      throw reader.failure(.value, "positionOffset has the coordinate \"\(coordinate.prefix(80))\"")
    }
    offset = known
  }
}

extension ObjectInteraction {
  /// Ranges as they are read: a bound that isn't stated allows no change.
  private struct Ranges {
    private var known: [String: Bounds] = [:]

    /// Widens the range of `name` to `value`.
    mutating func read(_ name: String, _ bound: String?, _ value: Double) {
      var bounds = known[name] ?? Bounds(least: 0, greatest: 0)
      if bound == "min" { bounds.least = value } else { bounds.greatest = value }
      known[name] = bounds
    }

    /// The range of `name`; `nil` when none is stated.
    subscript(name: String) -> Bounds? { known[name] }

    /// The first range that holds nothing.
    var empty: String? {
      known.keys.sorted().first { known[$0].map { $0.least > $0.greatest } == true }
    }
  }

  /// Reads an audioObjectInteraction to its end.
  fileprivate init(_ reader: ElementReader) throws(ADMError) {
    self.init(onOff: try reader.flag("onOffInteract") ?? false)
    let canBeAmplified = try reader.flag("gainInteract") ?? false
    let canBeMoved = try reader.flag("positionInteract") ?? false
    var ranges = Ranges()
    while let child = try reader.nextChild() {
      let bound = reader.string("bound")
      switch child {
      case .gainInteractionRange:
        ranges.read("gain", bound, Decibels.boundedLevel(max(0, try reader.gain())))
      case .positionInteractionRange:
        let coordinate = reader.string("coordinate") ?? ""
        ranges.read(coordinate, bound, try reader.number(in: -1e6...1e6))
      default: try reader.skipUnknown(in: "audioObjectInteraction")
      }
    }
    if let name = ranges.empty {
      throw reader.failure(
        .value, "the range of \(name.prefix(80)) that a listener may choose is empty")
    }
    if canBeAmplified { gain = ranges["gain"] }
    // The range of distances isn't followed: it isn't certain whether it is meant as an offset or a factor.
    guard canBeMoved else { return }
    (azimuth, elevation) = (ranges["azimuth"], ranges["elevation"])
    (x, y, z) = (ranges["X"], ranges["Y"], ranges["Z"])
  }
}
