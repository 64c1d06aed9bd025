// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import MediaIn

/// The facts that a file states about its start and end, and which of them decides.
@Suite struct TrimPlanTests {
  private let log = DiagnosticLog()

  private func plan(
    _ facts: GaplessFacts, position: Int64? = 0, skip: Int = 0,
    infoFrame: GaplessFacts.InfoFrame? = nil,
    _ option: PrimingOption = .automatic,
    rate: Int = 48_000
  ) throws -> TrimPlan {
    var first = TimedBlock(frames: 1024, position: position, skipStart: skip)
    first.infoFrame = infoFrame
    return try TrimPlan(facts: facts, rate: rate, option: option, first: first, log: log)
  }

  /// Facts in which every source states start-up samples.
  private func everything(_ codec: String = "aac", _ container: String = "mp4") -> GaplessFacts {
    var facts = GaplessFacts(container: .named(container), codec: .named(codec))
    facts.edits = [GaplessFacts.Edit(duration: 2000, mediaTime: 2112)]
    (facts.movieTimescale, facts.mediaTimescale) = (1000, 48_000)
    facts.iTunSMPB = " 00000000 00000840 000001CA 00000000000003E8"
    facts.codecDelay = 312
    facts.opusPreSkip = 400
    facts.packetTable = GaplessFacts.PacketTable(priming: 77, valid: 1000)
    return facts
  }

  /// Start-up samples by the sources of `rule`, when one after the other is taken away.
  private func heard(_ container: String, _ codec: String) throws -> [String] {
    var facts = everything(codec, container)
    var skip = 500
    // Only pages of Ogg count samples before 0.
    var position: Int64 = facts.rule.start.contains(.firstPage) ? -900 : 0
    var infoFrame: GaplessFacts.InfoFrame? = GaplessFacts.InfoFrame(
      priming: 600, padding: 0, frames: 100, samplesPerFrame: 1152)
    var heard: [String] = []
    for source in facts.rule.start {
      let plan = try plan(facts, position: position, skip: skip, infoFrame: infoFrame)
      heard.append("\(plan.primingSource?.rawValue ?? "none") \(plan.priming)")
      switch source {
      case .editList: facts.edits = []
      case .iTunSMPB: facts.iTunSMPB = nil
      case .packetTable: facts.packetTable = nil
      case .codecDelay: facts.codecDelay = nil
      case .opusHeader: facts.opusPreSkip = nil
      case .firstPage: position = 0
      case .lame: infoFrame = nil
      case .decoder: skip = 0
      case .codecTable, .option, .unknown: break
      }
    }
    return heard
  }

  /// A fact counts only where container or codec define it, and where all before it in the rule's order are missing.
  @Test(
    "of facts that all state a start-up, those count that the container means, in its order",
    arguments: [
      (
        "mp4", "aac",
        ["elst 2112", "itunsmpb 2112", "opus-header 400", "decoder 500", "codec-table 1024"]
      ),
      ("mp4", "vorbis", ["elst 2112", "decoder 500"]),
      (
        "matroska", "aac",
        ["codec-delay 312", "opus-header 400", "decoder 500", "codec-table 1024"]
      ),
      ("matroska", "vorbis", ["decoder 500"]),
      ("ogg", "opus", ["opus-header 400", "first-page 900", "decoder 500", "codec-table 312"]),
      ("ogg", "vorbis", ["first-page 900", "decoder 500"]),
      // The tag states the encoder's delay, to which the decoder adds 529.
      ("mp3", "mp3", ["lame 600", "itunsmpb 2641", "codec-table 1105"]),
      (
        "mp4", "mp3",
        ["elst 2112", "lame 600", "itunsmpb 2641", "decoder 500", "codec-table 1105"]
      ),
      ("matroska", "mp3", ["lame 600", "codec-delay 312", "decoder 500", "codec-table 1105"]),
      ("avi", "mp3", ["lame 600", "decoder 500", "codec-table 1105"]),
      ("mpegts", "aac", ["decoder 500", "codec-table 1024"]),
      ("flac", "flac", ["codec-table 0"]),
      ("caf", "aac", ["packet-table 77", "opus-header 400", "decoder 500", "codec-table 1024"]),
      ("aac", "aac", ["opus-header 400", "decoder 500", "codec-table 1024"]),
    ])
  func factsCountInTheRulesOrder(container: String, codec: String, order: [String]) throws {
    #expect(try heard(container, codec) == order)
  }

  /// ffmpeg's converters copy tags from files where they count to others.
  @Test(
    "an iTunSMPB tag in a container that doesn't define it neither trims nor ends the track",
    arguments: [
      ("flac", "flac"), ("wv", "wavpack"), ("matroska", "aac"), ("aiff", "pcm_s16be"),
      ("ogg", "flac"),
      ("ogg", "opus"), ("aac", "aac"), ("mpegts", "aac"), ("wav", "pcm_s16le"),
    ])
  func aStrayTagCountsNothing(container: String, codec: String) throws {
    var facts = GaplessFacts(container: .named(container), codec: .named(codec))
    let without = try plan(facts)
    facts.iTunSMPB = " 00000000 00000840 000001CA 00000000000003E8"
    #expect(try plan(facts) == without)
  }

