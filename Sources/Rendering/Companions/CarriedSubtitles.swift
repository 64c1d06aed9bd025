// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import LibAV
import Matroska
import MediaIn
import MediaOut

/// One subtitle track as the output gets it.
struct CarriedSubtitles {
  /// Stream of the input; `nil` for a file of its own.
  let stream: Int?
  /// Origin of the cues, for messages.
  let source: String
  /// Cues with their times in the output.
  let cues: [SubtitleCue]
  /// libav's name of the source's format.
  let codec: String
  let language: String
  let isDefault: Bool
  /// Purposes of the track, apart from the default.
  let roles: OutputTrackFacts.Roles

  /// The source's name of the track; `nil` without one.
  let title: String?

  /// The cues as WebVTT.
  var webVTT: String {
    WebVTT.text(cues.map { WebVTT.Cue(start: $0.start, end: $0.end, text: $0.text) })
  }

  /// All text subtitles of the input besides those that are carried as they are, or the file given instead of them; what is left out
  /// of texts is reported in `log`.
  static func all(
    _ carriage: Carriage, decoding: InputOptions, media: MediaFile?, besides carried: Set<Int>,
    window: CueWindow, log: DiagnosticLog
  ) throws -> [CarriedSubtitles] {
    if let path = carriage.subtitleFile {
      let track = try SubtitleTrack(sidecar: path)
      note(track, path, log)
      return [
        CarriedSubtitles(
          stream: nil, source: "\(setting: .subtitles) \(path)",
          cues: track.cues.compactMap { cue in
            window.clip(fromOrigin: cue.start, end: cue.end).map {
              SubtitleCue(start: $0.start, end: $0.end, text: cue.text)
            }
          }, codec: track.codec, language: track.language ?? "", isDefault: true,
          roles: [], title: nil)
      ]
    }
    guard let media else { return [] }
    let streams = media.streams.filter {
      $0.kind == .subtitle && SubtitleTrack.codecs.contains($0.codec)
    }
    return streams.filter { !carried.contains($0.index) }.compactMap { stream in
      let track: SubtitleTrack
      do {
        track = try SubtitleTrack(file: media.file, stream: stream, options: decoding)
      } catch {
        let reason = (error as? MediaError)?.message ?? "\(error)"
        log.degrade(.subtitlesLeftOut, "\(reason); it isn't in the output")
        return nil
      }
      note(track, "stream \(stream.index)", log)
      return CarriedSubtitles(
        stream: stream.index, source: "\(media.file.path): subtitle stream \(stream.index)",
        cues: track.cues.compactMap { cue in
          window.clip(start: cue.start, end: cue.end).map {
            SubtitleCue(start: $0.start, end: $0.end, text: cue.text)
          }
        }, codec: stream.codec, language: stream.language ?? "", isDefault: stream.isDefault,
        roles: OutputTrackFacts.Roles(marking: stream),
        title: carriage.keepsMetadata ? media.title(of: stream) : nil)
    }
  }

  private static func note(_ track: SubtitleTrack, _ name: String, _ log: DiagnosticLog) {
    log.decide(
      .subtitles, "\(name): \(track.cues.count) texts",
      why: "carried over from \(track.codec) as "
        + (track.cues.contains { $0.text.isStyled }
          ? "text with its bold, italic and underlined characters" : "plain text"))
    if track.cues.isEmpty {
      log.degrade(
        .subtitlesLeftOut, "\(name) (\(track.codec)) gives no text, so its track is empty")
    }
    if track.lost > 0 {
      log.degrade(
        .subtitlesCut,
        track.lost.counted(
          "text of \(name) has no usable time, or is more than a track holds, and is left out",
          "texts of \(name) have no usable time, or are more than a track holds, and are left out"))
    }
    if track.guessed > 0 {
      log.degrade(
        .subtitleTimesAssumed,
        track.guessed.counted(
          "text of \(name) has no end, and is shown for 4 s",
          "texts of \(name) have no end; each is shown for 4 s"))
    }
    if track.isStyled {
      log.degrade(
        .subtitleStylingLeftOut,
        "colours, fonts, positions and other styling of \(name) (\(track.codec)) aren't carried over"
      )
    }
  }
}

/// Feeds a subtitle track to the writer as timed text: one sample for each time in which the same
/// texts are shown, empty ones between.
final class CopiedSubtitles: CodedTrack {
  let name: String
  let facts: OutputTrackFacts
  private var samples: ArraySlice<MediaSample>

  init(_ subtitles: CarriedSubtitles) {
    let made = CopiedSubtitles.samples(subtitles.cues)
    samples = made[...]
    name = subtitles.source
    facts = subtitles.facts(.timedText, made)
  }

  func next() -> MediaSample? { samples.popFirst() }

  /// Texts shown at the same time stand below each other, because timed text can't overlap.
  static func samples(_ cues: [SubtitleCue]) -> [MediaSample] {
    let times = Set([0] + cues.flatMap { [$0.start, $0.end] }).sorted()
    var active: [SubtitleCue] = []
    var waiting = cues[...]
    return zip(times, times.dropFirst()).map { begin, end in
      active.removeAll { $0.end <= begin }
      while let cue = waiting.first, cue.start <= begin {
        if cue.end > begin { active.append(cue) }
        waiting.removeFirst()
      }
      return MediaSample(
        data: TimedTextSampleEntry.sample(.joined(active.map(\.text))), decodeTime: begin,
        duration: end - begin)
    }
  }
}

