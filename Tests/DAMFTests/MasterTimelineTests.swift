// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import DAMF

/// The states of channels over time.
@Suite struct MasterTimelineTests {
  private func event(_ time: Int64, _ change: (inout MasterEvent) -> Void) -> MasterEvent {
    var event = MasterEvent()
    event.time = time
    change(&event)
    return event
  }

  private func moved(_ time: Int64, to x: Double, ramp: Int64? = nil) -> MasterEvent {
    event(time) {
      $0.position = Triple(x: x, y: 0, z: 0)
      $0.stated.insert(.position)
      if let ramp {
        $0.ramp = ramp
        $0.stated.insert(.ramp)
      }
    }
  }

  private func timeline(_ events: [MasterEvent], frames: Int64 = 10_000) -> MasterTimeline {
    let channel = MasterChannel(id: 10)
    let log = DAMFLog()
    let prepared = EventPreparation(file: "x", frames: frames, log: log).prepared(
      events, of: channel)
    return MasterTimeline(channel, prepared, followsModes: true)
  }

  /// X of the object at each of these samples.
  private func xs(_ timeline: MasterTimeline, at samples: Int64...) -> [Double] {
    timeline.states(at: samples).map { $0.position.coordinates[0] }
  }

  @Test("a ramp begins at its event, and ends when its length has passed")
  func rampsBeginAtTheirEvents() {
    let found = timeline([moved(0, to: 0), moved(100, to: 1, ramp: 100)])
    #expect(xs(found, at: 99, 100, 150, 199, 200, 300) == [0, 0, 0.5, 0.99, 1, 1])
    #expect(found.events.map(\.at) == [100])
    #expect(found.events.map(\.motion.ramp) == [100])
  }

  @Test("a length of a ramp that an event leaves out is that of the event before")
  func lengthsPersist() {
    let found = timeline([
      moved(0, to: 0), moved(100, to: 1, ramp: 100), moved(300, to: 0), moved(500, to: 1, ramp: 0),
      moved(600, to: 0),
    ])
    #expect(found.events.map(\.motion.ramp) == [100, 100, 0, 0])
    #expect(xs(found, at: 350, 499, 500, 600) == [0.5, 0, 1, 0])
  }

  @Test("an event within a ramp begins at the place that was reached")
  func rampsAreInterrupted() {
    let found = timeline([moved(0, to: 0), moved(100, to: 1, ramp: 100), moved(150, to: 0)])
    #expect(xs(found, at: 150, 200, 250) == [0.5, 0.25, 0])
  }

  @Test("an event without position, size and gain leaves a running ramp alone")
  func otherFieldsLeaveRampsAlone() {
    let mode = event(150) {
      $0.headphones = .near
      $0.ramp = 7
      $0.stated = [.headphones, .ramp]
    }
    let found = timeline([moved(0, to: 0), moved(100, to: 1, ramp: 100), mode])
    #expect(xs(found, at: 149, 150, 151, 200) == [0.49, 0.5, 0.51, 1])
    let modes = found.states(at: [149, 150]).map(\.rules.headphones)
    #expect(modes == [.unstated, .near])
    let length = event(400) {
      $0.ramp = 9
      $0.stated = .ramp
    }
    #expect(timeline([moved(0, to: 0), length]).events.isEmpty)
  }

  @Test("a channel falls silent and sounds again at once, and goes on with its ramp meanwhile")
  func silenceComesAtOnce() {
    let switched = { (time: Int64, isActive: Bool) in
      self.event(time) {
        $0.isActive = isActive
        $0.stated = .active
      }
    }
    let found = timeline([
      moved(0, to: 0), moved(100, to: 1, ramp: 100), switched(120, false), switched(180, true),
    ])
    #expect(found.states(at: [119, 120, 179, 180]).map(\.gain) == [1, 0, 0, 1])
    #expect(xs(found, at: 180, 200) == [0.8, 1])
  }

  @Test("of several events at one sample the last one to state a field wins")
  func eventsAtOneSampleAreFolded() {
    let size = event(100) {
      $0.size = Triple(x: 0.5, y: 0.25, z: 0.125)
      $0.stated = .size
    }
    let found = timeline([moved(0, to: 0), moved(100, to: 1, ramp: 50), size, moved(100, to: -1)])
    #expect(found.events.count == 1)
    #expect(xs(found, at: 125, 150) == [-0.5, -1])
    let extent = ObjectExtent(width: 0.5, height: 0.125, depth: 0.25)
    #expect(found.states(at: [150])[0].extent == extent)
  }

