// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// How much of a decode is start-up and where the programme ends: the conclusions from
/// ``GaplessFacts``, in samples at the decoded rate.
package struct TrimPlan: Sendable, Equatable {
  /// Start-up samples to drop.
  package var priming: Int64
  /// Source of ``priming``; `nil` when nothing is known and nothing is dropped.
  package var primingSource: PrimingSource?
  /// Valid samples after the start-up; `nil` when only the end of the decode shows them.
  package var validSamples: Int64?
  /// Samples by which `validSamples` may be too few because of a coarse clock.
  package var validTolerance: Int64
  /// Samples from the first valid one to the end of the MP4 sample table or of the last fragment; `nil` without one
  /// whose clock counts samples.
  package var tableSamples: Int64?
  /// Most samples that the decode can have by the last page or by the header of a bare stream; `nil` without either. An edit
  /// list may present a part of its media, so that it is no bound of these; it ends the programme by itself.
  package var bound: Int64? { pageSamples ?? streamSamples }
  /// Samples of the whole, start-up included, by the pages of Ogg; `nil` for other tracks.
  private var pageSamples: Int64?
  /// Samples of the whole by the header of a bare FLAC stream; `nil` without one.
  private var streamSamples: Int64?
  private var hasEvenSamples: Bool
  /// Samples of the programme by edit list, tag or sample table alone, the finer clock before the coarser, or by the pages
  /// of Ogg; `nil` when none of them states its length, or only times do so which samples of several durations made.
  package var statedSamples: Int64? {
    guard shift == 0, hasEvenSamples || validSamples != nil && paddingSource != .editList else {
      return nil
    }
    let header = tableSamples.flatMap { headerEnd($0) }
    guard let valid = validSamples else {
      return header ?? tableSamples ?? pageSamples.map { max(0, $0 - priming) }
    }
    guard let table = tableSamples, (table - valid).magnitude < UInt64(max(1, validTolerance))
    else { return header.map { min(valid, $0) } ?? valid }
    return header ?? table
  }

  /// Source of the end as the headers state it, before the decode shows whether they count right. A sample table states padding
  /// only where it ends within the last frame, which the decode alone shows.
  package var declaredEnd: PaddingSource {
    guard paddingSource == .unknown else { return paddingSource }
    if infoFrame?.padding != nil { return .lame }
    return tableSamples == nil && pageSamples != nil ? .discard : .unknown
  }

  /// The programme's end by the header frame of an MP3, of whose decode `all` samples follow the start-up; `nil` without
  /// one, and where it counts other frames than are there. Some writers count the header frame itself, which can't be told from
  /// a frame that is missing where the end `isCut`.
  package func headerEnd(_ all: Int64, isCut: Bool = false) -> Int64? {
    guard let info = infoFrame, let padding = info.padding, let samples = info.samples,
      padding < all, (isCut ? [0] : [0, info.samplesPerFrame]).contains(samples - all - priming)
    else { return nil }
    return all - padding
  }

  /// Samples of the programme by a header that counts, where that ends within the last block; `nil` without one.
  package var countedSamples: Int64?
  /// The header that counts it.
  package var countSource = PaddingSource.unknown
  /// The numbers of an MP3's header frame, where they count; `nil` without one.
  package var infoFrame: GaplessFacts.InfoFrame?
  /// Source of the programme's end.
  package var paddingSource: PaddingSource
  /// Position of the first valid sample on the presentation timeline.
  package var start: Int64
  /// Whether an edit list places the track on the presentation timeline.
  package var isPlacedByEdits = false
  /// Samples by which the clock of the decode is ahead of the edit list, which begins with the first packet, though that one gives
  /// no sound, as the first of Vorbis.
  package private(set) var shift: Int64 = 0

  /// Derives the plan from the file's facts.
  /// - Parameters:
  ///   - facts: the facts that the file states.
  ///   - rate: decoded sample rate, Hz.
  ///   - option: what the user asks for.
  ///   - first: the first decoded block: its timestamp and skip side data.
  ///   - log: takes degradations.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for edit lists that rearrange.
  package init(
    facts: GaplessFacts, rate: Int, option: PrimingOption, first: TimedBlock, log: DiagnosticLog
  ) throws {
    var origin = GapJudge.plausible(first.position) ?? 0
    priming = 0
    validSamples = nil
    validTolerance = 0
    pageSamples = facts.pageSamples.map { $0 + TrimPlan.extra(facts, first) }
    streamSamples = facts.streamSamples
    hasEvenSamples = facts.hasEvenSamples
    infoFrame = facts.rule.end.contains(.lame) ? first.infoFrame : nil
    paddingSource = facts.codec.isLossless ? .lossless : .unknown
    start = origin
    let rule = facts.rule
    if rule.start.contains(.editList), let edit = try EditTimeline(facts, rate: rate, log: log) {
      shift = facts.startsWithFirstSample ? min(origin, first.silentLead) : 0
      origin -= shift
      follow(edit, origin)
    } else if let tag = TrimPlan.tag(facts, first) {
      follow(tag, facts.codec)
    } else if rule.start.contains(.packetTable), let table = facts.packetTable {
      (priming, primingSource) = (table.priming, .packetTable)
      (validSamples, paddingSource) = (table.valid, .packetTable)
      start = 0
    } else {
      (priming, primingSource) = TrimPlan.fromStream(facts, first)
      start = origin + priming
    }
    followCount(facts)
    tableSamples = TrimPlan.tableEnd(facts, rate).map { $0 - origin - priming }
    if isPlacedByEdits, origin == 0 || first.infoFrame != nil, facts.startsWithFirstSample {
      settleStart(facts, first, option, log)
    }
    apply(option)
  }

  /// Judges an edit list that begins with the track's first sample, though the codec has start-up samples: writers put
  /// it in without knowing of them. If the codec alone decides how many there are, they are trimmed as from any
  /// other container, and so they are where the first sample is no sound but the frame that states them; where the
  /// encoder decides and leaves no such frame, the edit list is followed.
  private mutating func settleStart(
    _ facts: GaplessFacts, _ first: TimedBlock, _ option: PrimingOption, _ log: DiagnosticLog
  ) {
    let (count, source) = TrimPlan.fromStream(facts, first)
    guard count > 0 else { return }
    let isTrimmed = facts.codec.isStartUpFixed || source == .lame
    if isTrimmed {
      (priming, primingSource) = (count, source)
      validSamples = validSamples.map { max(0, $0 - count) }
      tableSamples = tableSamples.map { $0 - count }
      start += count
    }
    guard option == .automatic else { return }
    log.degrade(
      .startUpUncertain,
      "the edit list begins with the first sample, though \(facts.codec.name) has \(count) start-up samples "
        + (isTrimmed
          ? "\(source == .lame ? "by its own header" : "in every stream"); they are trimmed, "
            + "\(setting: .priming) none keeps them"
          : "as a rule; all are kept, \(setting: .priming) \(count) trims them"))
  }

  /// End of the sample table or the last fragment, in samples of its media; `nil` where a tick is longer than four samples or
  /// doesn't hold a whole number of them.
  private static func tableEnd(_ facts: GaplessFacts, _ rate: Int) -> Int64? {
    let (clock, rate) = (facts.mediaTimescale, Int64(rate))
    guard let ticks = facts.mediaDuration, ticks < 1 << 60, clock * 4 >= rate,
      clock % rate == 0 || rate % clock == 0
    else { return nil }
    return MediaTime.rescale(ticks, by: rate, over: clock)
  }

  /// Begins and ends where an edit list says; `origin` is the position of the first decoded sample.
  private mutating func follow(_ edit: EditTimeline, _ origin: Int64) {
    // A first sample after the edit's start is heard late, not trimmed.
    let late = max(0, origin - edit.mediaStart)
    priming = max(0, edit.mediaStart - origin)
    primingSource = .editList
    isPlacedByEdits = true
    start = edit.emptyLead + late
    guard let length = edit.length else { return }
    validSamples = max(0, length - late)
    // The list counts the silent packet, too.
    validTolerance = edit.lengthTick + shift
    paddingSource = .editList
  }

  /// Ends after as many samples as a header counts. In plain sound all others are filling; in coded sound some writers count
  /// something else, and only the last block is filled up.
  private mutating func followCount(_ facts: GaplessFacts) {
    if facts.rule.end.contains(.fact) {
      (countedSamples, countSource) = (facts.factSamples, .fact)
    } else if facts.rule.end.contains(.common), let count = facts.commonSamples {
      if facts.codec.isPlain {
        (validSamples, paddingSource) = (count, .common)
      } else {
        (countedSamples, countSource) = (count, .common)
      }
    }
  }

  /// Begins and ends where Apple's tag says.
  private mutating func follow(_ tag: ITunSMPB, _ codec: CodecTraits) {
    priming = Int64(tag.priming + codec.decoderDelay)
    primingSource = .iTunSMPB
    validSamples = tag.valid
    paddingSource = .iTunSMPB
    start = 0
  }

  /// Apple's tag, where it has a meaning and nothing that goes before it states the start-up.
  private static func tag(_ facts: GaplessFacts, _ first: TimedBlock) -> ITunSMPB? {
    let start = facts.rule.start
    guard let place = start.firstIndex(of: .iTunSMPB),
      start[..<place].allSatisfy({ claim($0, facts, first) == nil })
    else { return nil }
    return facts.iTunSMPB.flatMap(ITunSMPB.init)
  }

  /// Start-up samples by the first source of the rule, other than edit list and tag, that states them.
  private static func fromStream(_ facts: GaplessFacts, _ first: TimedBlock) -> (
    Int64, PrimingSource?
  ) {
    for source in facts.rule.start {
      if let claim = claim(source, facts, first) { return claim }
    }
    return (0, nil)
  }

  /// Start-up samples by `source`, with the name that the report gives it; `nil` where it states none.
  private static func claim(
    _ source: PrimingSource, _ facts: GaplessFacts, _ first: TimedBlock
  ) -> (Int64, PrimingSource?)? {
    let skip = Int64(first.skipStart)
    switch source {
    // These place the programme's end as well; they are followed as a whole.
    case .editList, .iTunSMPB, .packetTable: return nil
    case .option, .unknown: return nil
    case .codecDelay: return facts.codecDelay.map { (Int64($0), source) }
    case .opusHeader: return facts.opusPreSkip.map { (Int64($0), source) }
    case .lame: return first.infoFrame?.priming.map { ($0, source) }
    case .firstPage:
      // The decoder's own start-up lies before the first sample that pages count.
      let early = -(GapJudge.plausible(first.position) ?? 0)
      return early > skip ? (early, source) : nil
    case .decoder:
      if facts.codec.startUp == .takenOut { return (skip, source) }
      guard skip > 0 else { return nil }
      // The decoder marks two frames, but libavcodec's own encoder puts only one in front.
      let isHalved = facts.isByLibAV && facts.codec.ownEncoderHalvesStartUp
      return isHalved ? (skip / 2, .codecTable) : (skip, source)
    case .codecTable:
      let delay = facts.codec.startUpSamples(profile: facts.profile)
      return delay.map { (Int64($0), source) }
    }
  }

  /// Samples that the decoder puts before the first one, where it marks its start-up instead of taking it out.
  private static func extra(_ facts: GaplessFacts, _ first: TimedBlock) -> Int64 {
    facts.codec.startUp == .takenOut ? Int64(first.skipStart) : 0
  }

  private mutating func apply(_ option: PrimingOption) {
    let wanted: Int64
    switch option {
    case .automatic: return
    case .keep: wanted = 0
    case .samples(let count): wanted = Int64(count)
    }
    // The end stays where it was; only the start moves.
    validSamples = validSamples.map { max(0, $0 + priming - wanted) }
    tableSamples = tableSamples.map { $0 + priming - wanted }
    start += wanted - priming
    priming = wanted
    primingSource = .option
  }
}

