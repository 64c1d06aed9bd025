// SPDX-License-Identifier: Apache-2.0
import AudioCore
import YAML

/// The events of a set (`NAME.atmos.metadata`).
package struct MasterEvents: Sendable {
  /// Name of the file, without its folder.
  package let file: String
  /// Samples of the sound in a second.
  package internal(set) var sampleRate = 0
  /// Events by ID, in the order of the file, for the IDs that the root declares.
  package internal(set) var byID: [Int: [MasterEvent]] = [:]
  /// Number of all events.
  package internal(set) var count = 0
}

/// Reads events one by one.
package struct EventParser {
  /// Events that are read at most; a film has some 30,000.
  package static let mostEvents = 10_000_000
  /// Rates that are accepted, Hz.
  private static let rates: ClosedRange<Int64> = 1...768_000

  private enum Key: String, CaseIterable {
    case id = "ID"
    case objectID
    case samplePos, active, pos, snap, elevation, zones, size, gain, rampLength
    case size3D, decorr, importance, trimBypass, dialog, music, screenFactor, depthFactor
    case distance, headTrackMode, binauralRenderMode

    /// Keys by their names.
    static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
    /// A bit for each key.
    static let places = Dictionary(
      uniqueKeysWithValues: allCases.enumerated().map { ($1, UInt32(1) << UInt32($0)) })
  }

  private let values: ValueReader
  private let declared: Set<Int>
  private let most: Int
  private var result: MasterEvents
  /// ID and time of the event before, which an event may omit.
  private var id: Int?
  private var time: Int64 = 0

  /// Reads events; `log` gets what was taken leniently.
  /// - Parameters:
  ///   - text: the document.
  ///   - root: the root, whose IDs are the channels.
  ///   - most: events that are accepted.
  /// - Throws: ``DAMFError``.
  package static func parse(
    _ text: MasterText, of root: MasterRoot, most: Int = EventParser.mostEvents, log: DAMFLog
  ) throws(DAMFError) -> MasterEvents {
    var parser = EventParser(
      values: ValueReader(file: text.file, log: log),
      declared: Set(root.presentation.channels.map(\.id)), most: most,
      result: MasterEvents(file: text.file))
    do {
      try YAMLParser.visit(text.bytes, list: "events", rules: MasterText.rules) { key, value in
        try parser.read(key, value)
      }
    } catch let fault as YAMLFault {
      throw DAMFError(fault, in: text.file)
    } catch let error as DAMFError {
      throw error
    } catch {
      throw DAMFError(.syntax, "the file can't be read: \(error)", at: DAMFPlace(text.file))
    }
    guard parser.result.sampleRate > 0 else {
      throw DAMFError(
        .missingKey, "the events state no sampleRate; add it", at: DAMFPlace(text.file))
    }
    return parser.result
  }

  private init(values: ValueReader, declared: Set<Int>, most: Int, result: MasterEvents) {
    (self.values, self.declared, self.most, self.result) = (values, declared, most, result)
  }

  private mutating func read(_ key: YAMLNode, _ value: YAMLNode) throws(DAMFError) {
    let name = try values.key(key, "")
    switch name {
    case "sampleRate":
      if result.sampleRate > 0 { values.noteRepeated(key, name) }
      let rate = try values.whole(value, name)
      guard EventParser.rates.contains(rate) else {
        throw DAMFError(
          .number, "\(rate) Hz can't be a rate of samples", at: values.place(value, name))
      }
      result.sampleRate = Int(rate)
    case "events":
      // A list comes item by item; what isn't a mapping is no item.
      if !values.isNothing(value) { try readEvent(value) }
    default: values.noteUnknown(key, name)
    }
  }

  private mutating func readEvent(_ node: YAMLNode) throws(DAMFError) {
    guard case .mapping(let pairs, _) = node else {
      throw DAMFError(
        .form, "an event has to be a mapping of keys to values", at: values.place(node, "events"))
    }
    result.count += 1
    guard result.count <= most else {
      throw DAMFError(
        .limit, "there are more than \(most) events", at: values.place(node, "events"))
    }
    var event = MasterEvent()
    var seen: UInt32 = 0
    for pair in pairs {
      let name = try values.key(pair.key, "events")
      guard let key = Key.byName[name] else {
        values.noteUnknown(pair.key, name)
        continue
      }
      let bit = Key.places[key] ?? 0
      if seen & bit != 0 { values.noteRepeated(pair.key, name) }
      seen |= bit
      try read(key, pair.value, into: &event)
    }
    event.time = time
    try add(event, node)
  }

  private mutating func add(_ event: MasterEvent, _ node: YAMLNode) throws(DAMFError) {
    guard let id else {
      throw DAMFError(
        .missingID, "the first event has no ID, so that its channel isn't known; add it",
        at: values.place(node, "events"))
    }
    guard declared.contains(id) else {
      values.log.note(
        .unknownID, kind: "\(id)", at: values.place(node, "events.ID"),
        "the root declares no channel of ID \(id); its events aren't used")
      return
    }
    result.byID[id, default: []].append(event)
  }

  private mutating func read(
    _ key: Key, _ node: YAMLNode, into event: inout MasterEvent
  ) throws(DAMFError) {
    let keys = "events." + key.rawValue
    switch key {
    case .id, .objectID: id = try values.id(node, keys)
    case .samplePos: time = try values.samples(node, keys)
    case .rampLength:
      event.ramp = try values.samples(node, keys)
      event.stated.insert(.ramp)
    case .pos:
      event.position = try values.triple(node, keys)
      event.stated.insert(.position)
    case .gain:
      event.gain = try values.amplitude(node, keys)
      event.stated.insert(.gain)
    case .size, .size3D: try readSize(key, node, keys, &event)
    case .active:
      event.isActive = try values.flag(node, keys)
      event.stated.insert(.active)
    case .snap:
      event.isSnapped = try values.flag(node, keys)
      event.stated.insert(.snap)
    case .elevation:
      event.hasElevation = try values.flag(node, keys)
      event.stated.insert(.elevation)
    case .decorr:
      event.isDecorrelated = try values.flag(node, keys)
      event.stated.insert(.decorrelation)
    case .zones, .headTrackMode, .binauralRenderMode: try readMode(key, node, keys, &event)
    case .importance, .trimBypass, .dialog, .music, .screenFactor, .depthFactor, .distance:
      try passOver(key, node, keys)
    }
  }

  private func readSize(
    _ key: Key, _ node: YAMLNode, _ keys: String, _ event: inout MasterEvent
  ) throws(DAMFError) {
    if key == .size {
      let size = try values.number(node, in: 0...1, keys)
      event.size = Triple(x: size, y: size, z: size)
    } else if case .sequence = node {
      let size = try values.triple(node, keys)
      event.size = size.clamped(to: 0...1)
      if event.size != size {
        values.log.note(
          .range, kind: keys, at: values.place(node, keys),
          "a size is outside 0…1, and was moved to its end")
      }
    } else {
      // Some programs write a flag here, which says nothing beside the size.
      _ = try values.flag(node, keys)
      return
    }
    event.stated.insert(.size)
  }

  private func readMode(
    _ key: Key, _ node: YAMLNode, _ keys: String, _ event: inout MasterEvent
  ) throws(DAMFError) {
    let text = try values.text(node, keys)
    switch key {
    case .zones:
      event.stated.insert(.zones)
      if let zones = MasterZones(rawValue: text) {
        event.zones = zones
        return
      }
      values.log.note(
        .unknownZones, kind: text, at: values.place(node, keys),
        "the zones \(YAMLText.quoted(text)) aren't known, and were taken as all")
      return
    case .headTrackMode:
      event.stated.insert(.headTracking)
      event.isHeadLocked = text == "head relative"
      if ["undefined", "scene relative", "head relative"].contains(text) { return }
    default:
      event.stated.insert(.headphones)
      if let mode = EventParser.modes[text] {
        event.headphones = mode
        return
      }
    }
    values.log.note(
      .unknownMode, kind: keys + text, at: values.place(node, keys),
      "\(YAMLText.quoted(text)) isn't known; it is taken as not stated")
  }

  private static let modes: [String: ObjectRules.HeadphoneMode] = [
    "undefined": .unstated, "off": .off, "near": .near, "mid": .middle, "far": .far,
  ]

  /// Checks a field that a renderer for any loudspeakers has no use for, and notes it where it says something.
  private func passOver(_ key: Key, _ node: YAMLNode, _ keys: String) throws(DAMFError) {
    switch key {
    case .importance:
      if try values.number(node, in: 0...1, keys) < 1 { values.noteUnused(node, key.rawValue) }
    case .trimBypass:
      if try values.flag(node, keys) { values.noteUnused(node, key.rawValue) }
    case .dialog, .music:
      if try values.whole(node, keys) != -1 { values.noteUnused(node, key.rawValue) }
    case .screenFactor:
      if try values.number(node, keys) != 0 { values.noteUnused(node, key.rawValue) }
    default:
      // A depth only matters with a screen factor, and a distance was never seen.
      break
    }
  }
}
