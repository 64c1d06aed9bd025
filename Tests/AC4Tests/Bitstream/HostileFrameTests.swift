// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

@Suite(.tags(.media), .enabled(if: SharedMedia.isPresent, "../shared is missing"))
struct HostileFrameTests {
  @Test("a frame cut at any byte is refused") func survivesFramesCutAtEveryByte() throws {
    let frames = try RealStream.channelCheck.frames().map(\.rawFrame)
    let decoder = try AC4Decoder(rawFrame: frames[0])
    var inspector = AC4Inspector()
    let output = AudioBuffer(channels: 2)
    for frame in [0, 24, 27, 30, 48, 100, 249, 278, 317, 693] {
      let toc = try AC4TableOfContents(rawFrame: frames[frame])
      let end = toc.substreams.map(\.upperBound).max() ?? 0
      for length in 0..<end {
        let cut = Array(frames[frame].prefix(length))
        #expect(throws: AC4Error.self) { try decoder.decode(rawFrame: cut, into: output) }
        _ = try? inspector.inspect(rawFrame: cut)
      }
      // Frames that end before their substreams' last fill bits say so too; whole ones decode.
      decoder.conceal(into: output)
      output.removeAll()
    }
    try decoder.decode(rawFrame: frames[24], into: output)
    #expect(output.frames == 2048)
  }

  /// How often frames are damaged: in so many runs, so many in each.
  private static let runs = Soak.rounds(1, soak: 8)
  private static let rounds = Soak.rounds(5000, soak: 50_000)

  /// A trap would end the process.
  @Test(
    "frames with flipped bits are decoded to finite samples or refused", .tags(.slow), .fullRunOnly,
    arguments: 1...runs)
  func survivesFlippedBits(seed: Int) throws {
    let streams = try RealStream.allCases.map { try $0.frames().map(\.rawFrame) }
    var inspector = AC4Inspector()
    try survive(seed: seed, each: 500) {
      streams[$0 / 500 & 1]
    } also: { round, frame in
      if round % 7 == 0 { _ = try? inspector.inspect(rawFrame: frame) }
    }
  }

  /// Flipped bits with objects: the real stream, whose audio ends long before its frames do, and one that uses every tool.
  @Test(
    "frames of objects with flipped bits are decoded to finite samples or refused", .tags(.slow),
    .fullRunOnly, arguments: 1...runs)
  func survivesFlippedBitsOfObjects(seed: Int) throws {
    let real = try MovieSamples("sample_ac4_level4.mp4").samples
    let made = try HostileFrameTests.madeObjects(seed)
    try survive(seed: 50 + seed, each: 250) {
      // Frames of the real stream cost twenty objects each, so there are fewer of them.
      $0 / 250 % 5 == 0 ? real : made
    }
  }

  /// Decodes ``rounds`` damaged frames.
  /// - Parameters:
  ///   - rounds: frames after which another decoder begins.
  ///   - frames: the frames of which one is damaged in a round.
  ///   - also: what else is done with each damaged frame.
  private func survive(
    seed: Int, each rounds: Int, frames: (Int) -> [[UInt8]],
    also: (Int, [UInt8]) -> Void = { _, _ in }
  ) throws {
    var noise = SeededNoise(seed: UInt64(seed))
    var counts = (decoded: 0, refused: 0)
    var decoder = try AC4Decoder(rawFrame: frames(0)[0])
    var output = HostileFrameTests.block(decoder)
    for round in 0..<HostileFrameTests.rounds {
      let frames = frames(round)
      if round % rounds == 0 {
        decoder = try AC4Decoder(rawFrame: frames[0])
        output = HostileFrameTests.block(decoder)
        try decoder.decode(rawFrame: frames[0], into: output)
      }
      var frame = frames[Int.random(in: 0..<frames.count, using: &noise)]
      mutate(&frame, &noise)
      do {
        try decoder.decode(rawFrame: frame, into: output)
        counts.decoded += 1
      } catch {
        counts.refused += 1
        if round & 1 == 0 { decoder.conceal(into: output) }
      }
      let isFinite = (0..<output.audio.channels).allSatisfy {
        output.audio.channel($0).allSatisfy { $0.isFinite }
      }
      #expect(isFinite)
      output.removeAll()
      also(round, frame)
      if round % 50 == 0 { tryAfresh(frame) }
    }
    #expect(counts.decoded > 100 && counts.refused > 1000)
  }

  private static func block(_ decoder: AC4Decoder) -> ProgrammeBlock {
    ProgrammeBlock(
      Programme(sampleRate: decoder.format.sampleRate, elements: decoder.elements))
  }

  private static func madeObjects(_ seed: Int) throws -> [[UInt8]] {
    let settings = ObjectStream.Settings(
      signals: 3, objects: 4, isExtended: seed % 2 == 0, bedCode: seed == 3 ? 0 : nil,
      moves: true, dialogue: [0])
    var stream = ObjectStream(
      settings, rate: try AC4FrameRate(index: 13, is48kHz: true), seed: UInt64(seed))
    return (0..<16).map { stream.next(isIFrame: $0 % 8 == 0).raw }
  }

