// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import MediaIn

@Suite struct PrimingTests {
  private let sizes = [1152, 1152, 1152]

  private func trim(
    _ facts: GaplessFacts, skip: Int = 0, start: Int64 = 0,
    priming: PrimingOption = .automatic
  ) throws -> Trimmed {
    var blocks = Trimmed.blocks(sizes, start: start)
    blocks[0].skipStart = skip
    return try Trimmed(blocks, facts, priming: priming)
  }

  private func tagged(_ text: String) -> GaplessFacts {
    var facts = Trimmed.facts()
    facts.iTunSMPB = text
    return facts
  }

  private static let goodTag = " 00000000 00000840 000001CA 00000000000003E8 00000000 00000000"

  @Test("an iTunSMPB tag trims 2112 samples at the start and ends the track after 1000")
  func iTunesTagStatesStartAndEnd() throws {
    let result = try trim(tagged(PrimingTests.goodTag))
    #expect(result.samples == Trimmed.ramp(2113, 3112))
    #expect(result.summary.plan.primingSource == .iTunSMPB)
    #expect(result.summary.plan.paddingSource == .iTunSMPB)
    #expect(result.summary.plan.start == 0)
    #expect(result.keepsLaw)
  }

  @Test(
    "a malformed iTunSMPB tag isn't followed, and the codec's table counts",
    arguments: [
      "", "garbage", " 00000000 00000840", " 00000000 0000084G 000001CA 00000000000003E8",
      " 00000000 00020000 000001CA 00000000000003E8", " 00000000 -840 000001CA 00000000000003E8",
      " 00000000 00000840 00020000 00000000000003E8", " 00000000 00000840 000001CA 0",
      " 00000000 00000840 000001CA 7FFFFFFFFFFFFFFF", " 00000000 00000840 000001CA -1",
      " 00000000 00000840 000001CA FFFFFFFFFFFFFFFF",
    ])
  func malformedTagsAreNotFollowed(tag: String) throws {
    #expect(ITunSMPB(tag) == nil)
    let result = try trim(tagged(tag))
    #expect(result.summary.plan.primingSource == .codecTable)
    #expect(result.samples == Trimmed.ramp(1025, 3456))
  }

  @Test("the CodecDelay of Matroska goes before the Opus pre-skip and the decoder's skip")
  func matroskaStatesTheDelay() throws {
    var facts = Trimmed.facts("opus", container: "matroska")
    facts.codecDelay = 312
    facts.opusPreSkip = 400
    let result = try trim(facts, skip: 500, start: -312)
    #expect(result.summary.plan.primingSource == .codecDelay)
    #expect(result.samples == Trimmed.ramp(313, 3456))
    #expect(result.summary.plan.start == 0)
  }

  /// Three frames of 1152 samples, in which `frames` are counted.
  private func headed(_ frames: Int64, padding: Int64, skip: Int = 0) throws -> Trimmed {
    var blocks = Trimmed.blocks(sizes)
    blocks[0].skipStart = skip
    blocks[0].infoFrame = GaplessFacts.InfoFrame(
      priming: 1105, padding: padding, frames: frames, samplesPerFrame: 1152)
    return try Trimmed(
      blocks, Trimmed.facts("mp3", container: "mp3"), priming: .automatic)
  }

  /// LAME's tag: the decode without start-up and padding is as long as the encoder's input.
  @Test(
    "the header frame of an MP3 states start-up and padding, where it counts the frames that are there, or itself, too",
    arguments: [(3, 200, 200), (3, 1500, 1500), (4, 200, 200), (2, 200, 0), (5, 200, 0)])
  func theHeaderFrameStatesStartAndEnd(frames: Int64, padding: Int64, cut: Int) throws {
    let result = try headed(frames, padding: padding, skip: 77)
    #expect(result.summary.plan.primingSource == .lame)
    #expect(result.samples == Trimmed.ramp(1106, 3456 - cut))
    #expect((result.summary.plan.paddingSource == .lame) == (cut > 0))
    #expect(result.keepsLaw)
  }

  @Test("the pre-skip of the Opus header goes before the decoder's skip")
  func opusHeaderStatesThePreSkip() throws {
    var facts = Trimmed.facts("opus", container: "ogg")
    facts.opusPreSkip = 312
    let result = try trim(facts, skip: 500)
    #expect(result.summary.plan.primingSource == .opusHeader)
    #expect(result.samples == Trimmed.ramp(313, 3456))
  }

