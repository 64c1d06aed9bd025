// SPDX-License-Identifier: Apache-2.0
import AudioCore
import IAMF
import LibAV
import Platform

/// Decodes a mix of an IAMF track: its beds, channels and sound fields with their gains, unit by unit.
///
/// Time is counted from the first unit, and the trimming that frames state is done here; nothing else may trim.
/// Gains that move are applied before rendering, so that a renderer gets each element at its level.
final class IAMFTrackReader: TrackReader {
  let programme: Programme
  let track: TrackDescription
  private(set) var decodedSamples: Int64 = 0
  // Samples are counted, so times are exact.
  var timestampTolerance: Int64 { 0 }
  var codecFrame: Int64 { 0 }
  var clockUncertainty: Int64 { 0 }
  var downmixChange: Int64? { nil }

  private let file: LocalFile
  private let check: ContainerCheck
  private let units: IAMFUnits
  private let log: DiagnosticLog
  private let policy: DamagePolicy
  private let mix: IAMFMixChoice
  private let forms: IAMFForms
  private var decoders: [IAMFElementDecoder]
  private var clock = TrimmingClock()
  private var sequence = 0
  private var number = 0
  private var damaged = 0
  /// Frames of earlier sequences that hold fewer samples than their unit.
  private var shortFrames = 0

  /// Opens the mix that is asked for, or the one that the file's own rules choose.
  /// - Throws: ``MediaError`` when nothing can be played, or the wanted mix isn't there.
  init(
    media: MediaFile, stream: StreamInfo, options: InputOptions, log: DiagnosticLog
  ) throws {
    file = media.file
    check = ContainerCheck(media: media, stream: stream, log: log)
    self.log = log
    policy = options.damage
    forms = IAMFForms(playback: options.playback)
    do {
      units = try IAMFUnits(stream, of: media)
      mix = try IAMFMixChoice(units.description, wanted: options.presentation, path: file.path)
      decoders = try IAMFTrackReader.decoders(mix.mix, forms, units.description)
    } catch {
      throw IAMFTrackReader.failure(error, of: file)
    }
    programme = Programme(
      sampleRate: mix.mix.sampleRate, elements: decoders.flatMap(\.part.elements),
      facts: ProgrammeFacts(
        loudness: mix.loudness(units.description, forms),
        isMixedByFile: forms.areUsed(by: mix.mix, of: units.description) ? true : nil,
        virtualization: decoders.contains(where: \.part.isForEars) ? .binaural : nil,
        isPlainOnHeadphones: decoders.contains(where: \.part.isPlainOnHeadphones) ? true : nil,
        language: mix.language ?? stream.language,
        objects: .no))
    var track = TrackDescription(stream: stream)
    let rate = mix.mix.sampleRate
    track.expectedSamples = media.statedLength(of: stream).map { stream.samples($0, at: rate) }
    track.mixes = units.description.mixFacts(chosen: mix.mix)
    self.track = track
    mix.report(units.description, to: log)
    forms.report(mix.mix, of: units.description, to: log)
  }

  private static func decoders(
    _ mix: PlayableMix, _ forms: IAMFForms, _ description: SequenceDescription
  ) throws -> [IAMFElementDecoder] {
    try mix.parts.flatMap { part in
      try part.elements.compactMap { entry in
        try description.playableElements[entry.id].map { element in
          try IAMFElementDecoder(
            element, form: forms.form(of: element), mode: entry.headphonesMode,
            gains: [entry.gain, part.outputGain],
            sampleRate: mix.sampleRate, isOnly: mix.elements.count == 1)
        }
      }
    }
  }

  /// Appends the next samples that are presented; `nil` at the end.
  /// - Throws: ``MediaError`` of kind `damaged` for frames that are missing or can't be decoded, unless silence may
  ///   stand in.
  func read(into block: ProgrammeBlock) throws -> TimedBlock? {
    do {
      while let unit = try units.next() {
        if unit.sequence != sequence { try begin(unit.sequence) }
        let frames = try decode(unit, into: block.audio)
        number += 1
        guard frames > 0 else { continue }
        let position = decodedSamples
        decodedSamples += Int64(frames)
        return TimedBlock(frames: frames, position: position)
      }
    } catch {
      throw IAMFTrackReader.failure(error, of: file)
    }
    try close()
    return nil
  }