  /// Flips a few bits; mostly behind the table of contents, and so that the counter still fits.
  private func mutate(_ frame: inout [UInt8], _ noise: inout SeededNoise) {
    let inTable = Int.random(in: 0..<8, using: &noise) == 0
    let toc = try? AC4TableOfContents(rawFrame: frame)
    let first = inTable ? 0 : toc?.byteCount ?? 0
    let last = max(first + 1, toc?.substreams.map(\.upperBound).max() ?? frame.count)
    for _ in 0..<Int.random(in: 1...6, using: &noise) {
      let at = Int.random(in: first..<min(last, frame.count), using: &noise)
      frame[at] ^= 1 << UInt8.random(in: 0..<8, using: &noise)
    }
    // A counter of 0 marks a splice, which goes with any other.
    frame[0] &= 0xC0
    frame[1] &= 0x0F
  }

  private func tryAfresh(_ frame: [UInt8]) {
    guard let fresh = try? AC4Decoder(rawFrame: frame) else { return }
    let output = AudioBuffer(channels: fresh.planes)
    for _ in 0..<2 { try? fresh.decode(rawFrame: frame, into: output) }
    fresh.flush(into: output)
    let isFinite = output.channel(0).allSatisfy { $0.isFinite }
    #expect(isFinite)
  }

  /// All modes and frame lengths, with random bits behind a good table of contents.
  @Test(
    "random audio behind a good table of contents decodes to finite samples or is refused, in each channel mode",
    arguments: 0...10) func survivesRandomAudio(number: Int) throws
  {
    var noise = SeededNoise(seed: UInt64(500 + number))
    let mode = try #require(AC4ChannelMode(rawValue: number))
    var decoded = 0
    for index in [2, 4, 5, 9, 10, 12, 13] {
      let rate = try AC4FrameRate(index: index, is48kHz: true)
      var stream = SyntheticStream(rate, mode, seed: UInt64(number))
      decoded += try survivors(&stream, rounds: 150, &noise) { frame, audio, noise in
        // Mode and configuration are random in some, single bits in others.
        let first = Int.random(in: audio..<min(audio + 40, frame.count), using: &noise)
        for at in first..<min(first + Int.random(in: 1...30, using: &noise), frame.count) {
          frame[at] = UInt8.random(in: 0...255, using: &noise)
        }
      }
    }
    #expect(decoded > 0)
  }

  /// The coupled codec modes, whose parameters go on from frame to frame, with random bits.
  @Test(
    "random parameters of coupled modes decode to finite samples or are refused",
    arguments: CoupledStreamTests.cases)
  func survivesRandomCoupling(_ test: CoupledStreamTests.Case) throws {
    var noise = SeededNoise(seed: UInt64(700 + 10 * test.mode + test.codec.rawValue))
    let mode = try #require(AC4ChannelMode(rawValue: test.mode))
    var decoded = 0
    for index in [9, 12, 13] {
      let rate = try AC4FrameRate(index: index, is48kHz: true)
      let settings = CoupledStreamTests.settings(test, mode, &noise)
      var stream = SyntheticStream(
        rate, mode, seed: UInt64(test.mode), addsToSurrounds: test.addsToSurrounds
      ) {
        CoupledElement($0, $1, settings, addsToSurrounds: test.addsToSurrounds)
      }
      decoded += try survivors(&stream, rounds: 60, &noise) { frame, audio, noise in
        // The parameters stand at the end.
        let first = Bool.random(using: &noise) ? audio : max(audio, frame.count - 30)
        for _ in 0..<Int.random(in: 1...3, using: &noise) {
          frame[Int.random(in: first..<frame.count, using: &noise)] ^=
            1 << UInt8.random(in: 0..<8, using: &noise)
        }
      }
    }
    #expect(decoded > 0)
  }

  /// Decodes frames with random bits; answers how many could be read.
  private func survivors(
    _ stream: inout SyntheticStream, rounds: Int, _ noise: inout SeededNoise,
    damage: (_ frame: inout [UInt8], _ audio: Int, _ noise: inout SeededNoise) -> Void
  ) throws -> Int {
    let frames = (0..<4).map { _ in stream.next().raw }
    let decoder = try AC4Decoder(rawFrame: frames[0])
    let channels = stream.mode.channels
    let output = AudioBuffer(channels: channels)
    var decoded = 0
    for round in 0..<rounds {
      var frame = frames[round & 3]
      let audio = try AC4TableOfContents(rawFrame: frame).substreams[0].lowerBound + 2
      damage(&frame, audio, &noise)
      frame[0] &= 0xC0
      frame[1] &= 0x0F
      if (try? decoder.decode(rawFrame: frame, into: output)) != nil { decoded += 1 }
      let isFinite = (0..<channels).allSatisfy { channel in
        output.channel(channel).allSatisfy { $0.isFinite }
      }
      #expect(isFinite)
      output.removeAll()
    }
    return decoded
  }

  @Test("a stream beyond the decoder is refused by the name of the tool")
  func namesWhatItCannotDecode() throws {
    let objects = try #require(try MovieSamples("sample_ac4_level4.mp4").samples.first)
    let refusal =
      "joint object coding (A-JOC) over a downmix that is no bed in presentation 0"
    #expect(throws: AC4Error.unsupported(refusal)) {
      try AC4Decoder(rawFrame: objects, options: AC4DecoderOptions(decodesObjects: false))
    }
    let frame = try RealStream.sample.frames()[0].rawFrame
    #expect(throws: AC4Error.unsupported("stream without the wanted presentation")) {
      try AC4Decoder(rawFrame: frame, presentation: 1)
    }
  }
}
