// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

/// Presentations of several substreams against the sums that the standard asks for.
@Suite struct MixTests {
  private static let surround = AC4ChannelMode(rawValue: 4)

  /// Gains of each substream's channels to those of the output, in coded order.
  private typealias Gains = [[[Int: Double]]]

  private static func decibels(_ value: Double) -> Double { pow(10, value / 20) }

  /// Music and effects in 5.1 with mono dialogue at 15° to the right: half centre, half right.
  @Test("mono dialogue in 5.1 is in the loudspeaker at its angle, or half in each of two")
  func dialogueComesFromItsAngle() throws {
    let mode = try #require(MixTests.surround)
    for (pan, places) in [
      (10, [2: 0.5, 1: 0.5]), (20, [1: 1.0]), (0, [2: 1.0]), (220, [0: 1.0]),
      (120, [4: 0.5, 5: 0.5]),
    ] as [(Int, [Int: Double])] {
      let stream = MixedStream(
        0,
        [
          MixedStream.Part(mode: mode, content: 1),
          MixedStream.Part(mode: .mono, content: 4, isDialogue: true, pans: [pan]),
        ], seed: UInt64(pan))
      let own = MixTests.decibels(-2)
      let dialogue = MixTests.decibels(-1)
      try MixTests.check(
        stream, [MixedStream.Mix(gains: [8, 4]), MixedStream.Mix(gains: [])],
        gains: [
          (0..<6).map { [$0: own] }, [places.mapValues { $0 * dialogue }],
        ])
    }
  }

  /// An angle that isn't sent again holds.
  @Test("an angle of dialogue holds until another is sent") func anglesHold() throws {
    let parts = { (pans: [Int]) in
      [
        MixedStream.Part(mode: .stereo, content: 1),
        MixedStream.Part(mode: .mono, content: 4, isDialogue: true, pans: pans),
      ]
    }
    var stream = MixedStream(0, parts([20]), seed: 16)
    var frames = [stream.next()]
    stream.parts = parts([])
    frames += (0..<5).map { _ in stream.next() }
    try MixTests.check(frames, gains: [[[0: 1], [1: 1]], [[1: 1]]])
  }

  @Test("mono dialogue without an angle is half in each channel of stereo")
  func dialogueWithoutAngleIsInTheMiddle() throws {
    let stream = MixedStream(
      0,
      [
        MixedStream.Part(mode: .stereo, content: 1),
        MixedStream.Part(mode: .mono, content: 4, isDialogue: true),
      ], seed: 3)
    try MixTests.check(stream, [.init()], gains: [[[0: 1], [1: 1]], [[0: 0.5, 1: 0.5]]])
  }

  /// The listener's gain is held to what the stream allows.
  @Test(
    "dialogue of a mix is raised as far as the stream allows",
    arguments: [(6.0, nil, 0.0), (6.0, 0, 3.0), (6.0, 2, 6.0)] as [(Double, Int?, Double)])
  func dialogueIsRaised(wanted: Double, code: Int?, gain: Double) throws {
    let stream = MixedStream(
      0,
      [
        MixedStream.Part(mode: .stereo, content: 1),
        MixedStream.Part(
          mode: .stereo, content: 4, isDialogue: true, maximumGain: code, pans: []),
      ], seed: 4)
    let factor = MixTests.decibels(gain)
    try MixTests.check(
      stream, [.init()], gains: [[[0: 1], [1: 1]], [[0: factor], [1: factor]]],
      options: AC4DecoderOptions(dialogueGain: wanted))
  }

  /// Behind associated audio main and dialogue step back, centre and front further; what was sent
  /// holds.
  @Test("under a description main audio is lowered by 6 dB, its centre by 7.5 and its front by 9")
  func programmeStepsBackBehindDescription() throws {
    let mode = try #require(MixTests.surround)
    let stream = MixedStream(
      3,
      [
        MixedStream.Part(mode: mode, content: 1),
        MixedStream.Part(mode: .stereo, content: 4, isDialogue: true, pans: [230, 10]),
        MixedStream.Part(mode: .mono, content: 2),
      ], seed: 5)
    let all = MixTests.decibels(-6)
    let front = all * MixTests.decibels(-3)
    let centre = all * MixTests.decibels(-1.5)
    let sent = MixedStream.Mix(gains: [0, 2, 6], scales: [20, 5, 10, 20])
    let dialogue = MixTests.decibels(-0.5) * front
    try MixTests.check(
      stream, [sent, MixedStream.Mix(gains: [])],
      gains: [
        [[0: front], [1: front], [2: centre], [3: all], [4: all], [5: all]],
        [[0: dialogue / 2, 2: dialogue / 2], [2: dialogue / 2, 1: dialogue / 2]],
        [[1: MixTests.decibels(-1.5)]],
      ])
  }

