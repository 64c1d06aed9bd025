// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The states of a channel over time.
///
/// At an event's sample position, size and gain begin to go linearly from where they are to the values stated, which
/// they reach when the ramp's length has passed; lock and zones go over with them, and all else changes at once. An event that states none
/// of the three leaves a running ramp alone. The first event's state is held from the beginning.
package struct MasterTimeline: Sendable {
  /// A change of the channel.
  package struct Event: Sendable, Equatable {
    /// First sample that it affects, from the sound's first one.
    package var at: Int64
    /// The motion at that sample.
    package var motion: ObjectMotion
  }

  /// State from the first sample until the first event.
  package let start: ObjectState

  private let label: BedLabel?
  private let followsModes: Bool
  private let events: [MasterEvent]
  private var next = 0
  /// Values that hold; ``MasterEvent/ramp`` among them.
  private var values: MasterEvent
  /// Motion at ``clock`` of position, size and gain, as if the channel were always active.
  private var raw: ObjectMotion
  /// The motion at ``clock`` that was handed over.
  private var shown: ObjectMotion
  /// Rules in force before the event that began the ramp; `nil` where none did.
  private var former: ObjectRules?
  /// The last ramp: its first sample, and its length; places may stay while lock and zones go over.
  private var ramp: (start: Int64, length: Double) = (0, 0)
  private var clock: Int64

  /// The states of a channel.
  /// - Parameters:
  ///   - channel: the channel.
  ///   - events: its prepared events: in the order of their times, of which each occurs once.
  ///   - followsModes: whether modes for headphones are taken from the events.
  init(_ channel: MasterChannel, _ events: [MasterEvent], followsModes: Bool) {
    (label, self.events, self.followsModes) = (channel.label, events, followsModes)
    values = MasterEvent()
    // Until an object has a place, it waits at its first one.
    if let first = events.first(where: { $0.stated.contains(.position) }) {
      values.position = first.position
    }
    if let first = events.first {
      values.take(first)
      next = 1
    }
    clock = events.first?.time ?? 0
    let target = MasterTimeline.target(values, label)
    raw = ObjectMotion(restingIn: target)
    start = MasterTimeline.shown(target, values, label, followsModes)
    shown = ObjectMotion(restingIn: start)
  }

  /// The next change; `nil` at the end. Events that change nothing are passed over.
  package mutating func advance() -> Event? {
    while next < events.count {
      let event = events[next]
      next += 1
      enter(event)
      var origin = MasterTimeline.shown(raw.origin, values, label, followsModes)
      if let former { (origin.rules.lock, origin.rules.zones) = (former.lock, former.zones) }
      let motion = ObjectMotion(
        from: origin, to: MasterTimeline.shown(raw.target, values, label, followsModes),
        ramp: ramp.length, elapsed: Int(clock - ramp.start))
      if motion == shown { continue }
      shown = motion
      return Event(at: event.time, motion: motion)
    }
    return nil
  }

  private mutating func enter(_ event: MasterEvent) {
    let passed = Int(event.time - clock)
    raw = raw.advanced(by: passed)
    shown = shown.advanced(by: passed)
    clock = event.time
    values.take(event)
    let ramped = label == nil ? MasterEvent.Fields.ramped : .gain
    let isRamp = !event.stated.isDisjoint(with: ramped)
    // Gains go over from the former loudspeakers to the new ones along the ramp, as between blocks of ADM with interpolation.
    guard isRamp else {
      if !event.stated.isDisjoint(with: [.snap, .zones, .elevation]) { former = nil }
      return
    }
    (former, ramp) = (shown.target.rules, (event.time, Double(values.ramp)))
    raw = ObjectMotion(
      from: raw.state, to: MasterTimeline.target(values, label), ramp: Double(values.ramp))
  }

  /// Position, size and gain of `values`.
  private static func target(_ values: MasterEvent, _ label: BedLabel?) -> ObjectState {
    let place = label?.place ?? values.position
    let extent =
      label == nil
      ? ObjectExtent(width: values.size.x, height: values.size.z, depth: values.size.y) : .point
    return ObjectState(
      position: .cartesian(x: place.x, y: place.y, z: place.z), gain: values.gain, extent: extent)
  }

  /// `state` with what changes at once.
  private static func shown(
    _ state: ObjectState, _ values: MasterEvent, _ label: BedLabel?, _ followsModes: Bool
  ) -> ObjectState {
    var state = state
    if !values.isActive { state.gain = 0 }
    var rules = ObjectRules(isHeadLocked: values.isHeadLocked)
    // Low frequencies are never virtualised.
    let mode = label?.isLFE == true ? .off : values.headphones
    if followsModes { rules.headphones = mode }
    if let label {
      rules.role = .speaker(SpeakerChannel(labels: ["RC_" + label.rawValue], isLFE: label.isLFE))
    } else {
      state.diffuse = values.isDecorrelated ? 1 : 0
      rules.lock = values.isSnapped ? ObjectRules.ChannelLock() : nil
      rules.zones = values.zones.excluded(hasElevation: values.hasElevation)
    }
    state.rules = rules
    return state
  }
}