  @Test("the decoder's skip goes before the codec's table")
  func decoderSideDataComesBeforeTheTable() throws {
    let result = try trim(Trimmed.facts(), skip: 700)
    #expect(result.summary.plan.primingSource == .decoder)
    #expect(result.samples == Trimmed.ramp(701, 3456))
  }

  @Test("AAC without any statement loses 1024 samples, and an unknown codec none")
  func theTableIsTheLastResort() throws {
    let result = try trim(Trimmed.facts())
    #expect(result.summary.plan.primingSource == .codecTable)
    #expect(result.summary.startTrim == 1024)
    let unknown = try trim(Trimmed.facts("atrac3"))
    #expect(unknown.summary.plan.primingSource == nil)
    #expect(unknown.summary.startTrim == 0)
    #expect(unknown.summary.plan.paddingSource == .unknown)
  }

  @Test("fifteen codecs and profiles have their start-up samples in the table, and cook has none")
  func theTableNamesEveryCodec() {
    let rows: [(String, String?, Int?)] = [
      ("aac", "LC", 1024), ("aac", "HE-AAC", 2048), ("aac", "HE-AACv2", 2048),
      ("aac_latm", "LC", 1024), ("ac3", nil, 256),
      ("eac3", nil, 256), ("mp3", nil, 1105), ("mp2", nil, 481), ("dts", "DTS", 512),
      ("dts", "DTS-HD MA", 0), ("vorbis", nil, 0), ("opus", nil, 312), ("flac", nil, 0),
      ("pcm_s24le", nil, 0), ("truehd", nil, 0), ("cook", nil, nil),
    ]
    for (codec, profile, samples) in rows {
      #expect(CodecTraits.named(codec).startUpSamples(profile: profile) == samples)
    }
  }

  @Test("an edit list goes before iTunSMPB, CodecDelay, pre-skip and the decoder's skip")
  func theEditListComesBeforeEverything() throws {
    var facts = tagged(PrimingTests.goodTag)
    facts.codecDelay = 1
    facts.opusPreSkip = 2
    #expect(try trim(facts, skip: 3).summary.plan.primingSource == .iTunSMPB)
    facts.edits = [GaplessFacts.Edit(duration: 2000, mediaTime: 100)]
    facts.movieTimescale = 48_000
    facts.mediaTimescale = 48_000
    let result = try trim(facts, skip: 3)
    #expect(result.summary.plan.primingSource == .editList)
    #expect(result.samples == Trimmed.ramp(101, 2100))
  }

  @Test("a start-up option moves the start and not the end, and one beyond the track is an error")
  func theUsersWordMovesTheStartOnly() throws {
    let kept = try trim(tagged(PrimingTests.goodTag), priming: .keep)
    #expect(kept.samples == Trimmed.ramp(1, 3112))
    #expect(kept.summary.plan.primingSource == .option)
    #expect(kept.summary.plan.start == -2112)
    let counted = try trim(tagged(PrimingTests.goodTag), priming: .samples(3000))
    #expect(counted.samples == Trimmed.ramp(3001, 3112))
    #expect(kept.keepsLaw && counted.keepsLaw)
    #expect(throws: MediaError.self) {
      try trim(tagged(PrimingTests.goodTag), priming: .samples(5000))
    }
  }

  @Test("a start-up of 2500 samples is trimmed over several blocks")
  func primingMaySpanBlocks() throws {
    let result = try trim(Trimmed.facts(), priming: .samples(2500))
    #expect(result.samples == Trimmed.ramp(2501, 3456))
    #expect(result.keepsLaw)
  }

  @Test("--start-up takes a number of samples or auto") func theOptionIsParsed() throws {
    #expect(try PrimingOption("auto") == .automatic)
    #expect(try PrimingOption("none") == .keep)
    #expect(try PrimingOption("0") == .samples(0))
    #expect(try PrimingOption("1024") == .samples(1024))
    for text in ["", "-1", "1.5", "NONE", "9223372036854775807", "99999999999999999999"] {
      #expect(throws: MediaError.self) { try PrimingOption(text) }
    }
  }

  @Test("a source without samples is an error")
  func aSourceWithoutSamplesIsAnError() {
    #expect(throws: MediaError.self) { try Trimmed([]) }
    #expect(throws: MediaError.self) { try Trimmed([TimedBlock(frames: 0, position: 0)]) }
  }
}
