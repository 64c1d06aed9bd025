// SPDX-License-Identifier: Apache-2.0
import AC4
import AudioCore
import LibAV

/// Decodes an AC-4 track from a raw file, MP4 or MPEG-TS, block by block: a bed of channels, or objects with their
/// updates.
///
/// The decoder removes its own delay: the first sample is the first sample of the first frame. A damaged
/// frame is an error or becomes silence, as the policy says. Frames before the first I-frame can't be
/// decoded and are left out.
package final class AC4TrackReader: TrackReader {
  /// Programme that is decoded; its facts are those that the first I-frame states of the presentation.
  package let programme: Programme
  /// The track, with all of its presentations.
  package let track: TrackDescription
  /// Samples handed out so far.
  package private(set) var decodedSamples: Int64 = 0

  private let path: String
  private let check: ContainerCheck
  private let source: JoinedUnits
  private let decoder: AC4Decoder
  private var damage: AC4DamageRule
  private var remarks: AC4Remarks
  private let first: Int64
  private var held: AccessUnit?
  private var index: Int
  private var isFirstBlock = true
  private var isFlushed = false
  private var downmixes: AC4DownmixWatch
  /// Scene of the objects; `nil` for channels alone.
  private var scene: DecodedScene?

  /// Opens the decoder at the first I-frame.
  /// - Throws: ``MediaError`` when the track is encrypted, damaged or needs a tool that isn't there.
  init(
    media: MediaFile, stream: StreamInfo, source: JoinedUnits, options: InputOptions,
    log: DiagnosticLog
  ) throws {
    path = media.file.path
    check = ContainerCheck(media: media, stream: stream, log: log)
    self.source = source
    damage = AC4DamageRule(policy: options.damage)
    let start = try AC4Beginning(source, options, path: path, log: log)
    held = start.unit
    index = start.index
    decoder = start.decoder
    downmixes = AC4DownmixWatch(start)
    programme = start.programme(downmixes.first, language: stream.language)
    let samples = media.statedLength(of: stream).map { [rate = decoder.format.sampleRate] in
      stream.samples($0, at: rate)
    }
    track = TrackDescription(
      stream: stream, expectedSamples: samples,
      // Only MP4 states the length in exact ticks.
      declaredSamples: media.movie == nil ? nil : samples, isCountExact: true,
      presentations: start.facts.presentations.map { PresentationFacts($0, of: start.facts) },
      objectCoding: start.objectCoding)
    scene = start.objectCoding == nil ? nil : DecodedScene(programme)
    first =
      MediaTime.rescale(
        source.origin.ticks, by: Int64(decoder.format.sampleRate), over: source.origin.rate)
      + MediaTime.rescale(
        start.unit.time, by: Int64(decoder.format.sampleRate), over: source.timescale)
    remarks = AC4Remarks(log)
    remarks.begin(start, options)
    remarks.compare(start, dac4: media.track(of: stream)?.dac4)
  }

  /// Samples before the first I-frame that states another mix to two channels; `nil` for objects, which aren't
  /// what is mixed.
  package var downmixChange: Int64? { scene == nil ? downmixes.change : nil }

  /// Frames are counted, so their times are exact.
  package var timestampTolerance: Int64 { 1 }
  /// Blocks vary in length while the decoder's delay is taken out.
  package var codecFrame: Int64 { 0 }
  /// 0, because counted times aren't rounded to a container's ticks.
  package var clockUncertainty: Int64 { 0 }

  /// Facts about the bed and the objects: the states in which they begin, and what was decoded so far.
  package func objects() -> [ObjectFacts] { scene?.facts ?? [] }

  /// Appends the next block; `nil` at the end.
  /// - Throws: ``MediaError`` when a frame is damaged and isn't to be concealed, or reading fails.
  package func read(into block: ProgrammeBlock) throws -> TimedBlock? {
    let start = block.frames
    while block.frames == start {
      guard let unit = try nextUnit() else {
        guard !isFlushed else {
          try check.checkEnd(damage.policy)
          return nil
        }
        isFlushed = true
        decoder.flush(into: block)
        break
      }
      try decode(unit, into: block)
      index += 1
    }
    let frames = block.frames - start
    guard frames > 0 else { return nil }
    follow(block, from: start)
    decodedSamples += Int64(frames)
    defer { isFirstBlock = false }
    return TimedBlock(frames: frames, position: isFirstBlock ? first : nil)
  }

  /// Notes what the samples from `start` on say of the objects, and what decoding them took.
  private func follow(_ block: ProgrammeBlock, from start: Int) {
    remarks.note(decoder.unverified.union(source.unverified))
    guard scene != nil else { return }
    let known = block.start + Int64(start)
    for var update in block.updates where update.at >= known {
      update.at += decodedSamples - known
      scene?.note(update)
    }
  }

  private func nextUnit() throws -> AccessUnit? {
    if let unit = held {
      held = nil
      return unit
    }
    return isFlushed ? nil : try source.next()
  }

  private func decode(_ unit: AccessUnit, into block: ProgrammeBlock) throws {
    if unit.isDamaged, damage.policy == .conceal {
      let time = MediaTime(ticks: unit.time, rate: source.timescale)
      remarks.log.degrade(
        .concealed, "AC-4 frame \(index) at \(time) is damaged; filled with silence")
      return decoder.conceal(into: block)
    }
    do {
      try decoder.decode(rawFrame: unit.data, into: block)
      damage.noteDecoded()
      noteDownmix(unit)
    } catch {
      let time = MediaTime(ticks: unit.time, rate: source.timescale)
      guard damage.conceals(error) else {
        throw MediaError(
          error.isUnsupported ? .unsupportedCodec : .damaged, about: path,
          "at \(time): \(error)"
            + (damage.policy == .conceal
              ? "" : "; \(setting: .damage) conceal fills it with silence"))
      }
      remarks.log.degrade(.concealed, "the sound at \(time) is filled with silence: \(error)")
      decoder.conceal(into: block)
    }
  }

  /// Notes the mix to two channels that an I-frame states. A programme of two channels or fewer has none.
  private func noteDownmix(_ unit: AccessUnit) {
    guard scene == nil, programme.planes > 2 else { return }
    downmixes.note(unit, at: decodedSamples)
  }
}

