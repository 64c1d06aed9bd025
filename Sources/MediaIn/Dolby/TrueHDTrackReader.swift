// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import TrueHD

/// Decodes a TrueHD or MLP track: channels bit for bit as the encoder had them, or objects with their updates.
///
/// Nothing is delayed: the first sample is the first sample of the first unit. Damage is an error or becomes silence of the same
/// length, as the policy says; joined clips are played on and reported.
final class TrueHDTrackReader: TrackReader {
  let programme: Programme
  let track: TrackDescription
  private(set) var decodedSamples: Int64 = 0
  /// A mix to two channels is a presentation of its own here, and no gains are stated.
  let downmixChange: Int64? = nil

  private let media: MediaFile
  private let options: InputOptions
  private let check: ContainerCheck
  private let start: TrueHDBeginning
  private var units: TrueHDUnits
  private var decoder: TrueHDDecoder
  private var remarks: TrueHDRemarks
  private var scene: DecodedScene?
  private let accuracy: (tolerance: Int64, uncertainty: Int64)
  /// The unit that was read and hasn't been decoded, with its time.
  private var held: Int64??
  private var isOver = false
  /// Time at which the next unit is due, in samples; `nil` before a time was stated.
  private var due: Int64?
  /// When the last unit with a time entered a decoder's buffer, by the stream.
  private var inputTiming: Int?
  /// Samples that the container counts and the decoder left out.
  private var leftOut: Int64 = 0
  /// Whether units were left out before the next block.
  private var hasSkipped = false

  /// Samples of a block, at least: units have 40 to 160, and each block costs something.
  private static let blockFrames = 1920
  /// Samples between the place at which decoding is entered and the first that is wanted: objects move over less.
  private static let run = 8192

  /// Opens the decoder of the presentation that `options` ask for.
  /// - Throws: ``MediaError`` when the track is encrypted, damaged or can't be decoded.
  init(
    media: MediaFile, stream: StreamInfo, start: TrueHDBeginning, options: InputOptions,
    log: DiagnosticLog
  ) throws {
    (self.media, self.options, self.start) = (media, options, start)
    check = ContainerCheck(media: media, stream: stream, log: log)
    units = try TrueHDUnits(stream, of: media, isSizeUnknown: check.isSizeUnknown)
    decoder = TrueHDDecoder(start.programme)
    let rate = start.stream.sampleRate
    accuracy = units.accuracy(rate: rate, frame: start.stream.unitLength)
    programme = start.decoded(language: stream.language)
    remarks = TrueHDRemarks(log, rate: rate, path: media.file.path, policy: options.damage)
    let samples = media.statedLength(of: stream).map { stream.samples($0, at: rate) }
    track = TrackDescription(
      stream: stream, expectedSamples: samples,
      presentations: start.facts, objectCoding: start.objectCoding)
    scene = start.objectCoding == nil ? nil : DecodedScene(programme)
  }

  var timestampTolerance: Int64 { accuracy.tolerance }
  var codecFrame: Int64 { Int64(start.stream.unitLength) }
  var clockUncertainty: Int64 { accuracy.uncertainty }

  /// Facts about the bed and the objects: the states in which they begin, and what was decoded so far.
  func objects() -> [ObjectFacts] { scene?.facts ?? [] }

  /// Appends the next samples; `nil` at the end.
  /// - Throws: ``MediaError`` when a unit is damaged and isn't to be concealed, or reading fails.
  func read(into block: ProgrammeBlock) throws -> TimedBlock? {
    if hasSkipped {
      // The decoder's objects begin anew there, wherever they were in what was read before.
      hasSkipped = false
      let fresh = ProgrammeBlock(programme)
      let facts = try read(into: fresh)
      block.append(fresh)
      return facts
    }
    let first = block.frames
    let known = block.end
    // Times of a raw file are counted from its beginning.
    var position: Int64? = decodedSamples == 0 ? 0 : nil
    var isTimed = false
    while block.frames - first < TrueHDTrackReader.blockFrames,
      let stated = try nextUnit(into: block)
    {
      let count = Int64(block.frames - first)
      // Samples that the decoder leaves out where clips are joined are counted by the container.
      let time = stated.map { $0 - leftOut }
      if let time {
        if count == 0 {
          (position, isTimed) = (time, true)
        } else if let begun = position, isTimed,
          (time - begun - count).magnitude > UInt64(accuracy.tolerance)
        {
          // Sound is missing or repeated by the container's clock, which is judged block by block.
          held = .some(stated)
          break
        }
        if try isAfterLoss(time) { decoder.finish() }
      }
      let before = block.frames
      try units.withUnit { try decode($0, into: block) }
      due = (time ?? due).map { $0 + Int64(block.frames - before) }
      try note(decoder.takeEvents())
    }
    let frames = block.frames - first
    guard frames > 0 else { return nil }
    if scene != nil {
      for var update in block.updates where update.at >= known {
        update.at += decodedSamples - known
        scene?.note(update)
      }
    }
    decodedSamples += Int64(frames)
    return TimedBlock(frames: frames, position: position)
  }

