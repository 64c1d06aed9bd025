// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import LibAV
import Matroska
import MediaIn
import MediaOut
import Platform
import Report
import Verify

/// Writes an input's coded audio frames, and what else the output can hold, as they are: nothing is
/// decoded, so nothing is rendered, measured or changed.
struct CopyRunner {
  let clip: Clip
  let output: OutputRequest
  let overwrite: Bool
  let target: OutputTarget
  let log: DiagnosticLog
  let tell: (RenderProgress) throws -> Void

  /// The result of a copy.
  struct Result {
    let input: RenderReport.Input
    var output: RenderReport.Output
  }

  /// Writes the output, reads it back and compares it.
  /// - Throws: ``MediaError`` when the track can't be copied or the file isn't as meant.
  func run(_ input: MediaInput) throws -> Result {
    let file = try CopyRunner.file(of: input)
    if let docType = MatroskaDocType(files.kind) {
      return try MatroskaCopy(
        docType: docType, clip: clip, output: output, overwrite: overwrite, target: target,
        log: log, tell: tell
      ).run(input, file)
    }
    let decoding = input.decoding(clip.decoding)
    let survey = try CodedAudioSurvey(
      file: file, options: decoding, from: clip.range.start.map(CopyRunner.time), to: end(),
      log: log)
    let companions = try Companions(
      clip: clip, output: output, media: survey.media,
      audio: Companions.Place(
        start: survey.start.ticks, origin: survey.media.movie == nil ? survey.start.ticks : 0,
        sourceRate: survey.start.rate, rate: survey.timescale,
        length: clip.range.end == nil
          ? nil
          : MediaTime.rescale(
            survey.validDuration, by: survey.start.rate, over: survey.timescale)), log: log)
    try target.reserve(companions, input: .media(input), overwrite: overwrite)
    LeftOut(files: OutputFiles(output), carriage: output.carriage, log: log).note(
      survey.media.streams, of: input.presentation,
      chapters: companions.chapters.isEmpty ? survey.media.chapters.count : 0,
      carried: companions.carried, heard: [survey.stream.index])
    let audio = try CarriedTracks(
      try CopiedAudio(
        survey: survey,
        title: output.carriage.keepsMetadata ? survey.media.title(of: survey.stream) : nil,
        start: companions.clock.audioOffset, options: decoding), hasDigests: output.statesDigests)
    let video = try companions.makeVideo()
    let written = try write(survey, audio, video, companions)
    try TracksProof(target: target, files: written, kind: files.kind).check()
    var result = result(survey, digest: audio.accounts.first?.digest ?? "")
    result.output.tracks = companions.report(video?.accounts ?? [])
    return result
  }

  /// - Returns: the files with their tracks.
  private func write(
    _ survey: CodedAudioSurvey, _ audio: CarriedTracks, _ video: CarriedTracks?,
    _ companions: Companions
  ) throws -> [MultiplexedFile] {
    let own = survey.media.tags(of: survey.stream)
    let tags = SourceTags.carried(
      own,
      SourceTags.Fate(isCopied: true, keepsTimes: clip.range.start == nil && clip.range.end == nil),
      output.carriage, log)
    let mark = Virtualization.stated(by: own).map { "; \($0.mark)" } ?? ""
    var texts = TrackTexts()
    texts.tags = tags
    texts.maker = "Pinna \(PinnaVersion.text)" + mark
    let end = MediaTime(
      ticks: companions.clock.audioOffset + survey.validDuration, rate: survey.timescale)
    let chapters = companions.chapters(before: end, rate: Int(survey.timescale))
    texts.pictures = companions.pictures
    texts.chapters = chapters
    let items = MovieTags(texts, name: output.location.name)
    let movies = target.multiplexedFiles(
      copies: [video].compactMap { $0 },
      texts: try companions.texts(chapters: chapters, rate: Int(survey.timescale), end: end),
      audio: audio)
    guard files.fragmentDuration != nil else {
      var settings = ProgressiveMP4Settings(movieTimescale: Int(survey.timescale))
      settings.tags = items
      try finish(
        Multiplexer(files: movies, pushed: nil) { sink, tracks in
          try ProgressiveMP4Writer(
            sink: sink, tracks: tracks, settings: settings, name: target.name)
        }, survey, audio)
      return movies
    }
    let multiplexer = try fragments(movies, items, survey, audio)
    try finish(multiplexer, survey, audio)
    log.noteIndex(of: multiplexer.writers)
    guard let movie = multiplexer.writers.first else { return movies }
    let pictures = companions.video.flatMap { survey in
      multiplexer.writers.dropFirst().first.map { HLSPublisher.Video(movie: $0, survey: survey) }
    }
    try target.writePlaylists(
      HLSPublisher(
        sounds: [
          HLSPublisher.Sound(movie, copyOf: survey, title: audio.tracks.first?.name)
        ], video: pictures,
        subtitles: companions.subtitles, hasSegmentFiles: files.hasSegmentFiles,
        chapters: companions.sheet(chapters, length: end, path: target.name)))
    return movies
  }