/// Decides which frames of AC-4 that can't be decoded become silence.
struct AC4DamageRule {
  /// Whether damaged frames fail the run.
  let policy: DamagePolicy
  /// Frames in a row that need a tool that the decoder lacks.
  private var contradictions = 0
  /// Damage can make a frame seem to need any tool. When more than this many frames in a row need one that
  /// is missing, the stream isn't damaged but unsupported.
  private static let mostContradictions = 8

  init(policy: DamagePolicy) { self.policy = policy }

  /// Ends the row of frames that need a missing tool.
  mutating func noteDecoded() { contradictions = 0 }

  /// Whether the frame that failed with `error` becomes silence; otherwise the run fails.
  mutating func conceals(_ error: AC4Error) -> Bool {
    if error.isUnsupported { contradictions += 1 }
    return policy == .conceal && contradictions <= AC4DamageRule.mostContradictions
  }
}

extension AC4Error {
  /// Whether the decoder lacks something, rather than the stream being damaged.
  var isUnsupported: Bool {
    if case .unsupported = self { return true }
    return false
  }
}

/// The frames of an AC-4 track, of which those that hold parts of one codec frame are joined
/// (``AC4FrameJoiner``). Other tracks come out as they are.
///
/// If a part is missing or damaged, the whole codec frame counts as damaged, and lasts as long.
final class JoinedUnits: AccessUnitSource {
  private let source: any AccessUnitSource
  /// A unit that was read to find out where the one before ends.
  private var held: AccessUnit?
  /// Parts of a codec frame, as the last frame that could be read says; 1 before that.
  private var fraction = 1

  /// Tools that the frames so far needed and that no real stream has proved.
  var unverified: AC4UnverifiedTools { fraction > 1 ? .spreadFrames : [] }

  /// The frames of `source`.
  init(_ source: any AccessUnitSource) { self.source = source }

  var timescale: Int64 { source.timescale }
  var origin: (ticks: Int64, rate: Int64) { source.origin }

  /// The next frame; `nil` behind the last.
  /// - Throws: as the source does, and ``MediaError`` for presentations that are spread differently.
  func next() throws -> AccessUnit? {
    var parts: [AccessUnit] = []
    // Whether each part is where it belongs.
    var isWhole = true
    while parts.isEmpty || parts.count < fraction {
      guard let unit = try take() else { break }
      let part = unit.isDamaged ? nil : try? AC4FrameJoiner.part(rawFrame: unit.data)
      if let part { fraction = part.fraction }
      // A unit that can't be read goes through, so that the decoder says what is wrong with it.
      guard fraction > 1 else { return unit }
      if let part, part.position == 0, !parts.isEmpty {
        held = unit
        break
      }
      isWhole = isWhole && part?.position == parts.count
      parts.append(unit)
    }
    guard let first = parts.first else { return nil }
    let data = isWhole && parts.count == fraction ? try join(parts) : nil
    return AccessUnit(
      data: data ?? first.data, time: first.time,
      duration: parts.reduce(0) { $0 + $1.duration }, isSync: first.isSync && data != nil,
      isDamaged: data == nil)
  }