/// The treatment of start-up samples that the user asks for (`--priming`).
public enum PrimingOption: Sendable, Hashable, Codable {
  /// As many are trimmed as the file, the codec or Pinna's table of codec delays states.
  case automatic
  /// Nothing is trimmed.
  case keep
  /// Exactly this many samples per channel are trimmed, 0…2,147,483,647.
  case samples(Int)

  /// Parses `auto`, `none` or a count.
  /// - Throws: ``MediaError`` of kind `usage` for any other text.
  public init(_ text: String) throws {
    switch text {
    case "auto": self = .automatic
    case "none": self = .keep
    default:
      guard let count = Int(text), (0...Int(Int32.max)).contains(count) else {
        throw MediaError(
          .usage, "\(setting: .priming) \(text): give auto, none or a number of samples")
      }
      self = .samples(count)
    }
  }
}

/// Apple's gapless tag: hexadecimal fields of start-up, padding and valid samples.
struct ITunSMPB: Equatable {
  /// Samples of two centuries at 48 kHz; more is a garbled field.
  private static let longest: Int64 = 1 << 48

  let priming: Int
  let padding: Int
  let valid: Int64

  /// Parses the tag; `nil` when it is malformed or implausible.
  init?(_ text: String) {
    let fields = text.split(separator: " ").map { Int64($0, radix: 16) }
    guard fields.count >= 4, let priming = fields[1], let padding = fields[2],
      let valid = fields[3], (0...65536).contains(priming), (0...65536).contains(padding),
      (1...ITunSMPB.longest).contains(valid)
    else { return nil }
    self.priming = Int(priming)
    self.padding = Int(padding)
    self.valid = valid
  }
}