  @Test("before a late first event its state is held, and so is the first place of all")
  func firstStatesAreHeld() {
    let found = timeline([moved(100, to: 1, ramp: 50)])
    #expect(found.events.isEmpty)
    #expect(xs(found, at: 0, 100) == [1, 1])
    let first = event(0) {
      $0.gain = 0.5
      $0.stated = .gain
    }
    #expect(timeline([first, moved(100, to: 1, ramp: 50)]).events.isEmpty)
    #expect(timeline([]).start.position == .cartesian(x: 0, y: 1, z: 0))
  }

  @Test("the mark of a silent object's place isn't a place")
  func marksAreNoPlaces() {
    let mark = event(100) {
      $0.position = Triple(x: -2001, y: 2001, z: 0)
      $0.isActive = false
      $0.stated = [.position, .active]
    }
    let found = timeline([moved(0, to: 0.5), mark])
    #expect(found.states(at: [100])[0].gain == 0)
    #expect(xs(found, at: 100) == [0.5])
  }

  @Test("events in any order give the states of those sorted by time")
  func orderWithinAnIDDoesNotCount() {
    let events = [
      moved(0, to: 0), moved(100, to: 1, ramp: 100), moved(300, to: 0), moved(500, to: 1, ramp: 0),
    ]
    #expect(timeline(events.reversed()).events == timeline(events).events)
  }

  /// Random events, with fields and times at random.
  private func randomEvents(_ count: Int) -> [MasterEvent] {
    (0..<count).map { _ in
      event(Int64.random(in: 0..<400)) {
        $0.position = Triple(
          x: .random(in: -1...1), y: .random(in: -1...1), z: .random(in: -1...1))
        let size = Double.random(in: 0...1)
        $0.size = Triple(x: size, y: size, z: size)
        $0.gain = .random(in: 0...2)
        $0.isActive = Int.random(in: 0..<4) > 0
        $0.ramp = [0, 1, 32, 100, 300].randomElement() ?? 0
        $0.stated = MasterEvent.Fields(rawValue: .random(in: 0..<2048))
      }
    }
  }

  /// A slow reference: goes from sample to sample with all values as plain numbers.
  private func reference(_ events: [MasterEvent], frames: Int64) -> [[Double]] {
    let sorted = events.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }.map(\.element)
    var held = MasterEvent()
    // Events of one sample are one, of which the last has the place.
    let placed = sorted.filter { $0.stated.contains(.position) }
    held.position = placed.last { $0.time == placed.first?.time }?.position ?? held.position
    let values = { [held.position.x, held.position.y, held.position.z, held.size.x, held.gain] }
    var (now, from, to) = (values(), values(), values())
    var (begin, length): (Int64, Int64) = (0, 0)
    let first = sorted.first?.time ?? 0
    for event in sorted where event.time == first { held.take(event) }
    (now, from, to) = (values(), values(), values())
    return (0..<frames).map { sample in
      let here = sorted.filter { $0.time == sample && sample > first }
      for event in here { held.take(event) }
      let passed = sample - begin
      now =
        passed >= length
        ? to : zip(from, to).map { $0 + ($1 - $0) * Double(passed) / Double(length) }
      if here.contains(where: { !$0.stated.isDisjoint(with: [.position, .size, .gain]) }) {
        (from, to, begin, length) = (now, values(), sample, held.ramp)
        if length == 0 { now = to }
      }
      return now.dropLast() + [held.isActive ? now[4] : 0]
    }
  }

  @Test("states at every sample are those of a plain reference")
  func statesAreThoseOfTheReference() {
    for _ in 0..<Soak.rounds(50, soak: 5000) {
      let events = randomEvents(.random(in: 0...12))
      let found = timeline(events, frames: 800).states(at: 0..<800)
      let differing = zip(found, reference(events, frames: 800)).first { state, values in
        let all = state.position.coordinates + [state.extent.width, state.gain]
        return !zip(all, values).allSatisfy { ($0 - $1).magnitude < 1e-12 }
      }
      #expect(differing == nil, "\(events)")
    }
  }

  @Test("changes of all channels come in the order of their times")
  func updatesAreOrdered() throws {
    for _ in 0..<Soak.rounds(20, soak: 500) {
      var events = MasterEvents(file: "x")
      var root = MasterRoot(file: "x")
      for id in 0..<6 {
        root.presentation.channels.append(
          MasterChannel(id: id, label: id < 2 ? .left : nil))
        events.byID[id] = randomEvents(20)
      }
      let scene = MasterScene(root, events, frames: 350, log: DAMFLog())
      let updates = Array(scene.updates)
      #expect(
        zip(updates, updates.dropFirst()).allSatisfy { ($0.at, $0.plane) < ($1.at, $1.plane) })
      #expect(updates.count == scene.timelines.reduce(0) { $0 + $1.events.count })
      #expect(updates.allSatisfy { $0.at > 0 && $0.at < 350 })
    }
  }
}
