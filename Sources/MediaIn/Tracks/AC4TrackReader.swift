import AC4
import AudioCore
import LibAV

/// Decodes an AC-4 track from a raw file, MP4 or MPEG-TS, block by block.
///
/// The decoder removes its own delay: the first sample is the first sample of the first frame. A damaged
/// frame is an error or becomes silence, as the policy says. Frames before the first I-frame can't be
/// decoded and are left out.
package final class AC4TrackReader: TrackReader {
  /// One bed; its facts are those that the first I-frame states of the presentation.
  package let programme: Programme
  /// The track, with all of its presentations.
  package let track: TrackDescription
  /// Samples handed out so far.
  package private(set) var decodedSamples: Int64 = 0

  private let path: String
  private let source: any AccessUnitSource
  private let decoder: AC4Decoder
  private var damage: AC4DamageRule
  private let log: DiagnosticLog
  private let first: Int64
  private var held: AccessUnit?
  private var index = 0
  private var isFirstBlock = true
  private var isFlushed = false
  private var inspector: AC4Inspector
  private var downmixes = DownmixRecord()

  /// Opens the decoder at the first I-frame.
  /// - Throws: ``MediaError`` when the track is encrypted, damaged or needs a tool that isn't there.
  init(
    media: MediaFile, stream: StreamInfo, source: any AccessUnitSource, options: InputOptions,
    log: DiagnosticLog
  ) throws {
    path = media.file.path
    self.source = source
    self.log = log
    damage = AC4DamageRule(policy: options.damage)
    let start = try AC4TrackReader.firstKeyFrame(source, path, log)
    held = start.unit
    index = start.index
    inspector = AC4Inspector()
    let facts: AC4FrameFacts
    let reason: String
    do {
      facts = try inspector.inspect(rawFrame: start.unit.data)
      (decoder, reason) = try AC4PresentationChoice(options.presentation, facts, path: path).first {
        (index) throws(AC4Error) in
        try AC4Decoder(
          rawFrame: start.unit.data, presentation: index,
          options: AC4DecoderOptions(
            dialogueGain: options.dialogueGain,
            dynamicRange: AC4DecoderOptions.DynamicRange(rawValue: options.dynamicRange.rawValue)
              ?? .off,
            // The renderer takes the bed that objects are coded in; those without one are refused.
            decodesObjects: false))
      }
    } catch let error as AC4Error {
      throw MediaError(
        error.isUnsupported ? .unsupportedCodec : .damaged, about: path, "\(error)")
    }
    let chosen = facts.presentations.first { [decoder] in $0.index == decoder.presentation }
    downmixes.note(CarriedDownmix(facts, presentation: decoder.presentation), at: 0)
    programme = Programme(
      decoder.format,
      facts: AC4TrackReader.facts(chosen, downmix: downmixes.first, language: stream.language))
    let samples = stream.duration.map { [rate = decoder.format.sampleRate] in
      stream.samples($0, at: rate)
    }
    track = TrackDescription(
      stream: stream, expectedSamples: samples,
      // Only MP4 states the length in exact ticks.
      declaredSamples: media.movie == nil ? nil : samples, isCountExact: true,
      presentations: facts.presentations.map { PresentationFacts($0, of: facts) })
    first =
      MediaTime.rescale(
        source.origin.ticks, by: Int64(decoder.format.sampleRate), over: source.origin.rate)
      + MediaTime.rescale(
        start.unit.time, by: Int64(decoder.format.sampleRate), over: source.timescale)
    note(chosen, options, reason: reason)
  }

  /// Notes which presentation is decoded and what of it isn't.
  private func note(
    _ chosen: AC4PresentationFacts?, _ options: InputOptions, reason: String
  ) {
    log.decide(.presentation, "\(decoder.presentation)", why: reason)
    noteDialogue(chosen, wanted: options.dialogueGain)
    if let rate = decoder.fullSampleRate {
      log.degrade(
        .bandwidth,
        "the programme is coded at \(rate) Hz; its extension above 24 kHz isn't decoded, so it "
          + "comes out at \(programme.sampleRate) Hz")
    }
    if decoder.substreamCount > 1 {
      log.decide(
        .mix, "\(decoder.substreamCount) substreams",
        why: "the presentation has dialogue or associated audio of its own, at the gains it states")
    }
  }

  /// The facts of the presentation that is decoded.
  private static func facts(
    _ chosen: AC4PresentationFacts?, downmix: CarriedDownmix?, language: String?
  ) -> ProgrammeFacts {
    let isForHeadphones =
      chosen.map { $0.presentation.isImmersiveStereo || $0.presentation.isPreVirtualized } ?? false
    return ProgrammeFacts(
      dialnorm: chosen?.dialnorm, hasDynamicRange: chosen.map { $0.dynamicRange != nil },
      downmix: downmix, virtualization: isForHeadphones ? .binaural : nil, language: language,
      objects: chosen?.objects == nil ? .no : .yes)
  }

  /// Notes a limit that the first I-frame sets to raising dialogue.
  private func noteDialogue(_ facts: AC4PresentationFacts?, wanted: Double) {
    guard wanted > 0, let facts else { return }
    let own = facts.substreams.compactMap { $0?.dialogueLimit }
    let limit = ([facts.dialogueEnhancement.map { Double($0.maximumGain) }] + own).compactMap { $0 }
      .max()
    guard let limit else {
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

  /// Samples before the first I-frame that states another mix to two channels.
  package var downmixChange: Int64? { downmixes.change }

  /// Frames are counted, so their times are exact.
  package var timestampTolerance: Int64 { 1 }
  /// Blocks vary in length while the decoder's delay is taken out.
  package var codecFrame: Int64 { 0 }
  /// 0, because counted times aren't rounded to a container's ticks.
  package var clockUncertainty: Int64 { 0 }

  /// Appends the next block; `nil` at the end.
  /// - Throws: ``MediaError`` when a frame is damaged and isn't to be concealed, or reading fails.
  package func read(into block: ProgrammeBlock) throws -> TimedBlock? {
    let buffer = block.audio
    let start = buffer.frames
    while buffer.frames == start {
      guard let unit = try nextUnit() else {
        guard !isFlushed else { return nil }
        isFlushed = true
        decoder.flush(into: buffer)
        break
      }
      try decode(unit, into: buffer)
      index += 1
    }
    let frames = buffer.frames - start
    guard frames > 0 else { return nil }
    decodedSamples += Int64(frames)
    defer { isFirstBlock = false }
    return TimedBlock(frames: frames, position: isFirstBlock ? first : nil)
  }

  private func nextUnit() throws -> AccessUnit? {
    if let unit = held {
      held = nil
      return unit
    }
    return isFlushed ? nil : try source.next()
  }

  private func decode(_ unit: AccessUnit, into buffer: AudioBuffer) throws {
    if unit.isDamaged, damage.policy == .conceal {
      let time = MediaTime(ticks: unit.time, rate: source.timescale)
      log.degrade(.concealed, "AC-4 frame \(index) at \(time) is damaged; filled with silence")
      return decoder.conceal(into: buffer)
    }
    do {
      try decoder.decode(rawFrame: unit.data, into: buffer)
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
      log.degrade(.concealed, "the sound at \(time) is filled with silence: \(error)")
      decoder.conceal(into: buffer)
    }
  }

  /// Notes the mix to two channels that an I-frame states. A programme of two channels or fewer has none,
  /// and after the first change there is nothing more to report.
  private func noteDownmix(_ unit: AccessUnit) {
    guard unit.isSync, programme.planes > 2, downmixes.change == nil,
      let facts = try? inspector.inspect(rawFrame: unit.data)
    else { return }
    downmixes.note(
      CarriedDownmix(facts, presentation: decoder.presentation), at: decodedSamples)
  }

  private static func firstKeyFrame(
    _ source: any AccessUnitSource, _ path: String, _ log: DiagnosticLog
  ) throws -> (unit: AccessUnit, index: Int) {
    var index = 0
    while let unit = try source.next() {
      if unit.isSync {
        if index > 0 {
          log.degrade(
            .leadingFramesLeftOut,
            "\(index) AC-4 frame(s) before the first I-frame can't be decoded and are left out")
        }
        return (unit, index)
      }
      index += 1
    }
    throw MediaError(.damaged, about: path, "its AC-4 track has no I-frame to begin with")
  }
}
