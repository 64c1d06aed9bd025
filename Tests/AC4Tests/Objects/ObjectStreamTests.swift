// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import ObjectMetadata
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

/// Whole streams of objects: every signal goes to its objects with its gains, and updates are where they belong.
@Suite struct ObjectStreamTests {
  struct Case: CustomTestStringConvertible {
    let signals: Int
    var isExtended = false
    var isStatic = false
    var bedCode: Int?
    var hasLFE = true

    var testDescription: String {
      "\(signals) signals, A-SPX \(isExtended), static \(isStatic), bed \(bedCode ?? -1), LFE \(hasLFE)"
    }
  }

  static let cases =
    (1...7).flatMap { signals in
      [false, true].map { Case(signals: signals, isExtended: $0, hasLFE: signals % 2 == 0) }
    }
    + [
      Case(signals: 5, isStatic: true), Case(signals: 5, isStatic: true, hasLFE: false),
      Case(signals: 3, bedCode: 1), Case(signals: 4, bedCode: 2, hasLFE: false),
    ]

  static func decode(
    _ frames: [ObjectStream.Frame], _ options: AC4DecoderOptions = .init()
  ) throws -> (decoder: AC4Decoder, block: ProgrammeBlock) {
    let decoder = try AC4Decoder(rawFrame: frames[0].raw, options: options)
    let programme = Programme(sampleRate: decoder.format.sampleRate, elements: decoder.elements)
    let block = ProgrammeBlock(programme)
    for frame in frames { try decoder.decode(rawFrame: frame.raw, into: block) }
    decoder.flush(into: block)
    return (decoder, block)
  }

  /// Sums and differences of the signals, with and without low frequencies and a bed.
  @Test(
    "a stream of objects has the sums of its signals", .tags(.slow), .fullRunOnly, arguments: cases)
  func isTheFormula(_ test: Case) throws {
    var noise = SeededNoise(seed: UInt64(test.signals))
    let objects = max(4, test.bedCode.map { ObjectStream.beds[$0] + 1 } ?? 0)
    var settings = ObjectStream.Settings(
      signals: test.signals, objects: objects, hasLFE: test.hasLFE, isExtended: test.isExtended,
      isStatic: test.isStatic, bedCode: test.bedCode)
    let mix = (0..<objects).map { _ in
      (0..<test.signals).map { _ in Int.random(in: -8...8, using: &noise) }
    }
    settings.mix = mix
    let rate = try AC4FrameRate(index: 13, is48kHz: true)
    var stream = ObjectStream(settings, rate: rate, seed: UInt64(test.signals))
    let frames = (0..<7).map { stream.next(isIFrame: $0 % 4 == 0) }
    let (decoder, block) = try ObjectStreamTests.decode(frames)
    #expect(block.frames == 7 * 2048)
    #expect(decoder.unverified.contains(.signalExtension) == test.isExtended)
    #expect(decoder.unverified.contains(.channelDownmix) == test.isStatic)
    #expect(decoder.unverified.contains(.bed) == (test.bedCode != nil))
    #expect(decoder.unverified.isDisjoint(with: [.decorrelators, .bands, .fineSteps, .ramps]))
    // In the static form low frequencies stand between the centre and the surrounds.
    let places =
      test.isStatic && test.hasLFE ? [0, 1, 2, 4, 5] : Array(0..<test.signals)
    let tracks = places.map { SlowTransform.formula(frames.map(\.audio), $0, 2048) }
    let end = test.isExtended ? try SyntheticExtension.bands().crossover - 3 : 60
    let meter = SubbandRatio(0..<end, of: tracks)
    for (object, row) in mix.enumerated() {
      let gains = row.map { Double($0) * 0.2001953125 }
      let wanted = SubbandRatio.mix(tracks, gains, count: block.frames)
      let found = Array(block.audio.channel(try plane(object, test, decoder)))
      let ratio = meter.decibels(found, wanted)
      #expect(ratio > 64, "object \(object): \(ratio) dB")
    }
    guard test.hasLFE else { return }
    let own = test.isStatic ? 3 : test.signals
    let wanted = SlowTransform.formula(frames.map(\.audio), own, 2048).map { Float($0) }
    let low = try #require(decoder.format.layout.speakers.firstIndex(of: .lowFrequency))
    let found = Array(block.audio.channel(low))
    #expect(Signals.ratio(found, Array(wanted.prefix(found.count))) > 70)
  }

