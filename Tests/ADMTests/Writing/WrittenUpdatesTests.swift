// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import ADM

@Suite struct WrittenUpdatesTests {
  private let length = 20_000

  /// Updates with ramps and leads that aren't whole, some at one sample, some in the middle of a ramp.
  private func updates(_ noise: inout SeededNoise) -> [ObjectUpdate] {
    var updates: [ObjectUpdate] = []
    var at: Int64 = 40
    func state() -> ObjectState {
      ObjectState(
        position: .polar(
          Direction(
            azimuth: Double.random(in: -180...180, using: &noise),
            elevation: Double.random(in: -90...90, using: &noise)),
          distance: 1), gain: Double.random(in: 0...2, using: &noise))
    }
    while at < length {
      let kind = Int.random(in: 0..<6, using: &noise)
      let ramp = [0, 1, 480, 0.4, 1.5, 700.25][Int.random(in: 0..<6, using: &noise)]
      let lead = [0, 0.5, 1][Int.random(in: 0..<3, using: &noise)]
      if kind == 0 {
        let motion = ObjectMotion(
          from: state(), to: state(), ramp: ramp, lead: min(lead, ramp),
          elapsed: Int.random(in: 0..<200, using: &noise))
        updates.append(ObjectUpdate(plane: 2, at: at, motion: motion))
      } else {
        updates.append(
          ObjectUpdate(plane: 2, at: at, ramp: ramp, lead: min(lead, ramp), state: state()))
      }
      if Int.random(in: 0..<5, using: &noise) > 0 {
        at += [2, 3, 480, 333, 900][Int.random(in: 0..<5, using: &noise)]
      }
    }
    return updates
  }

  @Test("written updates come back within 0.36° and 0.36 of gain of their states around each edge")
  func objectsAreInTheSameStatesAtEverySample() throws {
    for seed in 0..<12 {
      var noise = SeededNoise(seed: UInt64(seed))
      let start = ObjectState(gain: 0.25)
      let programme = Programme(
        sampleRate: 48000, elements: [.bed(.stereo), .object(name: nil, start: start)])
      let block = ProgrammeBlock(programme)
      block.appendSilence(length)
      let changes = updates(&noise)
      for update in changes { block.add(update) }
      let blocks = WrittenBlock.list(from: start, updates: changes, plane: 2)
      let read = try ReadBack(
        WrittenProgramme(
          name: "", sampleRate: 48000, length: Int64(length),
          elements: [.object(name: "", blocks)]))
      #expect(read.findings.isEmpty)
      let ends = changes.flatMap { (update: ObjectUpdate) -> [Int64] in
        [update.at, update.at + Int64(update.ramp)]
      }
      let near = ends.flatMap { (end: Int64) -> [Int64] in Array(end - 2...end + 3) }
      for sample in Set(near) where (0..<Int64(length)).contains(sample) {
        let wanted = try #require(block.motion(of: 2, at: sample)).state
        let got = try #require(read.state(of: 0, at: sample))
        guard case .polar(let a, _) = got.position, case .polar(let b, _) = wanted.position else {
          Issue.record("not polar")
          return
        }
        let turn = (a.azimuth - b.azimuth).magnitude
        let gap = max(
          min(turn, 360 - turn), (a.elevation - b.elevation).magnitude,
          (got.gain - wanted.gain).magnitude)
        // A ramp that was under way is a thousandth of a sample late; the shortest lasts half a sample.
        #expect(gap < 0.36, "seed \(seed), sample \(sample): \(gap)")
      }
    }
  }

  @Test("a ramp under way is written as its present state and the rest of the ramp")
  func aRampThatIsUnderWayGoesOn() {
    let (from, to) = (ObjectState(gain: 0), ObjectState(gain: 1))
    let motion = ObjectMotion(from: from, to: to, ramp: 100, elapsed: 50)
    let update = ObjectUpdate(plane: 0, at: 0, motion: motion)
    #expect(
      WrittenBlock.list(from: from, updates: [update], plane: 0) == [
        WrittenBlock(start: 0, state: ObjectState(gain: 0.5)),
        WrittenBlock(start: 1, lead: 0.999, ramp: 49.999, state: to),
      ])
  }

  @Test("updates of another plane leave the start state alone")
  func otherPlanesAreLeftOut() {
    let start = ObjectState(gain: 0.25)
    let update = ObjectUpdate(plane: 1, at: 5, state: ObjectState())
    #expect(
      WrittenBlock.list(from: start, updates: [update], plane: 2) == [
        WrittenBlock(start: 0, state: start)
      ])
  }
}