  @Test("without any statement nothing is trimmed") func nothingKnownIsNothingTrimmed() throws {
    let plan = try plan(
      GaplessFacts(container: .named("x"), codec: .named("unheard-of")), position: 77)
    #expect(plan.priming == 0 && plan.primingSource == nil && plan.validSamples == nil)
    #expect(plan.paddingSource == .unknown && plan.start == 77)
  }

  @Test(
    "lossless codecs have neither start-up nor padding",
    arguments: ["flac", "pcm_s16le", "alac", "truehd"])
  func losslessCodecsHaveNothingToTrim(codec: String) throws {
    let plan = try plan(GaplessFacts(container: .named("matroska"), codec: .named(codec)))
    #expect(plan.priming == 0 && plan.primingSource == .codecTable)
    #expect(plan.paddingSource == .lossless)
  }

  @Test("AC-4 has no start-up, because its decoder takes the delay out")
  func theAC4DecoderTakesItsDelayOut() throws {
    let plan = try plan(GaplessFacts(container: .named("mp4"), codec: .named("ac4")))
    #expect(plan.priming == 0 && plan.primingSource == .decoder)
  }

  /// Up to FFmpeg 5.1 Vorbis' start-up is left out by the decoder, later it is marked; CodecDelay would take it
  /// off once more.
  @Test("Vorbis in Matroska loses what its decoder marks, whatever CodecDelay states")
  func vorbisLosesWhatItsDecoderMarks() throws {
    var facts = GaplessFacts(container: .named("matroska"), codec: .named("vorbis"))
    facts.codecDelay = 128
    for skip in [0, 128] {
      let plan = try plan(facts, skip: skip)
      #expect(plan.priming == skip && plan.primingSource == .decoder)
    }
  }

  /// libavcodec's encoder of Windows Media puts one frame in front of the programme, of the two that its decoder
  /// marks.
  @Test("Windows Media by libavcodec loses 2048 of 4096 marked samples, and by others all of them")
  func windowsMediaByLibAVLosesOneFrame() throws {
    var facts = GaplessFacts(container: .named("asf"), codec: .named("wmav2"))
    let marked = try plan(facts, skip: 4096)
    #expect(marked.priming == 4096 && marked.primingSource == .decoder)
    facts.isByLibAV = true
    let own = try plan(facts, skip: 4096)
    #expect(own.priming == 2048 && own.primingSource == .codecTable)
  }

  /// The table counts only where each of its ticks is a whole number of samples, or the other way round.
  @Test(
    "the sample table counts at 24, 48 and 96 kHz, and at other time scales it doesn't",
    arguments: [(48_000, 3888), (24_000, 9888), (96_000, 888), (90_000, nil), (600, nil)])
  func theSampleTableEndsWhereItsMediaEnds(timescale: Int64, samples: Int64?) throws {
    var facts = GaplessFacts(container: .named("mp4"), codec: .named("aac"))
    facts.edits = [GaplessFacts.Edit(duration: 0, mediaTime: 2112 * timescale / 48_000)]
    (facts.movieTimescale, facts.mediaTimescale) = (1000, timescale)
    facts.mediaDuration = 6000
    #expect(try plan(facts).tableSamples == samples)
  }

  @Test("an edit states start and length, with the tolerance of its movie's clock")
  func anEditStatesStartLengthAndAccuracy() throws {
    let plan = try plan(everything())
    #expect(plan.priming == 2112 && plan.validSamples == 96_000 && plan.start == 0)
    // The movie counts in milliseconds.
    #expect(plan.validTolerance == 48 && plan.paddingSource == .editList)
    let slower = try self.plan(everything(), rate: 44_100)
    #expect(slower.priming == 1940 && slower.validSamples == 88_200 && slower.validTolerance == 45)
  }

  /// The first sample's time may lie before or after the edit's start.
  @Test("an edit counts from the time of the first sample, early or late")
  func editsCountFromTheFirstSample() throws {
    let early = try plan(everything(), position: -1024)
    #expect(early.priming == 3136 && early.start == 0 && early.validSamples == 96_000)
    let late = try plan(everything(), position: 3112)
    #expect(late.priming == 0 && late.start == 1000 && late.validSamples == 95_000)
  }

