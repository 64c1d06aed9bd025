// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import Matroska
import MediaOut
import Platform
import Signal

/// Writes MP4, in fragments where its kind has them, with HLS playlists where they are asked for, or Matroska and WebM, and reads it back:
/// boxes and elements by Pinna's own readers, samples as any input is read.
final class MovieDelivery: HeldDelivery {
  let context: DeliveryContext
  private let files: OutputFiles
  /// Start-up samples of the encoder.
  private var priming = 0
  /// Elements of an IAMF track.
  private var contents: IAMFContents?
  let peaks: PeakHold
  /// The files as they were last written, and the copied tracks in them.
  private var movies: [MultiplexedFile] = []
  private var copied: [CarriedTracks] = []

  init(_ context: DeliveryContext) {
    self.context = context
    files = OutputFiles(context.request)
    peaks = PeakHold(context.output)
  }

  private var coding: OutputCoding { context.coding }

  /// Type of a file of Matroska; `nil` for MP4.
  private var docType: MatroskaDocType? { MatroskaDocType(files.kind) }

  /// Samples by which the track begins late; silence takes their place where players begin all tracks
  /// together.
  private var startOffset: Int64 {
    context.companions.clock.audioOffset - context.output.branch.plan.lead
  }

  /// End of the sound in the presentation.
  private var end: MediaTime {
    MediaTime(
      ticks: startOffset + context.output.frames, rate: Int64(context.format.sampleRate))
  }

  private var chapters: [ProgrammeMarker] {
    context.companions.chapters(before: end, rate: context.format.sampleRate)
  }

  func write() throws -> WrittenSound {
    noteLayout()
    if docType == nil { noteOriginal() }
    try holdPeaks(settings)
    let shown =
      docType != nil && context.recording == nil
      ? try context.companions.makeShownVideo() : nil
    try openFiles(shown)
    let (name, settings) = (context.target.name, settings)
    if let docType {
      let written = try send(
        MultiplexedAudioWriter<MatroskaWriter>(
          name: name, files: movies, audio: makeTrack(), settings: settings,
          parts: parts, as: docType))
      if let shown { try note(shown.pictures) }
      return written
    }
    guard files.kind != .mp4 else {
      return try send(
        MultiplexedAudioWriter<ProgressiveMP4Writer>(
          name: name, files: movies, audio: makeTrack(), settings: settings))
    }
    let writer = try MultiplexedAudioWriter<FragmentedMP4Writer>(
      name: name, files: movies, audio: makeTrack(), settings: settings)
    let written = try send(writer)
    context.log.noteIndex(of: writer.movies)
    try publish(writer)
    return written
  }

  /// One of several tracks has a file for its proof alone; the last one has all others beside it.
  private func openFiles(_ shown: (track: CarriedTracks, pictures: ShownPictures)?) throws {
    guard context.recording == nil else {
      movies = context.target.multiplexedFiles(copies: [], texts: [])
      return
    }
    let rendered = try context.former.map { try CarriedTracks($0.makeTrack(), hasDigests: false) }
    copied =
      try shown.map { [$0.track] + (try context.companions.makeFrames()) }
      ?? context.companions.makeCopies()
    movies = try context.target.multiplexedFiles(copies: copied, texts: texts(), rendered: rendered)
    // Beside other sound, the rendered track is the first of all.
    movies[0].beginsWithPushedTrack =
      (context.companions.hasOtherSound || docType != nil) && !files.isHLS
  }

  /// Reports pictures that Matroska can't hide. An output that is written again reports them once.
  /// - Throws: ``MediaError`` where none is left.
  private func note(_ pictures: ShownPictures) throws {
    guard pictures.leftOut > 0, !context.log.holds(.videoLeftOut) else { return }
    guard let first = pictures.first else {
      throw MediaError(
        .unsupportedFeature, about: context.target.name,
        "Matroska can't hide pictures before its beginning, and none after it is a key frame; use \(setting: .container) mp4, another "
          + "\(setting: .rangeStart), or \(setting: .video) drop")
    }
    let seconds = Double(first) / Double(pictures.facts.timescale)
    context.log.degrade(
      .videoLeftOut,
      (pictures.leftOut == 1
        ? "the first picture is" : "the first \(pictures.leftOut) pictures are")
        + " left out, because Matroska can't hide pictures before its beginning; the video "
        + "begins at a key frame, \(Decibels.text(seconds)) s after the beginning; \(setting: .container) mp4 keeps them"
    )
  }

  /// Reports a purpose that DASH has no word for, and MP4 and HLS therefore no place.
  private func noteOriginal() {
    guard context.request.carriage.keepsMetadata, context.source.roles.contains(.original) else {
      return
    }
    context.log.decide(
      .leftOut, "the mark of the original language",
      why: "\(context.container.kind.traits.name) has no place for it; Matroska has one")
  }

  private func send<Writer>(_ writer: MultiplexedAudioWriter<Writer>) throws -> WrittenSound {
    priming = writer.initialPadding
    if let recording = context.recording { try writer.record(into: recording) }
    return try send(to: writer)
  }

