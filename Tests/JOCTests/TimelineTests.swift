// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import JOC
@testable import ObjectMetadata

/// When objects move, and where to.
@Suite struct TimelineTests {
  /// A frame of one dynamic object with these blocks.
  private func frame(
    _ blocks: [(offset: Int, ramp: Int, info: ObjectInfo)], offset: Int = 0
  ) -> ObjectFrame {
    let frame = ObjectFrame()
    frame.assignment.isDynamicOnly = true
    frame.assignment.count = 1
    frame.sampleOffset = offset
    for (index, block) in blocks.enumerated() {
      frame.blocks.append(ObjectFrame.Block(offset: block.offset, ramp: block.ramp))
      frame.row(0)[index] = block.info
    }
    return frame
  }

  private func info(_ x: Int, _ y: Int, _ z: Int, gain: Int? = 0) -> ObjectInfo {
    var info = ObjectInfo()
    (info.isActive, info.gain) = (true, gain)
    info.position = ObjectInfo.Axes(x: x, y: y, z: z)
    return info
  }

  private func updates(_ timeline: inout ObjectTimeline, before end: Int64) -> [ObjectUpdate] {
    var found: [ObjectUpdate] = []
    timeline.take(before: end) { found.append($0) }
    return found
  }

  @Test("an update begins at its sample with all offsets, and the first one jumps")
  func anUpdateBeginsAtItsSample() {
    var timeline = ObjectTimeline([ObjectStates.initial])
    timeline.add(
      frame([(0, 1536, info(0, 0, 0)), (512, 777, info(62, 62, 15))], offset: 18), start: 1536,
      delay: 5, objects: [0])
    #expect(updates(&timeline, before: 1815).isEmpty)
    let found = updates(&timeline, before: 10_000)
    #expect(found.map(\.at) == [1815, 2327], "1536 + 256 + 18 + 5")
    // The first update of a stream jumps.
    #expect(found.map(\.ramp) == [0, 777])
    #expect(found.map(\.state.position.coordinates) == [[-1, 1, 0], [1, -1, 1]])
  }

  @Test("an update that changes nothing is left out, except during a ramp")
  func anUpdateThatChangesNothingIsLeftOut() {
    var timeline = ObjectTimeline([ObjectStates.initial])
    for index in 0..<3 {
      timeline.add(
        frame([(0, 1536, info(31, 0, 0))]), start: Int64(1536 * index), delay: 0, objects: [0])
    }
    #expect(updates(&timeline, before: 10_000).map(\.at) == [256])
    // During a ramp even the same target begins a ramp of its own.
    for (index, x) in [62, 62].enumerated() {
      timeline.add(
        frame([(0, 2000, info(x, 0, 0))]), start: Int64(1536 * (3 + index)), delay: 0, objects: [0])
    }
    #expect(updates(&timeline, before: 10_000).map(\.at) == [4864, 6400])
  }

  /// Blocks of one payload may lie behind the next payload's first one.
  @Test("updates come in the order of their times over the edges of payloads")
  func updatesComeInTheOrderOfTheirTimes() {
    var timeline = ObjectTimeline([ObjectStates.initial])
    timeline.add(
      frame([(0, 0, info(0, 0, 0)), (2016, 0, info(9, 0, 0))]), start: 0, delay: 0, objects: [0])
    timeline.add(frame([(0, 0, info(20, 0, 0))]), start: 1536, delay: 0, objects: [0])
    #expect(updates(&timeline, before: 1536).map(\.at) == [256])
    #expect(updates(&timeline, before: 5000).map(\.at) == [1792, 2272])
  }

  /// Whether an update changes anything depends on the one before it in time, not on the one that was read before it.
  @Test(
    "an object goes to the place of its latest update in time, taken by steps or at once",
    arguments: [Int64(1536), 9000])
  func anObjectGoesWhereItsLatestUpdateSendsIt(step: Int64) {
    var timeline = ObjectTimeline([ObjectStates.initial])
    let frames = [
      frame([(0, 0, info(0, 0, 0)), (2016, 0, info(9, 0, 0))]), frame([(0, 0, info(20, 0, 0))]),
      frame([(0, 0, info(20, 0, 0)), (2016, 0, info(20, 0, 0))]), frame([(0, 0, info(7, 0, 0))]),
    ]
    var found: [ObjectUpdate] = []
    for (index, frame) in frames.enumerated() {
      let start = Int64(1536 * index)
      timeline.add(frame, start: start, delay: 0, objects: [0])
      // Nothing before the next frame's first block can come any more.
      if step == 1536 { found += updates(&timeline, before: start + step + 256) }
    }
    found += updates(&timeline, before: 9000)
    #expect(found.map(\.at) == [256, 1792, 2272, 3328, 4864, 5344])
    let places = [0, 20, 9, 20, 7, 20].map {
      ObjectStates.state(info($0, 0, 0), before: ObjectStates.initial).position
    }
    #expect(found.map(\.state.position) == places)
  }

  /// An object that still has a ramp before it doesn't rest, though an update with a shorter way came later.
  @Test("an update to the same place is kept while a ramp before it is still to come")
  func aRampThatIsStillToComeKeepsUpdates() {
    var timeline = ObjectTimeline([ObjectStates.initial])
    timeline.add(
      frame([(0, 0, info(0, 0, 0)), (2016, 500, info(9, 0, 0))]), start: 0, delay: 0, objects: [0])
    timeline.add(
      frame([(0, 0, info(20, 0, 0)), (708, 0, info(20, 0, 0))]), start: 1536, delay: 0,
      objects: [0])
    let found = updates(&timeline, before: 5000)
    #expect(found.map(\.at) == [256, 1792, 2272, 2500])
    #expect(found.last?.state.position == found[1].state.position)
  }