  /// An edit list from the first sample on says nothing of start-up samples that every stream of the codec has; where the
  /// encoder chooses their number, it is followed. Both are told.
  @Test(
    "an edit from sample 0 leaves 256 samples of AC-3 trimmed, none of AAC or MP3, and is reported",
    arguments: [("eac3", 256, 256), ("ac3", 256, 256), ("aac", 0, 1024), ("mp3", 0, 1105)])
  func anEditFromTheFirstSampleLeavesTheStartOpen(codec: String, priming: Int64, usual: Int)
    throws
  {
    var facts = GaplessFacts(container: .named("mp4"), codec: .named(codec))
    facts.edits = [
      GaplessFacts.Edit(duration: 10, mediaTime: -1),
      GaplessFacts.Edit(duration: 2000, mediaTime: 0),
    ]
    (facts.movieTimescale, facts.mediaTimescale, facts.mediaDuration) = (1000, 48_000, 96_256)
    let plan = try plan(facts)
    #expect(plan.priming == priming && plan.start == 480 + priming && plan.isPlacedByEdits)
    #expect(plan.validSamples == 96_000 - priming && plan.tableSamples == 96_256 - priming)
    #expect(plan.primingSource == (priming > 0 ? .codecTable : .editList))
    #expect(log.degradations.map(\.code) == [.startUpUncertain])
    #expect(log.degradations[0].message.contains("\(usual)"))
    let kept = try self.plan(facts, .keep)
    #expect(kept.priming == 0 && kept.start == 480 && kept.validSamples == 96_000)
    #expect(log.degradations.count == 1)
  }

  /// A sample that is said to last longer than the frame that it holds moves the clock, and adds no sound.
  @Test("a length is promised by a sample table whose samples last equally long, and by no other")
  func unevenTablesPromiseNothing() throws {
    var facts = GaplessFacts(container: .named("mp4"), codec: .named("dts"))
    (facts.movieTimescale, facts.mediaTimescale, facts.mediaDuration) = (1000, 48_000, 48_144)
    for edits in [[], [GaplessFacts.Edit(duration: 1003, mediaTime: 0)]] {
      facts.edits = edits
      facts.hasEvenSamples = true
      #expect(try plan(facts).statedSamples != nil)
      facts.hasEvenSamples = false
      #expect(try plan(facts).statedSamples == nil)
    }
  }

  /// The start is open only where the edit begins with the first sample of a codec with start-up samples.
  @Test("an edit from a later sample, a late first sample and a lossless codec settle the start")
  func otherEditsSettleTheStart() throws {
    var facts = GaplessFacts(container: .named("mp4"), codec: .named("eac3"))
    (facts.movieTimescale, facts.mediaTimescale) = (1000, 48_000)
    facts.edits = [GaplessFacts.Edit(duration: 2000, mediaTime: 256)]
    #expect(try plan(facts).primingSource == .editList)
    facts.edits = [GaplessFacts.Edit(duration: 2000, mediaTime: 0)]
    #expect(try plan(facts, position: 4800).priming == 0)
    facts.codec = .named("flac")
    #expect(try plan(facts).primingSource == .editList)
    #expect(log.degradations.isEmpty)
  }

  @Test("an empty edit of 500 ms delays the start by 24,000 samples")
  func emptyEditsAreALateStart() throws {
    var facts = everything()
    facts.edits.insert(GaplessFacts.Edit(duration: 500, mediaTime: -1), at: 0)
    let plan = try plan(facts)
    #expect(plan.start == 24_000 && plan.priming == 2112 && plan.validSamples == 96_000)
  }

  @Test("an open edit states a start and no length")
  func anOpenEditReachesToTheEnd() throws {
    var facts = everything()
    facts.edits[0].duration = 0
    let plan = try plan(facts)
    #expect(plan.validSamples == nil && plan.priming == 2112)
    #expect(plan.paddingSource == .unknown)
  }

  @Test("a start-up option moves the start of the plan and keeps its end")
  func theUsersWordMovesTheStartAlone() throws {
    let automatic = try plan(everything())
    let whole = try plan(everything(), .keep)
    #expect(whole.priming == 0 && whole.primingSource == .option && whole.start == -2112)
    #expect(whole.validSamples == 98_112)
    let chosen = try plan(everything(), .samples(3000))
    #expect(chosen.priming == 3000 && chosen.start == 888 && chosen.validSamples == 95_112)
    let all = try plan(everything(), .samples(1_000_000))
    #expect(all.validSamples == 0)
    for plan in [whole, chosen] {
      #expect(plan.paddingSource == automatic.paddingSource)
      let end = plan.priming + (plan.validSamples ?? 0)
      #expect(end == automatic.priming + (automatic.validSamples ?? 0))
    }
  }

  @Test("a missing or absurd first time counts as 0")
  func aBadTimestampIsNoOrigin() throws {
    #expect(
      try plan(GaplessFacts(container: .named("ts"), codec: .named("aac")), position: .min).start
        == 1024)
    #expect(
      try plan(GaplessFacts(container: .named("ts"), codec: .named("aac")), position: nil).start
        == 1024)
  }
}
