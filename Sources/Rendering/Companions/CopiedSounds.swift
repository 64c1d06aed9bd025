// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import MediaIn
import MediaOut
import Report

/// Tracks of the input's own sound that are copied beside the rendered one into MP4: AAC, AC-3, E-AC-3 and AC-4, whose frames and headers
/// MP4 holds as they are.
///
/// Matroska has ``CarriedFrames`` for all codecs. In HLS they are a group of sound of their own, whose tracks have to be those of the other
/// groups (RFC 8216, 4.3.4.1.1), so that only originals of rendered tracks have a place there.
struct CopiedSounds {
  /// One track.
  private struct Track {
    let survey: CodedAudioSurvey
    let options: InputOptions
    /// Its place among the rendered tracks; `nil` where it isn't rendered.
    let place: Int?
  }

  private let tracks: [Track]
  private let keepsTitles: Bool
  /// Why streams that were wanted have no place in the output, as ends of sentences, by their indices.
  let misfits: [Int: String]

  /// The wanted tracks of `media`, of which the streams `heard` are rendered; `nil` where none is asked for or the output is no MP4.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` with a range or another tempo, which whole tracks don't follow; as reading
  ///   does.
  init?(
    _ media: MediaFile?, heard: [Int], clip: Clip, output: OutputRequest, tempo: Tempo,
    log: DiagnosticLog
  ) throws {
    let (carriage, files) = (output.carriage, OutputFiles(output))
    guard let media, output.rendition != nil, CopiedSounds.fits(files.kind),
      ![.automatic, .none].contains(carriage.keptAudio)
    else { return nil }
    guard clip.range == Clip.Range(), tempo.isSame else {
      throw MediaError(
        .unsupportedFeature,
        "\(setting: .keptAudio): whole tracks are copied into MP4, so that a range and another tempo leave no place for them; use "
          + "\(setting: .container) matroska for a range, or leave \(setting: .keptAudio) out")
    }
    var (tracks, misfits): ([Track], [Int: String]) = ([], [:])
    let sounds = media.streams.filter { $0.kind == .audio }
    for (number, stream) in sounds.enumerated()
    where carriage.keptAudio.takes(stream.language ?? "und", byDefault: false) {
      let place = heard.firstIndex(of: stream.index)
      guard place != nil || !files.isHLS else {
        misfits[stream.index] =
          "every group of sound in HLS has the same tracks, and it isn't rendered; render it, too, with \(setting: .track)"
        continue
      }
      var options = clip.decoding
      options.track = .index(number)
      do {
        // The decisions of a copy speak of a run that copies alone.
        let own = DiagnosticLog()
        let survey = try CodedAudioSurvey(
          file: media.file, options: options, from: nil, to: nil, log: own)
        for entry in own.degradations { log.degrade(entry.code, "copied track: \(entry.message)") }
        tracks.append(Track(survey: survey, options: options, place: place))
      } catch let error as MediaError where error.kind == .unsupportedCodec {
        // The error's own remedy is for a run that copies alone.
        let name = files.kind.traits.name
        misfits[stream.index] =
          stream.codec == "aac"
          ? "\(name) has no form for its AAC"
          : "\(name) gets copies of AAC, AC-3, E-AC-3 and AC-4 alone"
      } catch let error as MediaError where error.kind == .damaged {
        guard clip.decoding.damage != .fail else {
          throw MediaError(
            .damaged, about: media.file.path,
            "its audio track \(number) is damaged, so that it can't be copied; \(setting: .damage) conceal or \(setting: .keptAudio) none leaves it out"
          )
        }
        misfits[stream.index] = "it is damaged, and a copy can't repair it"
        log.degrade(.copiesCut, "audio track \(number) isn't copied, because it is damaged")
      }
    }
    (self.tracks, self.misfits, keepsTitles) = (tracks, misfits, carriage.keepsMetadata)
    guard !tracks.isEmpty else { return }
    log.decide(
      .originals, "tracks copied: \(tracks.count) of sound",
      why:
        "frame by frame as they are in the input; level and endpoint hold for the rendered track alone"
    )
  }

  /// Whether files of `kind` take copies beside rendered sound.
  static func fits(_ kind: ContainerKind) -> Bool { [.mp4, .fmp4, .hls].contains(kind) }

  /// Number of tracks that are copied.
  var count: Int { tracks.count }

  /// Streams that are copied.
  var streams: [Int] { tracks.map(\.survey.stream.index) }

  /// Their starts on the source's clock.
  var begins: [MediaTime] { tracks.map { CopiedSounds.begin($0.survey) } }

  private static func begin(_ survey: CodedAudioSurvey) -> MediaTime {
    MediaTime(ticks: survey.start.ticks, rate: survey.start.rate)
  }

  /// Kind, codec and language of each track, for the report.
  var facts: [(kind: RenderReport.CopiedTrack.Kind, codec: String, language: String?)] {
    tracks.map { (.audio, $0.survey.stream.codec, $0.survey.stream.language) }
  }

  /// The tracks, to be written with times on `clock`. Players shall take the rendered one.
  /// - Throws: ``MediaError`` when the file can't be opened again.
  func makeTracks(_ clock: PresentationClock) throws -> [any CodedTracks] {
    try tracks.map { track in
      let survey = track.survey
      let start = clock.time(CopiedSounds.begin(survey)).samples(at: Int(survey.timescale))
      let title = keepsTitles ? survey.media.title(of: survey.stream) : nil
      return try CopiedAudio(
        survey: survey, title: title, start: max(0, start), roles: [], options: track.options)
    }
  }

  /// The tracks as HLS lists them, written as `movies`, with the places of the rendered tracks that they are the originals of.
  func sounds(_ movies: [FragmentedMP4Writer]) -> [(place: Int, sound: HLSPublisher.Sound)] {
    zip(tracks, movies).compactMap { track, movie in
      track.place.map { ($0, HLSPublisher.Sound(movie, copyOf: track.survey, title: nil)) }
    }
  }
}
