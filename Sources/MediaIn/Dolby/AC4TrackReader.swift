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
  /// What is decoded; its facts are those that the first I-frame states of the presentation.
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
  /// Where the objects are; `nil` for channels alone.
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

  /// What is known of the bed and the objects: the states in which they begin, and what was decoded so far.
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