  /// Waveforms of dialogue enhancement aren't part of the mix, though the presentation counts them.
  @Test("waveforms of dialogue enhancement stay out of a mix", arguments: [false, true])
  func enhancementWaveformsStayOut(isAlternative: Bool) throws {
    var stream = MixedStream(
      4,
      [
        MixedStream.Part(mode: .stereo), MixedStream.Part(mode: .mono),
        MixedStream.Part(mode: .stereo, content: 5),
      ], seed: 6)
    stream.isAlternative = isAlternative
    let (main, comment) = (MixTests.decibels(-1), MixTests.decibels(-2.5))
    try MixTests.check(
      stream, [MixedStream.Mix(gains: [4, 10])],
      gains: [[[0: main], [1: main]], [[:]], [[0: comment], [1: comment]]])
  }

  /// Free presentations go by the content of their groups, whatever their order.
  @Test("gains of a free presentation go to groups by content, whatever their order")
  func freePresentationsGoByContent() throws {
    let stream = MixedStream(
      5,
      [
        MixedStream.Part(mode: .mono, content: 4, isDialogue: true, pans: [220]),
        MixedStream.Part(mode: .stereo, content: 1),
        MixedStream.Part(mode: .stereo, content: 5),
      ], seed: 7)
    let main = MixTests.decibels(-3)
    try MixTests.check(
      stream, [MixedStream.Mix(gains: [63, 12, 0])],
      gains: [[[:]], [[0: main], [1: main]], [[0: 1], [1: 1]]])
  }

  /// Old streams: associated audio comes to the level of the dialogue.
  @Test("associated audio of an old stream is levelled to dialogue, and main audio lowered by 3 dB")
  func oldStreamsAreLevelled() throws {
    let stream = MixedStream(
      3,
      [
        MixedStream.Part(mode: .stereo, dialnorm: 80),
        MixedStream.Part(mode: .mono, pans: [20], dialnorm: 100),
        MixedStream.Part(mode: .mono, dialnorm: 76, scales: [10, nil, nil, 220]),
      ], seed: 8, isOld: true)
    let back = MixTests.decibels(-3)
    try MixTests.check(
      stream, [.init()],
      gains: [[[0: back], [1: back]], [[1: back]], [[0: pow(2, -6.0 / 6)]]])
  }

  /// Gains change where the frame that sends them is at its middle: control data lie centred on it. A frame that
  /// neither sends gains nor keeps the last ones has none.
  @Test(
    "gains of a mix change at the middle of the frame that sends them",
    arguments: [([40, 0], -10), (nil, 0)] as [([Int]?, Double)])
  func gainsChangeInTime(later: [Int]?, level: Double) throws {
    var stream = MixedStream(
      2, [MixedStream.Part(mode: .stereo), MixedStream.Part(mode: .stereo, content: 5)], seed: 13)
    let frames = (0..<8).map { stream.next(MixedStream.Mix(gains: $0 < 4 ? [0, 8] : later)) }
    let decoder = try AC4Decoder(rawFrame: frames[0].raw)
    let output = AudioBuffer(channels: 2)
    for frame in frames { try decoder.decode(rawFrame: frame.raw, into: output) }
    decoder.flush(into: output)
    // Control data wait a frame, the signal the chain's delay.
    let change = 5 * 2048 - decoder.codedDelay
    for channel in 0..<2 {
      let main = SlowTransform.formula(frames.map { $0.parts[0] }, channel, 2048)
      let comment = SlowTransform.formula(frames.map { $0.parts[1] }, channel, 2048)
      let found = Array(output.channel(channel))
      for (range, gains) in [
        (2048..<change - 900, (1.0, MixTests.decibels(-2))),
        (change + 900..<7 * 2048, (MixTests.decibels(level), 1)),
      ] {
        let wanted = range.map { Float(gains.0 * main[$0] + gains.1 * comment[$0]) }
        let ratio = Signals.ratio(Array(found[range]), wanted)
        #expect(ratio > 60, "\(range): \(ratio) dB")
      }
    }
  }