  /// The plane of a decoded object: beds come first, in the order of loudspeakers.
  private func plane(_ object: Int, _ test: Case, _ decoder: AC4Decoder) throws -> Int {
    let bed = test.bedCode.map { ObjectStream.beds[$0] } ?? 0
    guard object < bed else { return decoder.format.layout.count + object - bed }
    let names: [Speaker] = [.frontLeft, .frontRight, .frontCenter, .sideLeft, .sideRight]
    return try #require(decoder.format.layout.speakers.firstIndex(of: names[object]))
  }

  /// Low frequencies come first, then the channels of the bed; the other objects are dynamic.
  @Test("an object stream has its LFE first, then bed channels and dynamic objects")
  func everyObjectIsABedChannelOrDynamic() throws {
    var facts = AC4ObjectFacts()
    (facts.isJointlyCoded, facts.downmixSignals, facts.objects) = (true, 3, 5)
    facts.bed.append(.left)
    facts.bed.append(.right)
    #expect(try ObjectCoding(facts).channels == [.left, .right, nil, nil, nil])
    facts.hasLFE = true
    let coding = try ObjectCoding(facts)
    #expect(coding.channels == [.lowFrequency, .left, .right, nil, nil, nil])
    #expect(coding.outputs == 6)
  }

  /// Differences refer to values of the frame before. At the beginning of another source there are none, so a frame that has
  /// differences can't be decoded, though it says that it is an I-frame.
  @Test("a frame with differences to another source's values is refused before an I-frame")
  func valuesOfOneSourceAreNoneOfTheNext() throws {
    let settings = ObjectStream.Settings(signals: 2, objects: 3, hasLFE: false)
    let rate = try AC4FrameRate(index: 13, is48kHz: true)
    var stream = ObjectStream(settings, rate: rate, seed: 21)
    let frames = (0..<12).map { _ in stream.next() }
    var refused = 0
    for frame in frames.dropFirst(2) {
      let decoder = try AC4Decoder(rawFrame: frames[0].raw)
      let programme = Programme(sampleRate: decoder.format.sampleRate, elements: decoder.elements)
      let block = ProgrammeBlock(programme)
      try decoder.decode(rawFrame: frames[0].raw, into: block)
      do throws(AC4Error) {
        try decoder.decode(rawFrame: frame.raw, into: block)
      } catch {
        #expect("\(error)".hasSuffix("before an I-frame"), "\(error)")
        refused += 1
      }
    }
    #expect(refused > 0)
  }

  /// Updates come out at the samples that their frames state, at every frame rate.
  @Test(
    "object updates come out at the times and in the states sent, at each frame rate",
    arguments: [1, 4, 9, 12, 13])
  func updatesKeepTheirTimes(index: Int) throws {
    let rate = try AC4FrameRate(index: index, is48kHz: true)
    let settings = ObjectStream.Settings(
      signals: 2, objects: 3, hasLFE: true, mix: [[5, 0], [0, 5], [3, 3]], moves: true)
    var stream = ObjectStream(settings, rate: rate, seed: UInt64(index))
    let frames = (0..<12).map { stream.next(isIFrame: $0 % 5 == 0) }
    let (decoder, block) = try ObjectStreamTests.decode(frames)
    // Motion that each object shall have, by plain steps.
    let ratio = Double(rate.resampleUp) / Double(rate.resampleDown)
    for object in 0..<3 {
      var target = ObjectStates.initial
      if case .object(_, let start) = decoder.elements[object + 1] { target = start }
      let begin = target
      // Values that aren't sent are those of the block read before, whatever its time.
      var read: [(time: Int64, ramp: Double, state: ObjectState)] = []
      for (number, frame) in frames.enumerated() {
        for (block, time) in frame.times.enumerated() {
          let at = Int64(
            (Double(number * rate.codedFrameLength + time.offset) * ratio + 1e-9).rounded(.down))
          target = ObjectStates.state(frame.infos[object + 1][block], before: target)
          read.append((at, (Double(time.ramp) * ratio + 1e-9).rounded(.down), target))
        }
      }
      // Updates that change nothing are left out in the order of time, in which blocks of two frames may be mixed.
      var known: [(time: Int64, update: ObjectUpdate)] = []
      var arrival: Int64?
      target = begin
      let order = read.indices.sorted { (read[$0].time, $0) < (read[$1].time, $1) }
      for (at, ramp, state) in order.map({ read[$0] }) {
        let length = arrival == nil ? 0 : ramp
        if state != target || arrival ?? at > at {
          known.append((at, ObjectUpdate(plane: object + 1, at: at, ramp: length, state: state)))
          arrival = max(at + Int64(length), arrival ?? at)
        }
        arrival = arrival ?? at
        target = state
      }
      let inside = known.filter { $0.time < Int64(block.frames) }
      let found = block.updates.filter { $0.plane == object + 1 }
      #expect(found.map(\.at) == inside.map(\.time), "object \(object)")
      #expect(found == inside.map(\.update), "object \(object)")
      #expect(found.count > 3)
    }
    #expect(decoder.unverified.contains(.motion))
  }