  /// Parts of the source that go into Matroska as they are.
  private var parts: MatroskaParts {
    let companions = context.companions
    guard context.recording == nil,
      var parts = companions.originals?.parts ?? companions.frames?.parts
    else { return MatroskaParts() }
    // Chapters are made anew for times that are moved.
    if !context.companions.keepsTimes { parts.chapters = nil }
    return parts
  }

  /// The tracks of texts: Matroska has chapters elsewhere, and subtitles without an encoding of their own.
  private func texts() throws -> [any CodedTracks] {
    if let docType { return try context.companions.plainTexts(docType) }
    return try context.companions.texts(
      chapters: chapters, rate: context.format.sampleRate, end: end)
  }

  /// The track that is encoded.
  private func makeTrack() throws -> any PushedTrack {
    guard coding.iamf != nil else {
      return try EncodedAudioTrack(settings)
    }
    let structure = IAMFStructure(context: context)
    var found = try structure.contents()
    var settings = try structure.settings(&found)
    settings.sound.startOffset = startOffset
    let track = try IAMFTrack(settings)
    contents = found
    return track
  }

  var copies: [TrackAccount] { copied.flatMap(\.accounts) }

  func prove(_ written: WrittenSound) throws -> WrittenFile {
    let tracks = TracksProof(target: context.target, files: movies, kind: files.kind)
    guard let contents else {
      let proof = EncodedProof(
        context, priming: priming, startOffset: startOffset, tracks: tracks,
        locator: peaks.locator)
      return peaks.take(try proof.read(written.account))
    }
    try tracks.check()
    return try ProgrammeProof(context, contents).read(written)
  }

  private var settings: SoundSettings {
    var texts = context.companions.originals.map(texts(beside:)) ?? context.texts(context.tags)
    texts.pictures = context.companions.pictures
    if context.companions.originals == nil || !context.companions.keepsTimes {
      texts.chapters = chapters
    }
    // In HLS, other sound lies in other files, and every group gives a track the same name.
    let hasOriginalSound = context.companions.hasOtherSound && !files.isHLS
    // Beside other sound, the mark in the maker's name is that of one track, not of the file.
    if hasOriginalSound || context.request.part != nil {
      texts.trackMaker = texts.maker
      texts.maker = "Pinna \(PinnaVersion.text)"
    }
    var settings = context.settings(texts)
    if hasOriginalSound {
      let names = [context.trackTitle, context.endpointName].compactMap { $0 }
      settings.title = names.isEmpty ? nil : names.joined(separator: ", ")
    }
    settings.startOffset = startOffset
    return peaks.settings(settings)
  }

  /// Beside copies of a whole file, tags are its own.
  private func texts(beside originals: MatroskaOriginals) -> TrackTexts {
    context.texts(MediaTags(originals.title.map { [("title", $0)] } ?? []))
  }

  private func noteLayout() {
    let format = context.format
    guard !coding.codec.traits.namesChannels, coding.iamf == nil, format.channels > 2 else {
      return
    }
    let place =
      docType != nil
      ? "Matroska has no place for the layout of PCM; programs see"
      : "the layout of PCM in MP4 (chnl) is read by few programs; others see"
    context.log.degrade(
      .layoutNotCarried,
      "\(place) \(format.channels) channels in the order of \(format.layout)")
  }

  /// Writes the playlists of HLS; an MP4 file alone has none.
  private func publish(_ writer: MultiplexedAudioWriter<FragmentedMP4Writer>) throws {
    let others = writer.movies.dropFirst(context.former.count).filter { $0 !== writer.movie }
    let pictures = context.companions.video.flatMap { survey in
      others.first.map { HLSPublisher.Video(movie: $0, survey: survey) }
    }
    let originals = others.dropFirst(pictures == nil ? 0 : 1)
    // Each track of sound has a file, the one that was written last among them.
    let former = zip(writer.movies, context.former).compactMap { HLSPublisher.Sound($0, $1) }
    let sound = HLSPublisher.Sound(
      movie: writer.movie, codec: writer.codec, timescale: context.format.sampleRate,
      channels: "\(context.format.channels)", language: context.source.language,
      title: context.trackTitle, roles: context.source.roles)
    try context.target.writePlaylists(
      HLSPublisher(
        sounds: former + [sound], groups: context.request.part?.groups ?? 1, video: pictures,
        originals: context.companions.copied?.sounds(Array(originals)) ?? [],
        subtitles: context.companions.subtitles,
        hasSegmentFiles: files.hasSegmentFiles,
        chapters: context.companions.sheet(chapters, length: end, path: context.target.name)))
  }
}

extension DiagnosticLog {
  /// Tells where `movies` lack an index in front of their fragments.
  func noteIndex(of movies: [FragmentedMP4Writer]) {
    guard movies.contains(where: \.exceedsIndex) else { return }
    decide(
      .fragments, "without an index in front of them",
      why: "it lists 65,535 at most, and there may be more; players find them by the one at the end"
    )
  }
}
