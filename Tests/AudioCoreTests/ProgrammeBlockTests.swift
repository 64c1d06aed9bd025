// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@Suite struct ProgrammeBlockTests {
  private let script = ObjectScript(frames: 400, edges: [100, 200, 300], seed: 1)

  private func whole(_ script: ObjectScript, start: Int64 = 0) -> ProgrammeBlock {
    let block = ProgrammeBlock(script.programme, start: start)
    script.append(0..<script.frames, to: block)
    return block
  }

  private func observed(_ block: ProgrammeBlock) -> [ObservedSample] {
    let observer = ObjectObserver(script.programme)
    observer.take(block)
    return observer.samples
  }

  private func expected(_ range: Range<Int>) -> [ObservedSample] {
    range.map { ObservedSample(value: Float($0 + 1), states: script.states(at: $0)) }
  }

  @Test("a block from −70 keeps samples and states on its clock when its front is removed")
  func theBlocksClockBeginsAtItsStart() {
    let block = whole(script, start: -70)
    #expect(block.start == -70 && block.end == 330 && block.frames == 400)
    #expect(observed(block) == expected(0..<400))
    block.removeFirst(100)
    #expect(block.start == 30 && block.end == 330)
    #expect(block.updates.allSatisfy { (30..<330).contains($0.at) })
    #expect(observed(block) == expected(100..<400))
  }

  @Test("a state dropped at the front of a block stays in force")
  func whatIsDroppedAtTheFrontStaysInForce() {
    for count in 0...400 {
      let block = whole(script)
      block.removeFirst(count)
      #expect(observed(block) == expected(count..<400))
    }
  }

  @Test("updates at the cut of a block and behind are dropped") func updatesAtTheCutAndBehindGo() {
    for count in 0...400 {
      let block = whole(script)
      block.truncate(to: count)
      #expect(block.updates.allSatisfy { $0.at < Int64(count) })
      #expect(observed(block) == expected(0..<count))
    }
  }

  @Test("an empty range appends no frames and no updates")
  func anEmptyRangeAppendsNothing() {
    let block = ProgrammeBlock(script.programme)
    block.append(whole(script), range: 100..<100)
    #expect(block.frames == 0 && block.updates.isEmpty)
  }

  @Test("appending a block that goes on adds no updates") func appendingWhatGoesOnAddsNoUpdates() {
    let source = whole(script)
    let block = ProgrammeBlock(script.programme)
    var position = 0
    while position < 400 {
      let count = min(7, 400 - position)
      block.append(source, range: position..<(position + count))
      position += count
    }
    #expect(block.updates == source.updates)
    #expect(observed(block) == expected(0..<400))
  }

  @Test("a ramp stops in silence and goes on after it")
  func inSilenceARampStopsAndGoesOnBehindIt() throws {
    let quiet = Programme(
      sampleRate: 48_000,
      elements: [.bed(.stereo)]
        + [0, 1].map { _ in
          .object(name: nil, start: ObjectState(gain: 0))
        })
    let source = ProgrammeBlock(quiet)
    source.audio.appendSilence(10)
    source.add(ObjectUpdate(plane: 2, at: 0, ramp: 10, state: ObjectState(gain: 1)))
    let block = ProgrammeBlock(quiet)
    block.append(source, range: 0..<5)
    block.appendSilence(3)
    block.append(source, range: 5..<10)
    let gains = (0..<13).map { block.motion(of: 2, at: $0)?.state.gain ?? -1 }
    #expect(gains == [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.5, 0.5, 0.5, 0.6, 0.7, 0.8, 0.9])
  }

  @Test("the later of two updates at one sample begins where the earlier one led")
  func ofTwoUpdatesAtOneSampleTheLaterBeginsWhereTheEarlierLed() {
    let block = whole(script)
    let place = block.end - 1
    block.add(ObjectUpdate(plane: 2, at: place, state: ObjectState(gain: 0.25)))
    block.add(ObjectUpdate(plane: 2, at: place, ramp: 4, state: ObjectState(gain: 1.25)))
    let motion = block.motion(of: 2, at: place)
    #expect(motion?.state.gain == 0.25)
    #expect(motion?.advanced(by: 2).state.gain == 0.75)
    #expect(motion?.advanced(by: 4).isResting == true)
  }

  @Test("planes of a bed and unknown planes have no motion")
  func bedsHaveNoMotion() {
    let block = whole(script)
    #expect(block.motion(of: 0, at: 0) == nil && block.motion(of: 9, at: 0) == nil)
    #expect(block.objectPlanes == [2, 3])
    let bed = ProgrammeBlock(Programme(AudioFormat(sampleRate: 48_000, layout: .stereo)))
    bed.appendSilence(10)
    bed.removeFirst(3)
    #expect(bed.start == 3 && bed.frames == 7 && bed.objectPlanes.isEmpty)
  }

  @Test("a block around a buffer writes into that buffer")
  func aBlockAroundABufferCopiesNothing() {
    let audio = AudioBuffer(channels: 2)
    let block = ProgrammeBlock(
      Programme(AudioFormat(sampleRate: 48_000, layout: .stereo)), audio: audio)
    block.appendSilence(5)
    #expect(audio.frames == 5 && block.audio === audio)
  }
}