  /// Dialogue is raised as far as the stream allows; other objects stay.
  @Test("dialogue objects are raised by 3 dB and at most 6 dB, and others stay")
  func dialogueOfObjectsIsRaised() throws {
    let settings = ObjectStream.Settings(
      signals: 2, objects: 3, hasLFE: false, mix: [[5, 0], [0, 5], [3, 3]], dialogue: [1])
    let rate = try AC4FrameRate(index: 13, is48kHz: true)
    var stream = ObjectStream(settings, rate: rate, seed: 9)
    let frames = (0..<5).map { stream.next(isIFrame: $0 % 3 == 0) }
    let (plain, normal) = try ObjectStreamTests.decode(frames)
    #expect(plain.objectDialogueLimit == 6)
    for (wish, gain) in [(3.0, 3.0), (12, 6)] {
      let (_, raised) = try ObjectStreamTests.decode(frames, AC4DecoderOptions(dialogueGain: wish))
      for object in 0..<3 {
        let factor = object == 1 ? Float(pow(10, gain / 20)) : 1
        let wanted = normal.audio.channel(object).map { factor * $0 }
        let ratio = Signals.ratio(Array(raised.audio.channel(object)), wanted)
        #expect(ratio > 110, "object \(object) at \(wish) dB: \(ratio)")
      }
    }
  }

  /// Random mixes with decorrelators, moving objects, alternative presentations: frames are read to their ends, and the
  /// same bits come out of every run.
  @Test(
    "random streams of objects are read to the end with the same bits each time",
    arguments: [false, true]) func everythingAtOnceIsDecoded(isAlternative: Bool) throws
  {
    for signals in [1, 3, 5, 7] {
      let settings = ObjectStream.Settings(
        signals: signals, objects: 11, isExtended: signals % 4 == 1,
        bedCode: signals == 3 ? 4 : nil,
        moves: true, isAlternative: isAlternative, dialogue: [0, 10])
      let rate = try AC4FrameRate(index: 13, is48kHz: true)
      var stream = ObjectStream(settings, rate: rate, seed: UInt64(40 + signals))
      let frames = (0..<8).map { stream.next(isIFrame: $0 % 4 == 0) }
      let (decoder, block) = try ObjectStreamTests.decode(frames)
      #expect(block.frames == 8 * 2048)
      #expect(decoder.unverified.isSuperset(of: [.decorrelators, .bands, .differences, .ramps]))
      #expect(decoder.unverified.contains(.alternative) == isAlternative)
      let (_, again) = try ObjectStreamTests.decode(frames)
      for plane in 0..<decoder.planes {
        let isSame = Array(block.audio.channel(plane)) == Array(again.audio.channel(plane))
        #expect(isSame, "plane \(plane)")
        let isFinite = block.audio.channel(plane).allSatisfy { $0.isFinite }
        #expect(isFinite)
      }
      #expect(block.updates == again.updates)
    }
  }

  /// Control data wait until the sound that they belong to has passed the transform and the filter bank.
  @Test("a mix is in force from its frame's sound on, within 640 samples")
  func aMixIsInForceWithItsFrame() throws {
    let rate = try AC4FrameRate(index: 13, is48kHz: true)
    var settings = ObjectStream.Settings(signals: 1, objects: 1, hasLFE: false, mix: [[5]])
    var loud = ObjectStream(settings, rate: rate, seed: 3)
    settings.mix = [[0]]
    var silent = ObjectStream(settings, rate: rate, seed: 3)
    // One sound twice; from the fourth frame on the object hears it.
    let frames = (0..<8).map { number -> ObjectStream.Frame in
      let (one, other) = (loud.next(), silent.next())
      return number < 4 ? other : one
    }
    let (decoder, block) = try ObjectStreamTests.decode(frames)
    let first = try #require(block.audio.channel(0).firstIndex { abs($0) > 1e-5 })
    // The frame's first slot has passed; the filter's response reaches a little ahead of it.
    let begin = 4 * 2048 + decoder.silentBeginning + 64
    #expect(abs(first - begin) < 640, "sample \(first), not \(begin)")
  }
}
