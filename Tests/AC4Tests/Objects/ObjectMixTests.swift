// SPDX-License-Identifier: Apache-2.0
import Foundation
import Signal
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

/// Joint object coding with random settings and values against plain code in double precision: every number of bands,
/// both resolutions, differences over time and frequency, one or two data points, ramps over several frames, and
/// decorrelators that come and go.
@Suite struct ObjectMixTests {
  private static let frames = 6

  /// One stream of a few frames: what was written, and what is made of it.
  private struct Run {
    var written: [SlowObjects.Frame] = []
    var found: [SlowCoupling.Signal] = []
    var wanted: [SlowCoupling.Signal] = []
    var counts = (time: 0, frequency: 0)

    init(
      inputs: Int, objects: Int, slots: Int, _ choice: SyntheticObjects.Choice = .init(),
      seed: UInt64, dialogueGain: Double = 0
    ) throws {
      var noise = SeededNoise(seed: seed)
      var writer = SyntheticObjects(inputs: inputs, objects: objects, slots: slots, choice)
      let reader = AJOCReader(inputs: inputs, objects: objects, slots: slots)
      let mixer = AJOCMixer(inputs: inputs, objects: objects, slots: slots)
      mixer.dialogueGain = dialogueGain
      let frame = AJOCFrame(inputs: inputs, objects: objects)
      let input = (0..<inputs).map { _ in SubbandFrame(slots: slots) }
      let output = (0..<objects).map { _ in SubbandFrame(slots: slots) }
      let signals = (0..<inputs).map { _ in SubbandSamples.noise(frames * slots, &noise) }
      found = Array(repeating: [], count: objects)
      for number in 0..<frames {
        var bits = BitWriter()
        var values = writer.write(&bits, &noise)
        bits.align()
        let used = try AJOCKernelTests.read(
          bits.bytes, reader, into: frame, isIFrame: number == 0)
        #expect((used + 7) / 8 == bits.bytes.count, "frame \(number)")
        reader.commit()
        Run.compare(frame, values)
        if dialogueGain > 0 {
          Run.markDialogue(frame, &values, dialogueGain)
        }
        written.append(values)
        for (frame, signal) in zip(input, signals) {
          SubbandSamples.fill(frame, signal, number)
        }
        mixer.process(frame, input, into: output)
        for (object, frame) in output.enumerated() { found[object] += SubbandSamples.read(frame) }
      }
      counts = writer.written
      wanted = SlowObjects(slots: slots, inputs: inputs, frames: written).objects(signals)
    }

    /// Every second object is dialogue; the stream allows 6 dB.
    private static func markDialogue(
      _ frame: AJOCFrame, _ values: inout SlowObjects.Frame, _ gain: Double
    ) {
      frame.maximumGain = 1
      for object in 0..<frame.count {
        frame.objects.base[object].isDialogue = object % 2 == 0
        values.gains[object] = object % 2 == 0 ? pow(10, min(gain, 6) / 20) : 1
      }
    }

    private static func compare(_ frame: AJOCFrame, _ values: SlowObjects.Frame) {
      #expect(frame.decorrelators == values.decorrelators)
      #expect((0..<7).map { frame.enabled >> $0 & 1 == 1 } == values.enabled)
      let points = (0..<frame.pointCount).map { frame.points.base[$0] }
      #expect(points.map(\.start) == values.points.map(\.start))
      #expect(points.map(\.length) == values.points.map(\.length))
      for (object, wanted) in values.objects.enumerated() {
        #expect(frame.objects.base[object].isPresent == (wanted != nil))
        guard let wanted else { continue }
        for point in values.points.indices {
          for (row, own) in (wanted.dry[point] + wanted.wet[point]).enumerated() {
            let found = (0..<own.count).map { Int(frame.row(object, point, row)[$0]) }
            #expect(found == own, "object \(object), point \(point), row \(row)")
          }
        }
      }
    }

