// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Writes timelines in JSON of OpenTimelineIO, with one track of sound.
enum OTIOText {
  private static let rules = WriterRules(
    format: .otio, keys: [.silence, .start, .end, .crossfade, .title, .markers],
    queueTags: [.title])
  private static let mostRate: Int64 = 1_000_000_000
  // The largest whole number up to which every one is a Double, and the largest that a reader takes.
  private static let mostValue: Int64 = 1 << 48

  /// The text of `queue`, which has been validated.
  ///
  /// A crossfade is a transition in front of its item, which takes all of it from the item's own file, so that
  /// the clip begins behind the crossfade.
  /// - Throws: ``QueueFault`` for items whose start is stated without an end, for crossfades into an item
  ///   without an end or of another curve than equal power, and for what a timeline has no place for.
  static func text(of queue: PlayQueue) throws(QueueFault) -> String {
    try rules.check(queue)
    var children: [JSONTree] = []
    for (index, item) in queue.items.enumerated() {
      let number = index + 1
      var crossfade: MediaTime?
      if case .crossfade(let length, let curve) = item.transition {
        guard curve == .equalPower else {
          throw rules.fault("a transition has no curve", item: number, key: "curve")
        }
        let exact = try rules.time(length, item: number, key: .crossfade)
        children.append(try transition(exact, number))
        crossfade = exact
      }
      children.append(try child(item, number, crossfade))
    }
    let track = object("Track.1", "", ["kind": .text("Audio"), "children": .list(children)])
    let stack = object("Stack.1", "tracks", ["children": .list([track])])
    let title = queue.tags[QueueTag.title.rawValue] ?? ""
    return object("Timeline.1", title, ["tracks": stack]).json + "\n"
  }

  private static func object(
    _ schema: String, _ name: String, _ entries: [String: JSONTree]
  ) -> JSONTree {
    let head: [String: JSONTree] = ["OTIO_SCHEMA": .text(schema), "name": .text(name)]
    return .map(head.merging(entries) { $1 })
  }

  /// A clip or a gap that begins `crossfade` later than the item.
  private static func child(
    _ item: QueueItem, _ number: Int, _ crossfade: MediaTime?
  ) throws(QueueFault) -> JSONTree {
    let title = item.title ?? ""
    switch item.source {
    case .silence(let length):
      guard item.markers.isEmpty else {
        throw rules.fault("silence has no markers", item: number, key: "markers")
      }
      guard title.isEmpty else {
        throw rules.fault("silence has no title", item: number, key: "title")
      }
      let end = try rules.time(length, item: number, key: .silence)
      let zero = MediaTime(ticks: 0, rate: end.rate)
      let rest = try sum(end, crossfade ?? zero, isNegative: true, number, .silence)
      guard rest.ticks > 0 else { throw tooLong(number, .silence) }
      return object("Gap.1", "", ["source_range": try range(zero, rest, number, .silence)])
    case .file(let path, _, let range):
      let start = try rules.time(range.start, item: number, key: .start)
      let reference = object(
        "ExternalReference.1", "",
        ["target_url": .text(WriterText.encoded(try rules.path(path, item: number)))])
      var entries: [String: JSONTree] = [
        "media_references": .map(["DEFAULT_MEDIA": reference]),
        "active_media_reference_key": .text("DEFAULT_MEDIA"),
        "markers": .list(try markers(item, number, start)),
      ]
      if let end = range.end {
        let first = try crossfade.map { length throws(QueueFault) in
          try sum(start, length, number, .crossfade)
        }
        let last = try rules.time(end, item: number, key: .end)
        entries["source_range"] = try clipRange(first ?? start, last, number)
      } else if start.ticks > 0 || crossfade != nil {
        throw rules.fault("a clip that is cut needs its end", item: number, key: "end")
      }
      return object("Clip.2", title, entries)
    }
  }

  private static func clipRange(
    _ first: MediaTime, _ last: MediaTime, _ number: Int
  ) throws(QueueFault) -> JSONTree {
    let length = try sum(last, first, isNegative: true, number, .end)
    guard length.ticks > 0 else { throw tooLong(number, .crossfade) }
    return try range(first, length, number, .end)
  }

  private static func tooLong(_ item: Int, _ key: ItemDraft.Key) -> QueueFault {
    rules.fault("the item isn't longer than its crossfade", item: item, key: key.rawValue)
  }

  private static func transition(
    _ length: MediaTime, _ number: Int
  ) throws(QueueFault) -> JSONTree {
    object(
      "Transition.1", "",
      [
        "transition_type": .text("SMPTE_Dissolve"),
        "in_offset": try time(length, number, .crossfade),
        "out_offset": try time(MediaTime(ticks: 0, rate: length.rate), number, .crossfade),
      ])
  }

  private static func markers(
    _ item: QueueItem, _ number: Int, _ start: MediaTime
  ) throws(QueueFault) -> [JSONTree] {
    var markers: [JSONTree] = []
    for marker in item.markers {
      let at = try sum(
        start, try rules.time(marker.at, item: number, key: .markers), number, .markers)
      let none = MediaTime(ticks: 0, rate: at.rate)
      markers.append(
        object("Marker.2", marker.title, ["marked_range": try range(at, none, number, .markers)]))
    }
    return markers
  }

  // MARK: Times

  private static func sum(
    _ left: MediaTime, _ right: MediaTime, isNegative: Bool = false, _ item: Int,
    _ key: ItemDraft.Key
  ) throws(QueueFault) -> MediaTime {
    guard let sum = left.adding(right, isNegative: isNegative) else { throw tooFine(item, key) }
    return sum
  }

  private static func tooFine(_ item: Int, _ key: ItemDraft.Key) -> QueueFault {
    rules.fault("the time is too fine or too long", item: item, key: key.rawValue)
  }

  private static func time(
    _ time: MediaTime, _ item: Int, _ key: ItemDraft.Key
  ) throws(QueueFault) -> JSONTree {
    guard time.rate <= mostRate, time.ticks <= mostValue else { throw tooFine(item, key) }
    return .map([
      "OTIO_SCHEMA": .text("RationalTime.1"), "value": .number(Double(time.ticks)),
      "rate": .number(Double(time.rate)),
    ])
  }

  private static func range(
    _ start: MediaTime, _ length: MediaTime, _ item: Int, _ key: ItemDraft.Key
  ) throws(QueueFault) -> JSONTree {
    .map([
      "OTIO_SCHEMA": .text("TimeRange.1"), "start_time": try time(start, item, key),
      "duration": try time(length, item, key),
    ])
  }
}

extension JSONTree {
  /// The text, with the keys of mappings in alphabetical order.
  fileprivate var json: String {
    switch self {
    case .null: return "null"
    case .flag(let flag): return flag ? "true" : "false"
    case .number(let number): return "\(number)"
    case .text(let text): return JSONText.quoted(text)
    case .list(let elements): return "[" + elements.map(\.json).joined(separator: ",\n") + "]"
    case .map(let entries):
      let parts = entries.sorted { $0.key < $1.key }.map {
        JSONText.quoted($0.key) + ": " + $0.value.json
      }
      return "{" + parts.joined(separator: ", ") + "}"
    }
  }
}
