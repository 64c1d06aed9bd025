// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import ADM

/// The changes of an object that its blocks come to.
@Suite struct ItemTimelineTests {
  private func time(_ numerator: Int64, _ denominator: Int64 = 1000) -> ADMTime {
    ADMTime(numerator, over: denominator) ?? .zero
  }

  private func block(_ start: ADMTime, _ duration: ADMTime, gain: Double) -> AudioBlock {
    var block = AudioBlock()
    (block.start, block.duration, block.gain) = (start, duration, gain)
    block.flags = [.hasStart, .hasDuration]
    return block
  }

  private func item(_ blocks: [AudioBlock], details: [BlockDetails] = []) -> RenderingItem {
    let format = AudioChannelFormat(
      id: ElementID(known: "AC_00031001"), name: "voice", kind: .objects, blocks: blocks,
      details: details)
    return RenderingItem(
      kind: .objects, channels: [.init(samples: .track(0), format: format)], start: .zero,
      end: nil, gain: 0.5, offset: nil, importance: 10, packs: [], scene: SceneDetails(),
      screen: ReferenceScreen(), blockThreshold: 0, isHeadLocked: false, content: nil, object: nil)
  }

  private func events(_ item: RenderingItem, rate: Int = 48_000) throws -> [ItemTimeline.Event] {
    var timeline = ItemTimeline(item, states: ItemStates(version: 2), rate: rate)
    #expect(timeline.start.gain == 0)
    var events: [ItemTimeline.Event] = []
    while let event = try timeline.advance() { events.append(event) }
    return events
  }

  @Test("two adjacent blocks are joined by a ramp of 960 samples, and silence follows")
  func blocksThatFollowEachOtherAreJoinedByRamps() throws {
    let found = try events(
      item([block(time(0), time(10), gain: 1), block(time(10), time(20), gain: 0.2)]))
    #expect(found.map(\.at) == [0, 480, 1440])
    #expect(found[0].motion.isResting && found[0].motion.state.gain == 0.5)
    #expect(found[1].motion.ramp == 960 && found[1].motion.lead == 0)
    #expect(found[1].motion.origin.gain == 0.5 && found[1].motion.target.gain == 0.1)
    // Behind the last block it is silent.
    #expect(found[2].motion.isResting && found[2].motion.state.gain == 0)
  }

  @Test("a gap between blocks is silent and ends with a jump")
  func aGapIsSilentAndEndsWithAJump() throws {
    let found = try events(
      item([block(time(5), time(5), gain: 1), block(time(20), time(10), gain: 1)]))
    #expect(found.map(\.at) == [240, 480, 960, 1440])
    #expect(found.map(\.motion.state.gain) == [0.5, 0, 0.5, 0])
    #expect(found.allSatisfy { $0.motion.isResting })
  }

  @Test("a jump rests without interpolation length, and one of 2 ms ramps for 96 samples")
  func jumpsTakeTheirInterpolationLength() throws {
    var jump = block(time(10), time(20), gain: 0.2)
    jump.flags.insert(.jumps)
    let first = block(time(0), time(10), gain: 1)
    #expect(try events(item([first, jump]))[1].motion.isResting)
    var details = BlockDetails()
    details.object.interpolation = time(2)
    jump.details = 0
    #expect(try events(item([first, jump], details: [details]))[1].motion.ramp == 96)
  }

  /// At 10.01 ms a block begins 0.48 samples behind sample 480, so its first sample is 481, and 0.52 samples of
  /// the ramp have passed there.
  @Test("a ramp from 10.01 ms begins at sample 481 with a lead of 0.52")
  func rampsMayBeginBetweenSamples() throws {
    let begin = time(1001, 100_000)
    let found = try events(
      item([block(.zero, begin, gain: 1), block(begin, time(1, 100), gain: 0)]))
    #expect(found[1].at == 481)
    #expect((found[1].motion.lead - 0.52).magnitude < 1e-12)
    #expect((found[1].motion.ramp - 480).magnitude < 1e-9)
  }

  /// A block that holds no sample sounds nowhere, but the ramp that follows begins in its state.
  @Test("a block that holds no sample is the origin of the next ramp")
  func aBlockBetweenTwoSamplesCounts() throws {
    let (one, two) = (time(100_001, 10_000_000), time(100_002, 10_000_000))
    let found = try events(
      item([
        block(.zero, one, gain: 1), block(one, time(1, 10_000_000), gain: 0.4),
        block(two, time(10), gain: 0.2),
      ]))
    #expect(found.map(\.at).dropLast() == [0, 481])
    #expect(found[1].motion.origin.gain == 0.2)
  }