    /// The largest difference, of the largest value.
    var error: Double {
      SubbandSamples.error(found.flatMap(\.self), wanted.flatMap(\.self))
    }
  }

  @Test(
    "A-JOC mixes of random parameters are the standard's steps",
    arguments: [6, 8, 12, 15, 16, 24, 30, 32]) func mixesAreThoseOfTheSteps(slots: Int) throws
  {
    var worst = 0.0
    var counts = (time: 0, frequency: 0)
    for (place, inputs) in [1, 2, 3, 5, 9].enumerated() {
      let run = try Run(
        inputs: inputs, objects: [3, 1, 5, 4, 2][place], slots: slots,
        seed: UInt64(100 * slots + place))
      #expect(run.error < 2e-6, "\(inputs) inputs: \(run.error)")
      worst = max(worst, run.error)
      counts.time += run.counts.time
      counts.frequency += run.counts.frequency
    }
    #expect(counts.time > 50 && counts.frequency > 50)
  }

  /// Every number of bands in both resolutions, with and without decorrelators, one or two data points.
  @Test(
    "A-JOC mixes of each resolution and number of bands are the standard's steps", arguments: 0...7)
  func everyFormIsThatOfTheSteps(bandCode: Int) throws {
    for isCoarse in [false, true] {
      for decorrelators in [0, 1, 3, 7] {
        for points in [1, 2] {
          let choice = SyntheticObjects.Choice(
            bandCodes: [bandCode], resolutions: [isCoarse],
            decorrelators: decorrelators...decorrelators, pointCounts: [points], lengths: 1...12,
            hasGaps: false)
          let run = try Run(
            inputs: 3, objects: 3, slots: 8, choice,
            seed: UInt64(bandCode * 100 + decorrelators * 10 + points + (isCoarse ? 5 : 0)))
          #expect(run.error < 2e-6, "\(isCoarse) \(decorrelators) \(points): \(run.error)")
          #expect(run.counts.time > 0 && run.counts.frequency > 0)
        }
      }
    }
  }

  /// Dialogue is raised in what is mixed, not in what decorrelators hear.
  @Test(
    "raised A-JOC dialogue is the standard's steps, and the other objects keep their bits",
    arguments: [3.0, 12.0])
  func dialogueIsRaised(gain: Double) throws {
    let plain = try Run(inputs: 3, objects: 4, slots: 8, seed: 77)
    let raised = try Run(inputs: 3, objects: 4, slots: 8, seed: 77, dialogueGain: gain)
    #expect(raised.error < 2e-6, "\(raised.error)")
    #expect(plain.found[1] == raised.found[1] && plain.found[0] != raised.found[0])
  }

  /// A frame that can't be read keeps the coefficients, and a ramp runs on.
  @Test("a lost frame holds the A-JOC coefficients reached") func aLostFrameHoldsWhatWasReached()
    throws
  {
    let slots = 8
    let mixer = AJOCMixer(inputs: 1, objects: 1, slots: slots)
    let frame = AJOCFrame(inputs: 1, objects: 1)
    frame.pointCount = 1
    frame.points.base[0] = AJOCFrame.Point(start: 3, length: 16)
    frame.objects.base[0] = AJOCFrame.Object(isPresent: true, bandCode: 7, isCoarse: true)
    frame.row(0, 0, 0)[0] = 30
    let (input, output) = (SubbandFrame(slots: slots), SubbandFrame(slots: slots))
    for subband in 0..<64 {
      for slot in 0..<slots { input.real.row(subband)[slot] = 1 }
    }
    var levels: [Float] = []
    for next in [frame, nil, nil, nil] {
      mixer.process(next, [input], into: [output])
      levels += (0..<slots).map { output.real.row(20)[$0] }
    }
    let full = Float(5 * 0.2001953125)
    for (slot, level) in levels.enumerated() {
      let wanted = full * Float(min(16, max(0, slot - 3))) / 16
      #expect(abs(level - wanted) < 1e-6, "slot \(slot): \(level), not \(wanted)")
    }
  }
}