/// Random operations against a model that keeps every sample with its states.
@Suite struct ProgrammeBlockModelTests {
  private struct Sample {
    var observed: ObservedSample
    /// States of the objects at this sample without the updates at this sample.
    var carried: [ObjectState]
  }

  private struct Model {
    var samples: [Sample] = []
    /// States of the objects one sample behind the last.
    var next: [ObjectState]

    mutating func append(_ script: ObjectScript, _ range: Range<Int>) {
      guard !range.isEmpty else { return }
      for index in range {
        samples.append(
          Sample(
            observed: ObservedSample(value: Float(index + 1), states: script.states(at: index)),
            carried: index == range.lowerBound ? next : script.statesCarried(to: index)))
      }
      next = script.statesCarried(to: range.upperBound)
    }

    mutating func appendSilence(_ count: Int) {
      for _ in 0..<count {
        samples.append(
          Sample(observed: ObservedSample(value: 0, states: next), carried: next))
      }
    }

    mutating func truncate(to count: Int) {
      guard count < samples.count else { return }
      next = samples[count].carried
      samples.removeLast(samples.count - count)
    }
  }

  /// A random place for a cut: often an update, the beginning or the end.
  private func place(in block: ProgrammeBlock, _ noise: inout SeededNoise) -> Int {
    let edges = block.updates.map { Int($0.at - block.start) } + [0, block.frames]
    return Bool.random(using: &noise)
      ? edges.randomElement(using: &noise) ?? 0 : Int.random(in: 0...block.frames, using: &noise)
  }

  @Test("random cuts and joins of blocks keep all states and samples", arguments: 0..<40)
  func randomOperations(seed: Int) {
    var noise = SeededNoise(seed: UInt64(seed))
    let scripts = (0..<3).map {
      ObjectScript(frames: 300, edges: [50, 150], seed: UInt64(100 * seed + $0))
    }
    let sources = scripts.map { script in
      let block = ProgrammeBlock(
        script.programme, start: Int64.random(in: -1000...1000, using: &noise))
      script.append(0..<300, to: block)
      return block
    }
    let block = ProgrammeBlock(scripts[0].programme, start: 12_345)
    var model = Model(next: scripts[0].starts)
    var dropped = 0
    for _ in 0..<60 {
      switch Int.random(in: 0..<6, using: &noise) {
      case 0, 1, 2:
        let number = Int.random(in: 0..<3, using: &noise)
        let from = place(in: sources[number], &noise)
        let range = from..<min(300, from + Int.random(in: 0...80, using: &noise))
        block.append(sources[number], range: range)
        model.append(scripts[number], range)
      case 3:
        let count = Int.random(in: 0...20, using: &noise)
        block.appendSilence(count)
        model.appendSilence(count)
      case 4:
        let count = place(in: block, &noise)
        block.removeFirst(count)
        model.samples.removeFirst(count)
        dropped += count
      default:
        let count = place(in: block, &noise)
        block.truncate(to: count)
        model.truncate(to: count)
      }
      let observer = ObjectObserver(scripts[0].programme)
      observer.take(block)
      #expect(observer.samples == model.samples.map(\.observed))
      #expect(block.start == 12_345 + Int64(dropped) && block.frames == model.samples.count)
      #expect(block.updates.allSatisfy { $0.at >= block.start && $0.at < block.end })
      #expect(zip(block.updates, block.updates.dropFirst()).allSatisfy { $0.at <= $1.at })
    }
  }
}