  /// Decodes a unit and appends what of it is presented; answers how many samples.
  private func decode(_ unit: TemporalUnit, into audio: AudioBuffer) throws -> Int {
    var samples = units.description.samples(of: unit, mix.mix)
    var damage = missingFrame(of: unit)
    for decoder in decoders {
      let found = try decoder.decode(unit, samples: samples)
      damage = damage ?? found.failure.map { "\($0)" }
      samples = [samples, found.samples].compactMap(\.self).max()
    }
    if let damage { try noteDamage(damage) }
    // If nothing could be decoded, the unit has the usual length.
    let count = samples ?? mix.mix.samplesPerFrame
    let range = clock.range(count, unit.trim(decoders.flatMap(\.substreams)))
    let place = audio.frames
    audio.appendSilence(range.count)
    var plane = 0
    for decoder in decoders {
      decoder.write(unit, count: count, range, to: audio, plane: plane, at: place)
      plane += decoder.part.channels.count
    }
    return range.count
  }

  /// Description of a substream that has no frame in a unit; `nil` where all have one.
  private func missingFrame(of unit: TemporalUnit) -> String? {
    decoders.flatMap(\.substreams).first { unit.frame(of: $0)?.bytes.isEmpty != false }
      .map { "substream \($0) has no frame" }
  }

  private func noteDamage(_ reason: String) throws {
    let time = MediaTime(ticks: decodedSamples, rate: Int64(programme.sampleRate))
    guard policy == .conceal else {
      throw MediaError(
        .damaged, about: file.path,
        "at \(time), in temporal unit \(number): \(reason); \(setting: .damage) conceal fills it with "
          + "silence")
    }
    damaged += 1
    guard damaged <= 10 else { return }
    log.degrade(.concealed, "the sound at \(time) is filled with silence: \(reason)")
  }

  /// Begins another sequence, with new decoders. Time goes on.
  private func begin(_ number: Int) throws {
    sequence = number
    shortFrames += decoders.reduce(0) { $0 + $1.shortFrames }
    let next = try IAMFMixChoice(units.description, like: mix.mix)
    decoders = try IAMFTrackReader.decoders(next.mix, forms, units.description)
    guard decoders.flatMap(\.part.elements) == programme.elements,
      next.mix.sampleRate == programme.sampleRate
    else {
      throw MediaError(
        .unsupportedFeature, about: file.path,
        "holds several sequences with different elements; split it into one file for each")
    }
    log.decide(.presentation, mix.name, why: "sequence \(number + 1) has the same elements")
  }

  private func close() throws {
    try check.checkEnd(policy)
    let findings = units.findings
    if damaged > 10 {
      log.degrade(.concealed, "\(damaged - 10) more places are filled with silence")
    }
    let short =
      decoders.reduce(shortFrames) { $0 + $1.shortFrames } + findings.shortFrames
    if short > 0 {
      log.degrade(
        .decodeErrors, "\(short) frames hold fewer samples than their unit; silence fills them")
    }
    findings.reportLost(to: log)
    if findings.unreadableBlocks > 0 {
      log.degrade(
        .headerInconsistent,
        "\(findings.unreadableBlocks) parameter blocks can't be read; the defaults hold there")
    }
    if findings.disagreeingTrims + clock.clampedUnits + clock.misplacedUnits > 0 {
      log.degrade(
        .headerInconsistent,
        "\(findings.disagreeingTrims + clock.clampedUnits + clock.misplacedUnits) units state a trimming "
          + "that can't be right; samples are cut where the first substream says")
    }
  }

  /// Error for users about a failure.
  static func failure(_ error: any Error, of file: LocalFile) -> MediaError {
    switch error {
    case let error as MediaError: return error
    case let error as IAMFError:
      let failure = error.mediaError
      return MediaError(failure.kind, about: file.path, failure.message, cause: error)
    case let error as LibAVError:
      return OpenFailure(decoder: "IAMF", of: file, error, log: nil).error
    default: return MediaError(.internal, about: file.path, "\(error)", cause: error)
    }
  }
}