  private func note(_ events: [TrueHDEvent]) throws {
    for event in events {
      switch event.kind {
      case .duplicate: leftOut += Int64(start.stream.unitLength)
      case .end(let zeros): leftOut += Int64(zeros)
      default: break
      }
    }
    try remarks.note(events)
  }

  /// Whether units are missing before the one that was read, at `time`, and nothing decodes it without them: predictors would run on
  /// wrong samples. The container's clock shows it, and the stream's own has to agree, because containers' clocks jitter.
  private func isAfterLoss(_ time: Int64) throws -> Bool {
    let (timing, isStart) = units.withUnit {
      (TrueHDUnit.inputTiming(of: $0), TrueHDUnit.hasMajorSync($0))
    }
    defer { inputTiming = timing }
    guard let due, let timing, let inputTiming, !isStart else { return false }
    let (missing, step) = (time - due, Int64((timing - inputTiming) & 0xFFFF))
    guard missing > accuracy.tolerance, missing >= Int64(start.stream.unitLength),
      2 * step > missing
    else { return false }
    try remarks.noteDamage(
      "\(missing) samples before \(remarks.time(decoder.position)) are missing in the container")
    return true
  }

  /// Leaves out units before the samples that are wanted. The mix to two channels is decoded up to there, which costs least and
  /// counts samples as all presentations have them.
  func skip(_ count: Int64) throws -> Int64 {
    guard held == nil, !isOver, let other = start.programmeOfTwo,
      let entry = try? TrueHDUnits(
        track.stream, of: MediaFile(file: media.file, options: options),
        isSizeUnknown: check.isSizeUnknown)
    else { return 0 }
    _ = entry.accuracy(rate: start.stream.sampleRate, frame: start.stream.unitLength)
    let walker = TrueHDDecoder(other)
    let scratch = ProgrammeBlock(
      Programme(sampleRate: start.stream.sampleRate, elements: other.elements))
    let wanted = decodedSamples + count - Int64(TrueHDTrackReader.run)
    var origin: Int64?
    while case .unit(let time)? = try? entry.advance() {
      if let time {
        origin = origin ?? time - walker.position
        // A hole has a place in the output only where it is judged.
        guard (time - (origin ?? 0) - walker.position).magnitude <= UInt64(accuracy.tolerance)
        else {
          return 0
        }
      }
      if walker.position >= wanted - Int64(128 * start.stream.unitLength),
        entry.withUnit({ TrueHDUnit.hasMajorSync($0) })
      {
        let place = walker.position
        guard place > decodedSamples, place <= decodedSamples + count else { return 0 }
        (units, held, decoder) = (entry, .some(time), TrueHDDecoder(start.programme))
        let skipped = place - decodedSamples
        (decodedSamples, remarks.origin) = (place, place)
        (due, inputTiming, hasSkipped) = (nil, nil, true)
        return skipped
      }
      scratch.removeAll()
      do { try entry.withUnit { try walker.decode($0, into: scratch) } } catch { return 0 }
      for event in walker.takeEvents() {
        guard case .end = event.kind else { return 0 }
      }
    }
    return 0
  }

  /// The time of the next unit, which is read; `nil` at the end. What comes before it is handled.
  private func nextUnit(into block: ProgrammeBlock) throws -> Int64?? {
    if let time = held {
      held = nil
      return .some(time)
    }
    while !isOver {
      switch try units.advance() {
      case .unit(let time): return .some(time)
      case .skipped(let bytes):
        if decoder.position == 0 {
          remarks.noteBeginning(bytes)
        } else {
          decoder.skip(bytes: bytes)
        }
      case .damage(let finding):
        try remarks.noteDamage(finding)
        decoder.finish()
      case .rest(let bytes): remarks.noteRest(bytes)
      case .end:
        isOver = true
        remarks.close(decoder)
        try check.checkEnd(options.damage)
      }
    }
    return nil
  }

  private func decode(_ unit: UnsafeBufferPointer<UInt8>, into block: ProgrammeBlock) throws {
    do {
      try decoder.decode(unit, into: block)
    } catch {
      throw MediaError(
        .unsupportedFeature, about: media.file.path,
        "at \(remarks.time(decoder.position)): \(error); cut the file there")
    }
  }
}

/// Reports what was met while a TrueHD track was decoded.
struct TrueHDRemarks {
  /// Places of one kind that get a sentence of their own.
  private static let listed = 10