  @Test("a block without times gives one event at 0 and no end")
  func aBlockWithoutTimesLastsForever() throws {
    var whole = AudioBlock()
    whole.gain = 1
    let found = try events(item([whole]))
    #expect(found.map(\.at) == [0])
  }

  /// A block that headphones shall leave as it is counts more than what its track wants for headphones.
  @Test("a block that bypasses headphones is off in any mode, and a plain one has the track's mode")
  func blocksBypassHeadphones() throws {
    var (plain, bypassing) = (AudioBlock(), AudioBlock())
    (plain.details, bypassing.details) = (0, 1)
    var details = BlockDetails()
    details.bypassesHeadphones = true
    let item = item([plain, bypassing], details: [BlockDetails(), details])
    let format = try #require(item.channels.first?.format)
    for modes in [[.far], [.unstated], []] as [[ObjectRules.HeadphoneMode]] {
      let states = ItemStates(version: 2, modes: modes)
      #expect(
        format.blocks.map { states.state(of: $0, in: format, of: item).rules.headphones }
          == [modes.first ?? .unstated, .off])
    }
  }

  @Test(
    "a block's position, size, lock, divergence and zones become state and rules with the offset added"
  )
  func valuesOfBlocksBecomeRules() throws {
    var whole = AudioBlock()
    whole.position = Position(20, 10, 0.5)
    whole.size = Position(30, 20, 0.1)
    whole.diffuse = 0.25
    whole.flags = [.isLocked, .isHeadLocked]
    whole.details = 0
    var details = BlockDetails()
    details.object.divergence = 0.5
    details.object.lockDistance = 0.3
    details.object.zones = [
      .box(least: Position(-1, -1, -1), greatest: Position(1, 0, 1)),
      .box(least: Position(1, 0, 0), greatest: Position(-1, 0, 0)),
    ]
    var object = item([whole], details: [details])
    object.offset = PositionOffset(isCartesian: false, offset: Position(-30, 5, -1))
    let state = try #require(try events(object).first).motion.state
    #expect(state.position == .polar(Direction(azimuth: -10, elevation: 15), distance: 0))
    #expect(state.extent == ObjectExtent(width: 30, height: 20, depth: 0.1))
    #expect(state.diffuse == 0.25 && state.rules.isHeadLocked)
    #expect(state.rules.lock == ObjectRules.ChannelLock(within: 0.3))
    #expect(state.rules.divergence == ObjectRules.Divergence(value: 0.5, range: 0))
    #expect(state.rules.zones == [.box(x: -1...1, y: -1...0, z: -1...1)])
    // Before version 2, 45° are meant where no range is stated.
    let old = ItemStates(version: 1).state(of: whole, in: object.channels[0].format, of: object)
    #expect(old.rules.divergence?.range == 45)
  }

  @Test("a block of importance 2 below a threshold of 5 is silent")
  func unimportantBlocksAreSilent() throws {
    var (first, second) = (
      block(time(0), time(10), gain: 1), block(time(10), time(10), gain: 1)
    )
    (first.importance, second.importance) = (9, 2)
    var object = item([first, second])
    object.blockThreshold = 5
    #expect(try events(object).map(\.motion.target.gain) == [0.5, 0])
  }

  @Test("nested mixes become sums of tracks with delays in samples, and a delay of 20 s is refused")
  func mixesBecomeSumsOfTracks() throws {
    let inner = SampleSource.mix([
      .init(gain: 0.5, delay: 1, source: .track(3)), .init(gain: 1, delay: 0, source: .silence),
    ])
    let source = SampleSource.mix([
      .init(gain: 2, delay: 0.02, source: inner), .init(gain: -1, delay: 0, source: .track(0)),
    ])
    // 0.02 ms are 0.96 samples, rounded to 1; 1 ms is 48.
    #expect(
      try SampleTerms(source, rate: 48_000).terms == [
        .init(track: 3, gain: 1, delay: 49), .init(track: 0, gain: -1, delay: 0),
      ])
    #expect(throws: ADMError.self) {
      try SampleTerms(
        .mix([.init(gain: 1, delay: 20_000, source: .track(0))]), rate: 48_000)
    }
  }
}