  /// Substreams have codec modes of their own.
  @Test("dialogue in a coupled mode is mixed with its coupling gains")
  func coupledDialogueIsMixed() throws {
    // alpha 0.5156, as its table says.
    let coupling = CoupledElement.Settings(codec: .coupled, values: [[19, 0]])
    let alpha = Double(ACPLTables.alphaFine[19])
    var stream = MixedStream(
      0,
      [
        MixedStream.Part(mode: .stereo, content: 1),
        MixedStream.Part(mode: .stereo, content: 4, isDialogue: true, coupling: coupling),
      ], seed: 15)
    let frames = (0..<7).map { _ in stream.next(MixedStream.Mix(gains: [8, 4])) }
    let decoder = try AC4Decoder(rawFrame: frames[0].raw)
    let output = AudioBuffer(channels: 2)
    for frame in frames { try decoder.decode(rawFrame: frame.raw, into: output) }
    decoder.flush(into: output)
    let carrier = SlowTransform.formula(frames.map { $0.parts[1] }, 0, 2048)
    let below = 0..<(try SyntheticExtension.bands().crossover - 3)
    for (channel, share) in [(0, 1 + alpha), (1, 1 - alpha)] {
      let main = SlowTransform.formula(frames.map { $0.parts[0] }, channel, 2048)
      let wanted = (0..<output.frames).map {
        Float(MixTests.decibels(-2) * main[$0] + MixTests.decibels(-1) * share * carrier[$0])
      }
      let ratio = SubbandRatio(below, of: [main]).decibels(
        Array(output.channel(channel)), wanted)
      #expect(ratio > 60, "channel \(channel): \(ratio) dB")
    }
  }

  /// Without its gains a mix would be another one, so the frame is damaged.
  @Test("a frame whose gains can't be read is refused without samples")
  func unreadableGainsAreDamage() throws {
    var stream = MixedStream(
      2, [MixedStream.Part(mode: .stereo), MixedStream.Part(mode: .stereo, content: 5)], seed: 14)
    let decoder = try AC4Decoder(rawFrame: stream.next().raw)
    let output = AudioBuffer(channels: 2)
    var raw = stream.next(MixedStream.Mix(gains: [8, 0])).raw
    let own = try AC4TableOfContents(rawFrame: raw).substreams[0]
    for at in own { raw[at] = 0xFF }
    #expect(throws: AC4Error.self) { try decoder.decode(rawFrame: raw, into: output) }
    #expect(output.frames == 0)
  }

