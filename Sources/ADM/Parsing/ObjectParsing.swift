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
      case .audioObjectInteraction: interaction = try ObjectInteraction(reader)
      case .audioObjectLabel, .audioComplementaryObjectGroupLabel: try reader.skipWithoutEffect()
      default:
        if try !values.read(child, reader) { try reader.skipUnknown(in: "audioObject") }
      }
    }
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
    case .audioObjectInteraction: try reader.skipWithoutEffect()
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
  /// Reads an audioObjectInteraction to its end.
  init(_ reader: ElementReader) throws(ADMError) {
    canBeSwitched = try reader.flag("onOffInteract") ?? false
    let canBeAmplified = try reader.flag("gainInteract") ?? false
    canBeMoved = try reader.flag("positionInteract") ?? false
    var (least, greatest) = (1.0, 1.0)
    while let child = try reader.nextChild() {
      switch child {
      case .gainInteractionRange:
        let bound = reader.string("bound")
        let value = try reader.gain()
        if bound == "min" { least = value } else { greatest = value }
      case .positionInteractionRange: try reader.skip()
      default: try reader.skipUnknown(in: "audioObjectInteraction")
      }
    }
    guard least <= greatest else {
      throw reader.failure(.value, "the range of gains \(least) to \(greatest) is empty")
    }
    gain = canBeAmplified ? least...greatest : nil
  }
}