  /// The frame that all parts make up; `nil` where they don't belong together.
  private func join(_ parts: [AccessUnit]) throws -> [UInt8]? {
    do {
      return try AC4FrameJoiner.join(parts.map(\.data))
    } catch {
      guard error.isUnsupported else { return nil }
      throw error.mediaError
    }
  }

  private func take() throws -> AccessUnit? {
    if let unit = held {
      held = nil
      return unit
    }
    return try source.next()
  }
}

/// Tells how an AC-4 track is decoded, and what about that is in doubt.
struct AC4Remarks {
  /// Log for the remarks.
  let log: DiagnosticLog
  /// Tools that were told.
  private var told: AC4UnverifiedTools = []

  /// Remarks that go to `log`.
  init(_ log: DiagnosticLog) { self.log = log }

  /// Tells which presentation is decoded and what of it isn't.
  func begin(_ start: AC4Beginning, _ options: InputOptions) {
    let decoder = start.decoder
    log.decide(.presentation, "\(decoder.presentation)", why: start.reason)
    noteDialogue(start, wanted: options.decodedDialogueGain)
    if let rate = decoder.fullSampleRate {
      log.degrade(
        .bandwidth,
        "the programme is coded at \(rate) Hz; its extension above 24 kHz isn't decoded, so it "
          + "comes out at \(decoder.format.sampleRate) Hz")
    }
    noteObjects(start, options)
    if start.objectCoding == nil, decoder.substreamCount > 1 {
      log.decide(
        .mix, "\(decoder.substreamCount) substreams",
        why: "the presentation has dialogue or associated audio of its own, at the gains it states")
    }
  }

  /// Tells once of each tool that no real stream has proved.
  mutating func note(_ tools: AC4UnverifiedTools) {
    guard !tools.isSubset(of: told) else { return }
    for name in tools.subtracting(told).names {
      log.degrade(
        .unverifiedTool,
        "the stream uses \(name); the decoder for it was written from the standard's text, and no "
          + "stream of a real encoder has proved it")
    }
    told.formUnion(tools)
  }

  /// Tells where the container's `dac4` box states other numbers of objects than the frame; the frame counts.
  func compare(_ start: AC4Beginning, dac4: [UInt8]?) {
    guard let chosen = start.chosen, chosen.objects != nil, let dac4,
      let stated = try? AC4SpecificConfiguration(dac4: dac4).presentations,
      stated.indices.contains(chosen.index)
    else { return }
    let boxed = stated[chosen.index].content.groups.flatMap(\.substreams).map(\.upmixObjects)
    let toc = start.facts.toc
    let coded = chosen.presentation.groups.filter { toc.groups.indices.contains($0) }
      .flatMap { toc.groups[$0].substreams }.compactMap { $0.objects?.objects }
    guard boxed != coded else { return }
    let words = { (counts: [Int]) in counts.map(String.init).joined(separator: " and ") }
    log.degrade(
      .headerInconsistent,
      "the dac4 box states \(words(boxed)) objects, and the stream has \(words(coded)); the stream is "
        + "followed")
  }

  /// Tells whether objects are rendered.
  private func noteObjects(_ start: AC4Beginning, _ options: InputOptions) {
    guard start.chosen?.objects != nil else { return }
    guard let coding = start.objectCoding else {
      return log.decide(.objects, "left aside", why: "the track's channels are asked for")
    }
    let silent = start.decoder.silentBeginning
    log.decide(
      .objects, "rendered",
      why: "joint object coding (ETSI TS 103 190-2) holds \(coding.objects) objects"
        + (coding.bed.map { " and a bed of \($0)" } ?? "")
        + (silent > 0
          ? "; they are silent for the first \(silent) samples, before the first frame that describes "
            + "them is in force" : ""))
    if options.dynamicRange != .off, start.chosen?.dynamicRange != nil {
      log.degrade(
        .objectsRepaired,
        "the dynamic range control that the stream states is for channels, so it isn't applied to objects"
      )
    }
  }

  /// Tells of a limit that the first I-frame sets to raising dialogue.
  private func noteDialogue(_ start: AC4Beginning, wanted: Double) {
    guard wanted > 0, let facts = start.chosen else { return }
    let own = facts.substreams.compactMap { $0?.dialogueLimit }
    let channels = [facts.dialogueEnhancement.map { Double($0.maximumGain) }] + own
    let isOfObjects = start.objectCoding != nil
    let limits = isOfObjects ? [start.decoder.objectDialogueLimit] : channels
    guard let limit = limits.compactMap(\.self).max() else {
      return log.decide(
        .dialogEnhancement, "nothing to raise",
        why: "the first I-frame of the presentation carries no data for it")
    }
    if limit < wanted {
      log.decide(
        .dialogEnhancement, "\(limit) dB",
        why: "the stream allows no more of the \(wanted) asked for")
    }
  }
}
