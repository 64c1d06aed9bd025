import AudioCore
import ISOBMFF
import LibAV
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

  /// What was copied.
  struct Result {
    let input: RenderReport.Input
    var output: RenderReport.Output
  }

  /// Writes the output, reads it back and compares it.
  /// - Throws: ``MediaError`` when the track can't be copied or the file isn't as meant.
  func run(_ input: MediaInput) throws -> Result {
    let file = try CopyRunner.file(of: input)
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
      carried: companions.carried, sound: survey.stream.index)
    let audio = try CopiedAudio(
      survey: survey,
      title: output.carriage.keepsMetadata ? survey.media.title(of: survey.stream) : nil,
      clock: companions.clock, options: decoding)
    let video = try companions.makeVideo()
    try write(audio, video, companions)
    try prove(audio, video)
    var result = result(audio)
    result.output.tracks = companions.report(video)
    return result
  }

  private func write(
    _ audio: CopiedAudio, _ video: CopiedVideo?, _ companions: Companions
  ) throws {
    let survey = audio.survey
    var settings = FragmentedMP4Settings(
      movieTimescale: Int(survey.timescale), fragmentDuration: 1)
    let own = survey.media.tags(of: survey.stream)
    let tags = SourceTags.carried(
      own,
      SourceTags.Fate(isCopied: true, keepsTimes: clip.range.start == nil && clip.range.end == nil),
      output.carriage, log)
    settings.isForSegmentFiles = files.hasSegmentFiles
    settings.compatibleBrands += audio.brands
    let mark = SourceTags.virtualization(own).map { "; \($0.mark)" } ?? ""
    var texts = TrackTexts()
    texts.tags = tags
    texts.maker = "Pinna \(PinnaVersion.text)" + mark
    let end = MediaTime(
      ticks: companions.clock.audioOffset + survey.validDuration, rate: survey.timescale)
    let chapters = companions.chapters(before: end, rate: Int(survey.timescale))
    texts.pictures = companions.pictures
    texts.chapters = chapters
    settings.tags = MovieTags(texts, name: output.location.name)
    let multiplexer = try MovieMultiplexer(
      files: target.movieFiles(
        video: video,
        texts: companions.texts(chapters: chapters, rate: Int(survey.timescale), end: end),
        audio: audio),
      pushed: nil, settings: settings,
      fragmentDuration: MediaTime(
        ticks: files.fragmentDuration?.samples(at: survey.facts.sampleRate) ?? 0,
        rate: Int64(survey.facts.sampleRate)))
    let total = Int64(survey.count)
    try multiplexer.finish { _ in
      try tell(
        RenderProgress(
          pass: .finish, done: Int64(audio.count), total: total, sampleRate: survey.facts.sampleRate
        ))
    }
    guard let movie = multiplexer.movies.first else { return }
    let pictures = video.flatMap { track in
      multiplexer.movies.dropFirst().first.map { HLSPublisher.Video(movie: $0, track: track) }
    }
    let objects = survey.facts.objectComplexity
    try target.writePlaylists(
      HLSPublisher(
        audio: HLSPublisher.Audio(
          movie: movie, codec: survey.facts.codec, timescale: Int(survey.timescale),
          channels: objects > 0 ? "\(objects)/JOC" : "\(survey.facts.channels)",
          language: survey.stream.language ?? "", title: audio.track.title), video: pictures,
        subtitles: companions.subtitles, hasSegmentFiles: files.hasSegmentFiles,
        chapters: companions.sheet(chapters, length: end, path: target.name)))
  }

  /// Reads boxes and coded frames back.
  private func prove(_ audio: CopiedAudio, _ video: CopiedVideo?) throws {
    let file = try target.openedFile()
    let source = ByteSource(size: file.size) { file.bytes(at: $0, count: $1) }
    if let finding = FragmentedMovieCheck(source).findings.first { throw failure("\(finding)") }
    let found = TrackDigest(source, handler: "soun")
    guard found.count == audio.count, found.digest == audio.digest else {
      throw failure("\(found.count) frames aren't the \(audio.count) that were copied")
    }
    try PictureProof(target: target, video: video).check(file)
  }

  private func failure(_ what: String) -> MediaError {
    MediaError(
      .verificationFailed, about: target.name,
      "the written file isn't as meant: \(what); nothing was kept")
  }

  /// What the copied frames carry, in words.
  private func contents(_ facts: CodedAudioFacts) -> String {
    let channels = "\(facts.channels) channels"
    guard facts.objectComplexity > 0 else { return channels }
    return "\(channels) with objects (complexity index \(facts.objectComplexity))"
  }

  private func result(_ audio: CopiedAudio) -> Result {
    let survey = audio.survey
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
      objects: survey.objects.rawValue)
    input.timeline = RenderReport.Timeline(
      priming: RenderReport.Timeline.Priming(
        samples: samples(survey.mediaTime), source: survey.mediaTime > 0 ? "elst" : "unknown"),
      padding: 0, paddingSource: "unknown",
      start: RenderReport.Timeline.Start(
        samples: MediaTime.rescale(survey.start.ticks, by: Int64(rate), over: survey.start.rate),
        rate: rate),
      samplesIn: samples(survey.validDuration), samplesOut: samples(survey.validDuration), gaps: [])
    let output = RenderReport.Output(
      path: target.name, format: files.kind.rawValue, endpoint: "none",
      samples: samples(survey.validDuration), pcmSHA256: audio.digest, verified: true, gainDB: 0,
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

  /// Where the range ends; `nil` for the end of the input.
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

/// Reads copied pictures back: in HLS they lie in a file of their own.
struct PictureProof {
  let target: OutputTarget
  /// What was copied; `nil` when there are none.
  let video: CopiedVideo?

  /// Compares the pictures in the written file with those that were copied.
  /// - Throws: ``MediaError`` of kind `verification-failed` when they differ.
  func check(_ movie: LocalFile) throws {
    guard let video else { return }
    var file = movie
    if let descriptor = target.videoDescriptor {
      file = try LocalFile(descriptor: dup(descriptor), name: target.name)
      let check = FragmentedMovieCheck(
        ByteSource(size: file.size) { file.bytes(at: $0, count: $1) })
      if let finding = check.findings.first { throw failure("\(finding)") }
    }
    let source = ByteSource(size: file.size) { file.bytes(at: $0, count: $1) }
    let found = TrackDigest(source, handler: "vide")
    guard found.count == video.count, found.digest == video.digest else {
      throw failure("\(found.count) pictures aren't the \(video.count) that were copied")
    }
  }

  private func failure(_ what: String) -> MediaError {
    MediaError(
      .verificationFailed, about: target.name,
      "the written video isn't as meant: \(what); nothing was kept")
  }
}

/// Number and SHA-256 of the samples of a fragmented movie's first track of a kind.
struct TrackDigest {
  /// Bytes read at once.
  private static let piece: Int64 = 1 << 20

  /// Samples.
  private(set) var count = 0
  /// SHA-256 of their bytes, one after the other.
  let digest: String

  /// Reads all samples of the first track with `handler`, e.g. `vide`.
  init(_ source: ByteSource, handler: String) {
    var sum = PCMDigest()
    var samples: Int64 = 0
    if let reader = FragmentedMovieReader(source),
      let track = reader.tracks.first(where: { $0.handler == handler })
    {
      reader.forEachFragment { fragment in
        for run in fragment.tracks where run.trackID == track.id {
          samples += run.sampleCount
          for extent in run.extents { TrackDigest.add(extent, source, to: &sum) }
        }
        return true
      }
    }
    count = Int(clamping: samples)
    digest = sum.hexadecimal
  }

  private static func add(
    _ extent: TrackFragment.Extent, _ source: ByteSource, to sum: inout PCMDigest
  ) {
    var offset = max(0, extent.offset)
    let end = min(source.size, extent.offset + extent.size)
    while offset < end {
      let bytes = source.bytes(at: offset, count: Int(min(piece, end - offset)))
      guard !bytes.isEmpty else { return }
      bytes.withUnsafeBytes { sum.update($0) }
      offset += Int64(bytes.count)
    }
  }
}
