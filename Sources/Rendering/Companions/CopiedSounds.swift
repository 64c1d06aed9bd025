import AudioCore
import LibAV
import MediaIn
import MediaOut

/// Tracks of the input's own sound that are copied beside the rendered one into MP4: AC-3, E-AC-3 and AC-4, whose frames and headers
/// MP4 holds as they are.
///
/// Matroska has ``CarriedFrames`` for all codecs.
struct CopiedSounds {
  private let tracks: [(survey: CodedAudioSurvey, options: InputOptions)]
  private let keepsTitles: Bool
  /// Why streams that were wanted have no place in the output, as ends of sentences, by their indices.
  let misfits: [Int: String]

  /// The wanted tracks of `media`; `nil` where none is asked for or the output is no MP4.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` with a range or another tempo, which whole tracks don't follow; as reading
  ///   does.
  init?(_ media: MediaFile?, clip: Clip, output: OutputRequest, tempo: Tempo) throws {
    let carriage = output.carriage
    guard let media, output.rendition != nil, CopiedSounds.fits(OutputFiles(output).kind),
      ![.automatic, .none].contains(carriage.keptAudio)
    else { return nil }
    guard clip.range == Clip.Range(), tempo.isSame else {
      throw MediaError(
        .unsupportedFeature,
        "\(setting: .keptAudio): whole tracks are copied into MP4, so that a range and another tempo leave no place for them; use "
          + "\(setting: .container) matroska for a range, or leave \(setting: .keptAudio) out")
    }
    var (tracks, misfits): ([(CodedAudioSurvey, InputOptions)], [Int: String]) = ([], [:])
    let sounds = media.streams.filter { $0.kind == .audio }
    for (number, stream) in sounds.enumerated()
    where carriage.keptAudio.takes(stream.language ?? "und", byDefault: false) {
      var options = clip.decoding
      options.track = .index(number)
      do {
        // The log of a copy speaks of a run that copies alone.
        let survey = try CodedAudioSurvey(
          file: media.file, options: options, from: nil, to: nil, log: DiagnosticLog())
        tracks.append((survey, options))
      } catch let error as MediaError where error.kind == .unsupportedCodec {
        misfits[stream.index] = "MP4 gets copies of AC-3, E-AC-3 and AC-4 alone"
      }
    }
    (self.tracks, self.misfits, keepsTitles) = (tracks, misfits, carriage.keepsMetadata)
  }

  /// Whether files of `kind` take copies beside rendered sound. HLS has a playlist for each track of sound, which copies have none of.
  static func fits(_ kind: ContainerKind) -> Bool { kind == .mp4 || kind == .fmp4 }

  /// Whether anything is copied.
  var hasTracks: Bool { !tracks.isEmpty }

  /// Streams that are copied.
  var streams: [Int] { tracks.map(\.survey.stream.index) }

  /// Their starts on the source's clock.
  var begins: [MediaTime] { tracks.map { CopiedSounds.begin($0.survey) } }

  private static func begin(_ survey: CodedAudioSurvey) -> MediaTime {
    MediaTime(ticks: survey.start.ticks, rate: survey.start.rate)
  }

  /// Kind, codec and language of each track, for the report.
  var facts: [(kind: String, codec: String, language: String?)] {
    tracks.map { ("audio", $0.survey.stream.codec, $0.survey.stream.language) }
  }

  /// The tracks, to be written with times on `clock`. Players shall take the rendered one.
  /// - Throws: ``MediaError`` when the file can't be opened again.
  func makeTracks(_ clock: PresentationClock) throws -> [CarriedTracks] {
    try tracks.map { survey, options in
      let start = clock.time(CopiedSounds.begin(survey)).samples(at: Int(survey.timescale))
      let title = keepsTitles ? survey.media.title(of: survey.stream) : nil
      return try CarriedTracks(
        try CopiedAudio(
          survey: survey, title: title, start: max(0, start), roles: [], options: options))
    }
  }
}