  /// Samples of the track before the decoder's first.
  var origin: Int64 = 0
  private let log: DiagnosticLog
  private let rate: Int64
  private let path: String
  private let policy: DamagePolicy
  private var concealed = 0
  private var seams = 0

  /// Remarks on a track of the file at `path`, whose damage is treated by `policy`.
  init(_ log: DiagnosticLog, rate: Int, path: String, policy: DamagePolicy) {
    (self.log, self.rate, self.path, self.policy) = (log, Int64(rate), path, policy)
  }

  /// Sample `sample` of the decoder as a time of the track.
  func time(_ sample: Int64) -> String {
    MediaTime(ticks: origin + sample, rate: rate).description
  }

  /// Notes events, in their order.
  /// - Throws: ``MediaError`` of kind `damaged` for damage that isn't to be concealed.
  mutating func note(_ events: [TrueHDEvent]) throws {
    for event in events { try note(event) }
  }

  private mutating func note(_ event: TrueHDEvent) throws {
    let time = time(event.sample)
    switch event.kind {
    case .segmentLost(let substream, let reason):
      try conceal("substream \(substream) at \(time): \(reason)")
    case .unitLost(let reason): try conceal("the sound at \(time): \(reason)")
    case .gap(let samples):
      try conceal("the sound at \(time): \(samples) samples are missing")
    case .gapUnknown:
      try conceal("the sound at \(time): more is missing than the stream's clock can tell")
    case .losslessMismatch(let substream):
      try conceal(
        "substream \(substream) up to \(time): its lossless check is wrong, so the samples aren't those of the encoder"
      )
    case .timingBreak:
      // The clips are whole: a player that joins them has nothing to decode here either.
      concealed += 1
      if concealed <= TrueHDRemarks.listed {
        log.degrade(
          .concealed,
          "another clip begins at \(time) inside its units; it is silent up to its next restart")
      }
    case .seam(let step, _):
      join(
        "\(step) samples",
        "another clip is joined at \(time) by the stream's clock; all units are played")
    case .duplicate:
      join(
        "one unit",
        "clips are joined at \(time) by a unit that both of them have; it is played once")
    case .bytesSkipped(let bytes):
      log.degrade(.garbageSkipped, "\(bytes) bytes at \(time) belong to no unit and were left out")
    case .wide(let substream):
      log.degrade(
        .decodeErrors,
        "substream \(substream) has samples of more than 24 bits at \(time); the lowest 24 are kept"
      )
    // Both are counted by the decoder.
    case .metadataLost, .end: break
    }
  }

  /// Notes bytes before the first unit.
  func noteBeginning(_ bytes: Int) {
    log.degrade(
      .garbageSkipped,
      "\(bytes) bytes before the first unit that decoding can begin with were left out")
  }

  /// Notes bytes at the end that are no whole unit.
  func noteRest(_ bytes: Int) {
    log.degrade(.truncated, "the last \(bytes) bytes are no whole unit; they are missing")
  }

  /// Notes a damaged place of the container.
  /// - Throws: ``MediaError`` of kind `damaged` unless damage is to be concealed.
  mutating func noteDamage(_ finding: String) throws { try conceal("a packet: \(finding)") }

  /// Reports everything at the end.
  mutating func close(_ decoder: TrueHDDecoder) {
    let counts = decoder.counts
    if counts.concealed > 0 {
      log.degrade(
        .concealed,
        "\(counts.concealed) samples are silent in place of what can't be decoded"
          + (concealed > TrueHDRemarks.listed ? ", at \(concealed) places" : ""))
    }
    if seams > TrueHDRemarks.listed {
      log.decide(
        .timestamps, "\(seams - TrueHDRemarks.listed) more seams", why: "clips are joined there")
    }
    let found = decoder.metadata
    if found.lost > 0 {
      log.degrade(
        .objectsRepaired,
        "\(found.lost) of \(found.lost + found.payloads) updates of the objects can't be used; they stayed where they were"
      )
    }
    if found.inexact > 0 {
      log.degrade(
        .objectsRepaired,
        "\(found.inexact) of \(found.payloads) updates of the objects don't end where their syntax says; they were used"
      )
    }
    if found.leavesDivergence {
      log.degrade(
        .objectsRepaired, "objects ask to be spread to two further places, which isn't done")
    }
  }

  private mutating func join(_ chosen: String, _ why: String) {
    seams += 1
    if seams <= TrueHDRemarks.listed { log.decide(.timestamps, "seam: \(chosen)", why: why) }
  }

  private mutating func conceal(_ finding: String) throws {
    guard policy == .conceal else {
      throw MediaError(
        .damaged, about: path, "\(finding); \(setting: .damage) conceal fills it with silence")
    }
    concealed += 1
    guard concealed <= TrueHDRemarks.listed else { return }
    log.degrade(.concealed, finding)
  }
}