  /// A presentation may name a substream that the frame doesn't have, or none.
  @Test("a presentation without a substream has no gains, and one beyond the frame's is refused")
  func aSubstreamThatIsNotThereIsDamage() throws {
    var stream = MixedStream(
      2, [MixedStream.Part(mode: .stereo), MixedStream.Part(mode: .stereo, content: 5)], seed: 17)
    let raw = stream.next(MixedStream.Mix(gains: [8, 0])).raw
    let toc = try AC4TableOfContents(rawFrame: raw)
    func gains(_ substream: Int?) throws -> [Int]? {
      var presentation = toc.presentations[0]
      presentation.substream = substream
      var state = PresentationMetadataState(.stereo, frameLength: 2048)
      return try raw.withUnsafeBufferPointer { buffer in
        try state.read(BitReader(buffer), toc, presentation, substreams: 2)?.groupGains
      }
    }
    #expect(try gains(0) == [8, 0])
    #expect(try gains(nil) == nil)
    #expect(throws: AC4Error.damaged("a presentation without its substream")) {
      try gains(toc.substreams.count)
    }
  }

  /// Statements of one source don't hold in the next.
  @Test("gains and scales of −15 dB of one source don't hold in the next")
  func anotherSourceBeginsAnew() throws {
    let parts = [
      MixedStream.Part(mode: .stereo), MixedStream.Part(mode: .stereo, content: 5),
    ]
    var first = MixedStream(2, parts, seed: 11)
    var second = MixedStream(2, parts, seed: 12)
    let scaled = MixedStream.Mix(gains: [12, 0], scales: [40, nil, nil, nil])
    let keeping = MixedStream.Mix(gains: [])
    let frames =
      (0..<4).map { first.next($0 == 0 ? scaled : keeping) }
      + (0..<4).map { _ in second.next(keeping) }
    let decoder = try AC4Decoder(rawFrame: frames[0].raw)
    let output = AudioBuffer(channels: 2)
    for frame in frames { try decoder.decode(rawFrame: frame.raw, into: output) }
    decoder.flush(into: output)
    let back = MixTests.decibels(-15)
    for channel in 0..<2 {
      let main = SlowTransform.formula(frames.map { $0.parts[0] }, channel, 2048)
      let comment = SlowTransform.formula(frames.map { $0.parts[1] }, channel, 2048)
      let found = Array(output.channel(channel))
      for (range, gain) in [(2048..<3 * 2048, back), (6 * 2048..<7 * 2048, 1)] {
        let wanted = range.map { Float(gain * main[$0] + comment[$0]) }
        #expect(Signals.ratio(Array(found[range]), wanted) > 60)
      }
    }
  }

  /// Many or repeated groups and substreams cost nothing.
  @Test(
    "tables that repeat groups and substreams are refused and give at most 16 substreams",
    arguments: [(40, 1, 1), (2, 40, 1), (16, 16, 120), (600, 300, 1)])
  func hostileTablesAreRefusedAtOnce(groups: Int, substreams: Int, presentations: Int) throws {
    let raw = HostileTable.frame(
      groups: groups, substreams: substreams, presentations: presentations)
    var inspector = AC4Inspector()
    let facts = try? inspector.inspect(rawFrame: raw)
    for presentation in facts?.presentations ?? [] {
      #expect(presentation.substreams.count <= 16)
    }
    #expect(throws: AC4Error.self) { try AC4Decoder(rawFrame: raw) }
  }

  @Test("5.1 dialogue over stereo main audio is refused by name")
  func refusesChannelsThatTheMainAudioLacks() throws {
    let mode = try #require(MixTests.surround)
    var stream = MixedStream(
      0,
      [
        MixedStream.Part(mode: .stereo, content: 1),
        MixedStream.Part(mode: mode, content: 4, isDialogue: true),
      ], seed: 9)
    let raw = stream.next().raw
    #expect(throws: AC4Error.unsupported("mixing of 5.1 into stereo in presentation 0")) {
      try AC4Decoder(rawFrame: raw)
    }
  }

  /// A frame in which one substream is broken fails whole, and the others stay in step.
  @Test("a broken substream fails its whole frame, and two frames later the mix is as before")
  func substreamsStayTogether() throws {
    var stream = MixedStream(
      0,
      [
        MixedStream.Part(mode: .stereo, content: 1),
        MixedStream.Part(mode: .mono, content: 4, isDialogue: true),
      ], seed: 10)
    let frames = (0..<8).map { _ in stream.next() }
    let (whole, broken) = (AudioBuffer(channels: 2), AudioBuffer(channels: 2))
    let decoder = try AC4Decoder(rawFrame: frames[0].raw)
    for frame in frames { try decoder.decode(rawFrame: frame.raw, into: whole) }
    decoder.flush(into: whole)
    decoder.reset()
    for (number, frame) in frames.enumerated() {
      var raw = frame.raw
      if number == 3 {
        let range = try AC4TableOfContents(rawFrame: raw).substreams[2]
        for at in range.lowerBound + 3..<range.upperBound { raw[at] = 0xFF }
        #expect(throws: AC4Error.self) { try decoder.decode(rawFrame: raw, into: broken) }
        decoder.conceal(into: broken)
      } else {
        try decoder.decode(rawFrame: raw, into: broken)
      }
    }
    decoder.flush(into: broken)
    #expect(whole.frames == broken.frames)
    // Two frames after the gap nothing remembers it.
    for channel in 0..<2 {
      let (one, two) = (whole.channel(channel), broken.channel(channel))
      let (first, last) = (0..<2 * 2048, 6 * 2048..<8 * 2048)
      for range in [first, last] {
        #expect(Signals.ratio(Array(two[range]), Array(one[range])) > 100)
      }
    }
  }

  // MARK: Comparison

  /// Decodes frames with `mixes`, the last of which goes on, and compares with the sum.
  private static func check(
    _ stream: MixedStream, _ mixes: [MixedStream.Mix], gains: Gains,
    options: AC4DecoderOptions = AC4DecoderOptions()
  ) throws {
    var stream = stream
    try check(
      (0..<6).map { stream.next(mixes[min($0, mixes.count - 1)]) }, gains: gains, options: options)
  }

  /// Decodes frames and compares with the sum.
  private static func check(
    _ frames: [MixedStream.Frame], gains: Gains,
    options: AC4DecoderOptions = AC4DecoderOptions()
  ) throws {
    let decoder = try AC4Decoder(rawFrame: frames[0].raw, options: options)
    let output = AudioBuffer(channels: decoder.planes)
    for frame in frames { try decoder.decode(rawFrame: frame.raw, into: output) }
    decoder.flush(into: output)
    #expect(output.frames == frames.count * 2048)
    var wanted = [[Float]](
      repeating: [Float](repeating: 0, count: output.frames), count: output.channels)
    for (part, rows) in gains.enumerated() {
      for (channel, targets) in rows.enumerated() where !targets.isEmpty {
        let signal = SlowTransform.formula(frames.map { $0.parts[part] }, channel, 2048)
        for (target, gain) in targets {
          for time in 0..<output.frames { wanted[target][time] += Float(gain * signal[time]) }
        }
      }
    }
    for channel in 0..<output.channels {
      let ratio = Signals.ratio(Array(output.channel(channel)), wanted[channel])
      #expect(ratio > 68, "channel \(channel): \(ratio) dB")
    }
  }
}