  @Test("an inactive object is silent where it was, and a gain of −6 dB is 0.501")
  func anInactiveObjectIsSilentWhereItWas() {
    let start = ObjectStates.state(info(62, 0, 0), before: ObjectStates.initial)
    let state = ObjectStates.state(.defaults, before: start)
    #expect(state.gain == 0 && state.position == start.position)
    #expect(ObjectStates.state(info(0, 0, 0, gain: nil), before: start).gain == 0)
    #expect(abs(ObjectStates.state(info(0, 0, 0, gain: -6), before: start).gain - 0.501187) < 1e-6)
  }

  /// Ends of the boxes, for loudspeakers that stand between the usual places.
  @Test(
    "places at the bounds of each zone are inside or outside",
    arguments: [
      (2, 0.5, 0.7, true), (2, 0.45, 0.7, false), (2, 1, 0.8, false), (2, 1, -0.6, false),
      (3, 0.3, 1, true), (3, 0.2, 1, false), (3, 1, -0.4, true), (3, 1, -0.6, false),
      (1, 0, -0.6, true), (1, 0, -0.4, false), (4, 0, 0.7, true), (4, 0, 0.8, false),
      (5, 0, 0.8, true), (5, 0, 0.7, false),
    ] as [(Int, Double, Double, Bool)])
  func zonesHaveTheirBounds(zone: Int, x: Double, y: Double, isInside: Bool) {
    var info = ObjectInfo()
    info.zone = zone
    for place in [x, -x] {
      let isFound = ObjectStates.zones(info).contains { zone in
        guard case .box(let across, let ahead, let up) = zone else { return false }
        return across.contains(place) && ahead.contains(y) && up.contains(0)
      }
      #expect(isFound == isInside, "\(place)")
    }
  }

  @Test("positions, sizes and distances become coordinates, extents and locks of the room")
  func positionsAreThoseOfTheRoom() {
    var fine = info(10, 62, -7)
    fine.precision = ObjectInfo.Axes(x: 2, y: 1, z: -2)
    fine.size = ObjectInfo.Axes(x: 31, y: 0, z: 15)
    fine.isSnapped = true
    let state = ObjectStates.state(fine, before: ObjectStates.initial)
    let wanted = [2 * (10.0 / 62 + 2.0 / 310) - 1, -1, -7.0 / 15 - 2.0 / 75]
    for (one, other) in zip(state.position.coordinates, wanted) {
      #expect(abs(one - other) < 1e-12)
    }
    #expect(state.extent == ObjectExtent(width: 1, height: 15.0 / 31, depth: 0))
    #expect(state.rules.lock == ObjectRules.ChannelLock())
    // A stated distance leads to the wall.
    var far = info(31, 15, 3)
    far.distance = .factor(2)
    let place = ObjectStates.state(far, before: ObjectStates.initial).position.coordinates
    #expect(abs(place[0]) < 1e-12 && place[1] == 1 && abs(place[2] - 0.2 / (1 - 30.0 / 62)) < 1e-12)
  }

  /// Loudspeakers of 7.1.4 that each constraint leaves, by the boxes.
  @Test(
    "each zone leaves its loudspeakers of 7.1.4",
    arguments: [
      (0, true, "L R C Ls Rs Lb Rb Tfl Tfr Tbl Tbr"), (1, true, "L R C Ls Rs Tfl Tfr"),
      (2, true, "L R C Lb Rb Tfl Tfr Tbl Tbr"), (3, true, "C Lb Rb Tbl Tbr"), (4, true, "L R C"),
      (5, true, "Ls Rs Lb Rb Tfl Tfr Tbl Tbr"), (0, false, "L R C Ls Rs Lb Rb"),
      (1, false, "L R C Ls Rs"),
    ])
  func zonesLeaveTheirLoudspeakers(zone: Int, hasElevation: Bool, wanted: String) {
    let places: [(String, Double, Double, Double)] = [
      ("L", -1, 1, 0), ("R", 1, 1, 0), ("C", 0, 1, 0), ("Ls", -1, 0, 0), ("Rs", 1, 0, 0),
      ("Lb", -1, -1, 0), ("Rb", 1, -1, 0), ("Tfl", -1, 1, 1), ("Tfr", 1, 1, 1),
      ("Tbl", -1, -1, 1), ("Tbr", 1, -1, 1),
    ]
    var info = ObjectInfo()
    (info.zone, info.hasElevation) = (zone, hasElevation)
    let left = places.filter { place in
      !ObjectStates.zones(info).contains { zone in
        guard case .box(let x, let y, let z) = zone else { return true }
        return x.contains(place.1) && y.contains(place.2) && z.contains(place.3)
      }
    }
    #expect(left.map(\.0).joined(separator: " ") == wanted)
  }
}

/// Gains of bed channels, which have no updates in a programme.
@Suite struct BedGainTests {
  @Test("a gain ramp over eight samples is applied sample by sample across blocks")
  func aRampOfTheGainIsAppliedSampleBySample() {
    var gains = BedGains(1)
    var samples: [Float] = Array(repeating: 1, count: 12)
    var state = ObjectState()
    state.gain = 0.5
    samples.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      gains.apply(0, to: base, count: 2)
      gains.take(ObjectUpdate(plane: 0, at: 2, ramp: 8, state: state))
      gains.apply(0, to: base + 2, count: 3)
      gains.apply(0, to: base + 5, count: 7)
    }
    let wanted: [Float] = [1, 1] + (0..<8).map { 1 - Float($0) / 16 } + [0.5, 0.5]
    #expect(samples == wanted)
  }
}