  /// Begins fragmented files.
  private func fragments(
    _ movies: [MultiplexedFile], _ tags: MovieTags, _ survey: CodedAudioSurvey,
    _ audio: CarriedTracks
  ) throws -> Multiplexer<FragmentedMP4Writer> {
    var settings = FragmentedMP4Settings(
      movieTimescale: Int(survey.timescale), fragmentDuration: 1)
    settings.isForSegmentFiles = files.hasSegmentFiles
    settings.compatibleBrands += audio.tracks.flatMap(\.coding.brands)
    settings.tags = tags
    let length = MediaTime(
      ticks: files.fragmentDuration?.samples(at: survey.facts.sampleRate) ?? 0,
      rate: Int64(survey.facts.sampleRate))
    return try Multiplexer(files: movies, pushed: nil) { sink, tracks in
      try FragmentedMP4Writer(
        sink: sink, tracks: tracks, settings: settings, fragmentDuration: length,
        name: target.name)
    }
  }

  /// Moves all frames.
  private func finish<Writer>(
    _ multiplexer: Multiplexer<Writer>, _ survey: CodedAudioSurvey, _ audio: CarriedTracks
  ) throws {
    let total = Int64(survey.count)
    try multiplexer.finish { _ in
      try tell(
        RenderProgress(
          pass: .finish, done: Int64(audio.count), total: total,
          sampleRate: survey.facts.sampleRate
        ))
    }
  }

  /// Content of the copied frames, in words.
  private func contents(_ facts: CodedAudioFacts) -> String {
    let channels = "\(facts.channels) channels"
    guard facts.objectComplexity > 0 else { return channels }
    return "\(channels) with objects (complexity index \(facts.objectComplexity))"
  }

  private func result(_ survey: CodedAudioSurvey, digest: String) -> Result {
    let rate = survey.facts.sampleRate
    func samples(_ ticks: Int64) -> Int64 {
      MediaTime.rescale(ticks, by: Int64(rate), over: survey.timescale)
    }
    let codecs = ["ac-3": "ac3", "ec-3": "eac3", "ac-4": "ac4"]
    var input = RenderReport.Input(
      path: clip.input.name, container: survey.media.format.token, stream: survey.stream.index,
      codec: codecs[survey.coding.name] ?? survey.coding.name, profile: nil,
      layout: contents(survey.facts), rate: rate, language: survey.stream.language,
      dialnorm: survey.facts.dialnorm.map(Double.init), drc: nil,
      objects: survey.objects)
    input.timeline = RenderReport.Timeline(
      priming: RenderReport.Timeline.Priming(
        samples: samples(survey.mediaTime), source: survey.mediaTime > 0 ? .editList : .unknown),
      padding: 0, paddingSource: .unknown,
      start: RenderReport.Timeline.Start(
        samples: MediaTime.rescale(survey.start.ticks, by: Int64(rate), over: survey.start.rate),
        rate: rate),
      samplesIn: samples(survey.validDuration), samplesOut: samples(survey.validDuration), gaps: [])
    let output = RenderReport.Output(
      path: target.name, format: files.kind.rawValue, endpoint: .none,
      samples: samples(survey.validDuration), pcmSHA256: digest, verified: true, gainDB: 0,
      integrated: nil, truePeak: nil)
    return Result(input: input, output: output)
  }

  /// A programme in several parts has several clocks, which one copy can't follow.
  private static func file(of input: MediaInput) throws -> LocalFile {
    guard let presentation = input.presentation else { return input.file }
    guard presentation.sections.count == 1, let section = presentation.sections.first,
      !section.isGap
    else {
      throw MediaError(
        .unsupportedFeature, about: input.name,
        "consists of several parts, which \(setting: .codec) copy can't join; choose another \(setting: .codec)"
      )
    }
    return try presentation.open(section)
  }

  private var files: OutputFiles { OutputFiles(output) }

  /// End of the range; `nil` for the end of the input.
  private func end() -> MediaTime? {
    let start = clip.range.start.map(CopyRunner.time) ?? MediaTime(ticks: 0, rate: CopyRunner.fine)
    switch clip.range.end {
    case .at(let end): return CopyRunner.time(end)
    case .after(let length):
      return MediaTime(ticks: start.ticks + CopyRunner.time(length).ticks, rate: CopyRunner.fine)
    case nil: return nil
    }
  }

  /// Ticks a second of a range's times: a multiple of 32, 44.1, 48, 88.2 and 96 kHz.
  private static let fine: Int64 = 14_112_000

  private static func time(_ time: TimeSpec) -> MediaTime {
    MediaTime(ticks: time.samples(at: Int(fine)), rate: fine)
  }
}
