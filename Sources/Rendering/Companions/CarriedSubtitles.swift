import AudioCore
import LibAV
import MediaIn
import MediaOut

/// One subtitle track as the output gets it.
struct CarriedSubtitles {
  /// Stream of the input; `nil` for a file of its own.
  let stream: Int?
  /// Where they come from, for messages.
  let source: String
  /// Cues with their times in the output.
  let cues: [SubtitleCue]
  /// libav's name of the source's format.
  let codec: String
  let language: String
  let isDefault: Bool
  let isForced: Bool

  /// The source's name of the track; `nil` without one.
  let title: String?

  /// The cues as WebVTT.
  var webVTT: String {
    WebVTT.text(cues.map { WebVTT.Cue(start: $0.start, end: $0.end, text: $0.text) })
  }

  /// All text subtitles of the input, or the file given instead of them; what is left out is
  /// reported in `log`.
  static func all(
    _ carriage: Carriage, decoding: InputOptions, media: MediaFile?, window: CueWindow,
    log: DiagnosticLog
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
          isForced: false, title: nil)
      ]
    }
    guard let media else { return [] }
    let streams = media.streams.filter { $0.kind == .subtitle }
    let pictures = streams.filter { !SubtitleTrack.codecs.contains($0.codec) }
    if !pictures.isEmpty {
      log.degrade(
        .subtitlesLeftOut,
        "\(pictures.count) subtitle stream(s) are pictures (\(pictures[0].codec)), which the output "
          + "can't hold; \(setting: .subtitles) drop says that they may go")
    }
    return streams.filter { SubtitleTrack.codecs.contains($0.codec) }.compactMap { stream in
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
        isForced: stream.dispositions.contains("forced"),
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
        "\(track.lost) text(s) of \(name) have no usable time, or are more than a track holds, and "
          + "are left out")
    }
    if track.guessed > 0 {
      log.degrade(
        .subtitleTimesAssumed,
        "\(track.guessed) text(s) of \(name) have no end; each is shown for 4 s")
    }
    if track.isStyled {
      log.degrade(
        .subtitleStylingLeftOut,
        "colours, fonts, positions and other styling of \(name) (\(track.codec)) aren't carried over"
      )
    }
  }
}