/// Feeds a subtitle track to the writer of Matroska: one sample for each text, which may overlap others.
final class PlainSubtitles: CodedTrack {
  let name: String
  let facts: OutputTrackFacts
  private var samples: ArraySlice<MediaSample>

  init(_ subtitles: CarriedSubtitles, _ docType: MatroskaDocType) {
    let written = docType == .webm ? WebVTT.block : WebVTT.subRip
    let cues = subtitles.cues.sorted { $0.start < $1.start }
    let begin = cues.first?.start ?? 0
    let made = cues.map { cue in
      MediaSample(
        data: Array(written(cue.text).utf8), decodeTime: cue.start - begin,
        duration: cue.end - cue.start)
    }
    samples = made[...]
    name = subtitles.source
    var facts = subtitles.facts(docType == .webm ? .webVTT : .plainText, made)
    facts.startOffset = begin
    self.facts = facts
  }

  func next() -> MediaSample? { samples.popFirst() }
}

extension CarriedSubtitles {
  /// Ticks a second of texts.
  private static let timescale = 1000

  /// Facts of a track of these samples.
  fileprivate func facts(_ coding: TrackCoding, _ samples: [MediaSample]) -> OutputTrackFacts {
    var facts = OutputTrackFacts(
      .subtitles, coding, timescale: CarriedSubtitles.timescale,
      length: samples.map { $0.decodeTime + $0.duration }.max() ?? 0)
    facts.mostSamples = samples.count
    facts.roles = roles.union(isDefault ? .main : [])
    facts.language = language
    facts.name = title
    return facts
  }
}

/// Moves times of the source to the output's presentation, and cuts them to it: those of subtitles in
/// milliseconds, those of chapters exactly.
struct CueWindow {
  /// Bounds of all times; damaged times saturate here.
  private static let bounds: ClosedRange<Int64> = -(1 << 58)...(1 << 58)

  /// Milliseconds from the source's clock to the output's.
  private let shift: Int64
  /// Start of the source's presentation on its clock.
  private let origin: Int64
  /// First and last millisecond of what the output presents.
  private let begin: Int64
  private let end: Int64
  /// The output's clock, and the same bounds exactly; no last one without an end.
  private let clock: PresentationClock
  private let exactBegin: MediaTime
  private let exactEnd: MediaTime?
  private let tempo: Tempo
  /// Samples a second of the output.
  private let rate: Int

  /// - Parameters:
  ///   - hasStart: whether a range begins later than the input.
  ///   - audio: the place of the sound.
  ///   - clock: the output's clock.
  init(hasStart: Bool, audio: Companions.Place, clock: PresentationClock) {
    shift = clock.time(0, numerator: 1, denominator: 1000, timescale: 1000)
    func milliseconds(_ ticks: Int64) -> Int64 {
      MediaTime.rescale(ticks, by: 1000, over: audio.sourceRate).clamped(to: CueWindow.bounds)
    }
    origin = milliseconds(audio.origin)
    let start = milliseconds(audio.start) + shift
    begin = hasStart ? start : 0
    end = audio.length.map { start + milliseconds($0) } ?? .max
    self.clock = clock
    tempo = audio.tempo
    rate = Int(audio.rate)
    exactBegin = hasStart ? clock.soundStart : MediaTime(ticks: 0, rate: 1)
    exactEnd = audio.length.map { clock.soundStart + MediaTime(ticks: $0, rate: audio.sourceRate) }
  }

  /// The part of a time on the source's clock that the output presents; `nil` when it presents none.
  func clip(start: Int64, end: Int64) -> (start: Int64, end: Int64)? {
    let first = max(begin, start.clamped(to: CueWindow.bounds) + shift)
    let last = min(self.end, end.clamped(to: CueWindow.bounds) + shift)
    guard last > first, last > 0 else { return nil }
    let start = paced(max(0, first))
    // However much faster the sound becomes, a text has a length.
    return (start, max(start + 1, paced(last)))
  }

  /// Start, in the output, of a part of the source, exactly; `nil` when the output presents none of it.
  func begin(of start: MediaTime, end: MediaTime) -> MediaTime? {
    let first = max(exactBegin, clock.time(start))
    let last = clock.time(end)
    let bound = exactEnd.map { min($0, last) } ?? last
    guard first < bound else { return nil }
    // A tempo moves times against the beginning of the sound.
    return clock.soundStart + tempo.time(first + -clock.soundStart, rate: rate)
  }

  /// A time in milliseconds of the output after the change of tempo.
  private func paced(_ milliseconds: Int64) -> Int64 {
    let start = clock.soundStart.samples(at: 1000)
    return start + tempo.frames(milliseconds - start)
  }

  /// As ``clip(start:end:)``, for a time that counts from the beginning of the source's presentation.
  func clip(fromOrigin start: Int64, end: Int64) -> (start: Int64, end: Int64)? {
    clip(
      start: start.clamped(to: CueWindow.bounds) + origin,
      end: end.clamped(to: CueWindow.bounds) + origin)
  }
}
