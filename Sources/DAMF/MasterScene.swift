// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The scene of a set, for a renderer: one element, one plane and one timeline for each channel of the sound.
package struct MasterScene: Sendable {
  /// Channels in the order of the sound's.
  package let channels: [MasterChannel]
  /// Elements in the order of ``channels``, one plane each.
  package let elements: [Programme.Element]
  /// States of each element over time, in the same order.
  package let timelines: [MasterTimeline]

  /// The scene of a root and its events.
  /// - Parameters:
  ///   - root: the root.
  ///   - events: the events.
  ///   - frames: samples of the sound in each channel; later events aren't used.
  ///   - followsModes: whether modes for headphones are taken from the events.
  ///   - log: gets what was repaired.
  package init(
    _ root: MasterRoot, _ events: MasterEvents, frames: Int64, followsModes: Bool = true,
    log: DAMFLog
  ) {
    let preparation = EventPreparation(file: events.file, frames: frames, log: log)
    channels = root.presentation.tracks
    timelines = channels.map { channel in
      MasterTimeline(
        channel, preparation.prepared(events.byID[channel.id] ?? [], of: channel),
        followsModes: followsModes)
    }
    elements = zip(channels, timelines).map { channel, timeline in
      .object(name: channel.name, start: timeline.start)
    }
  }

  /// The changes of all elements in the order of their times, on the clock of the sound.
  package var updates: MasterUpdates { MasterUpdates(timelines) }
}

/// Changes of several elements, in the order of their times; at one sample in the order of their planes.
package struct MasterUpdates: Sequence, IteratorProtocol {
  private var timelines: [MasterTimeline]
  private var waiting: [MasterTimeline.Event?]

  init(_ timelines: [MasterTimeline]) {
    self.timelines = timelines
    waiting = []
    for plane in timelines.indices { waiting.append(self.timelines[plane].advance()) }
  }

  /// The next change; `nil` at the end.
  package mutating func next() -> ObjectUpdate? {
    var first: (plane: Int, event: MasterTimeline.Event)?
    for (plane, event) in waiting.enumerated() {
      guard let event, event.at < first?.event.at ?? .max else { continue }
      first = (plane, event)
    }
    guard let (plane, event) = first else { return nil }
    waiting[plane] = timelines[plane].advance()
    return ObjectUpdate(plane: plane, at: event.at, motion: event.motion)
  }
}

/// Brings a channel's events into order, and their places into the room.
struct EventPreparation {
  /// Name of the events' file.
  let file: String
  /// Samples of the sound.
  let frames: Int64
  let log: DAMFLog

  /// The events of `channel` within the sound, in the order of their times, of which each occurs once.
  func prepared(_ events: [MasterEvent], of channel: MasterChannel) -> [MasterEvent] {
    var events = events
    let place = DAMFPlace(file, keys: "events")
    if !zip(events, events.dropFirst()).allSatisfy({ $0.time <= $1.time }) {
      log.note(
        .order, at: place,
        "events of ID \(channel.id) aren't in the order of their times, and were sorted")
      // The order of events at one sample stays.
      events = events.enumerated().sorted {
        ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
      }.map(\.element)
    }
    let count = events.count
    events.removeAll { $0.time >= frames }
    if events.count < count {
      log.note(
        .behindEnd, count: count - events.count, at: place,
        "an event of ID \(channel.id) lies behind the sound's \(frames) samples, and isn't used")
    }
    let folded = EventPreparation.folded(events)
    let moved = channel.label == nil ? placed(folded, of: channel) : folded
    if let first = moved.first, first.time > 0 {
      log.note(
        .late, at: place,
        "the first event of ID \(channel.id) comes at sample \(first.time); its state is held from the beginning"
      )
    }
    return moved
  }

  /// One event for each time: of several the last one to state a field wins.
  private static func folded(_ events: [MasterEvent]) -> [MasterEvent] {
    events.reduce(into: []) { result, event in
      if let last = result.indices.last, result[last].time == event.time {
        result[last].take(event)
      } else {
        result.append(event)
      }
    }
  }

  /// The events with places in the room. A silent object's place outside of it is a mark of some programs, so that it
  /// keeps the one before.
  private func placed(_ events: [MasterEvent], of channel: MasterChannel) -> [MasterEvent] {
    var events = events
    var (isActive, hasPlace) = (true, false)
    let room = -1.0...1
    for index in events.indices {
      if events[index].stated.contains(.active) { isActive = events[index].isActive }
      guard events[index].stated.contains(.position) else { continue }
      let stated = events[index].position
      let inside = stated.clamped(to: room)
      if inside != stated {
        guard isActive else {
          events[index].stated.remove(.position)
          continue
        }
        events[index].position = inside
        log.note(
          .range, kind: "pos", at: DAMFPlace(file, keys: "events.pos"),
          "object \(channel.id) is outside the room at sample \(events[index].time), and was moved to its wall"
        )
      }
      hasPlace = true
    }
    if !hasPlace {
      log.note(
        .noPlace, at: DAMFPlace(file, keys: "events.pos"),
        "object \(channel.id) has no place, and is put at the front")
    }
    return events
  }
}
