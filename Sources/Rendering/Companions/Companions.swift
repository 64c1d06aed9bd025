// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import LibAV
import Matroska
import MediaIn
import MediaOut
import Report

/// The tracks, tags and chapters that go into an output besides the sound.
struct Companions {
  /// The place of the sound on the clocks; all other tracks follow it.
  struct Place {
    /// Start on the source's clock, in ticks of ``sourceRate``.
    let start: Int64
    /// Start of the source's presentation, in the same ticks.
    let origin: Int64
    /// Ticks a second of the source.
    let sourceRate: Int64
    /// Ticks a second of its track in the output.
    let rate: Int64
    /// Ticks of ``sourceRate`` that a range asks for; `nil` without an end.
    let length: Int64?
    /// By how much the sound was made faster.
    var tempo = Tempo.same
  }

  let clock: PresentationClock
  /// Streams of the input that are carried over.
  let carried: Set<Int>
  /// Subtitles with their times in the output.
  let subtitles: [CarriedSubtitles]
  /// Chapters with their times in the output, in the order in which they begin. They count from the zero of
  /// ``clock``, which is the sound's first sample unless pictures begin earlier.
  let chapters: [ProgrammeMarker]
  /// Pictures beside the sound, such as covers, in the order of the file.
  let pictures: [AttachedPicture]
  private let media: MediaFile?
  let video: VideoSurvey?
  /// Tracks and parts that go from Matroska into Matroska as they are, in place of ``video`` and all that is made anew; `nil` where
  /// nothing does.
  let originals: MatroskaOriginals?
  /// Other tracks whose frames go into Matroska, where ``originals`` doesn't have them; `nil` where there is no place for any.
  let frames: CarriedFrames?
  /// Other tracks of sound that go into MP4 or HLS; `nil` where none is asked for.
  let copied: CopiedSounds?
  private let options: InputOptions
  /// Whether the tracks keep their titles.
  private let keepsTitles: Bool
  /// Whether a report states SHA-256 of their bytes.
  private let statesDigests: Bool
  let log: DiagnosticLog

  /// Finds out what of the input the output can hold; reasons why something can't be taken are
  /// reported in `log`. A raw elementary stream has no `media` and holds nothing else.
  ///
  /// `heard` are the streams that are rendered for the file, in its order. `given` takes the place of the media's chapters; its times count from output sample 0 of the sound.
  init(
    clip: Clip, output: OutputRequest, media: MediaFile?, audio: Place,
    heard: [Int] = [], given: [ProgrammeMarker]? = nil, log: DiagnosticLog
  ) throws {
    self.media = media
    self.log = log
    options = clip.decoding
    let carriage = output.carriage
    keepsTitles = carriage.keepsMetadata
    statesDigests = output.statesDigests
    let files = OutputFiles(output)
    let holds = files.holds
    let originals = MatroskaOriginals(
      media, clip: clip, output: output, tempo: audio.tempo, log: log)
    self.originals = originals
    let frames =
      originals == nil
      ? try CarriedFrames(media, clip: clip, output: output, audio: audio, log: log) : nil
    self.frames = frames
    let copied = try CopiedSounds(
      media, heard: heard, clip: clip, output: output, tempo: audio.tempo, log: log)
    self.copied = copied
    // A copy without a rendered track has its own refusal.
    if output.rendition != nil { try Companions.checkKept(carriage, holds, originals, frames) }
    let video = try media.flatMap { media in
      holds.contains(.video) && carriage.keepsVideo && originals == nil
        ? try Companions.survey(clip, media, audio, files.kind, log) : nil
    }
    self.video = video
    let sounds = output.part.map { Companions.starts($0.numbers, media, audio) } ?? []
    let clock = Companions.clock(
      audio, video, originals, sounds + (frames?.begins ?? []) + (copied?.begins ?? []))
    self.clock = clock
    let window = CueWindow(hasStart: clip.range.start != nil, audio: audio, clock: clock)
    subtitles =
      holds.contains(.subtitles) && carriage.subtitles != .dropped
      ? try CarriedSubtitles.all(
        carriage, decoding: clip.decoding, media: originals == nil ? media : nil,
        besides: frames?.streams ?? [], window: window, log: log) : []
    let covers = media.flatMap { media in
      holds.contains(.cover) && carriage.keepsMetadata && originals == nil
        ? Companions.covers(media, log) : nil
    }
    pictures = try Companions.withCover(
      carriage, covers?.map(\.picture) ?? [], holds, originals, log)
    let moved = given?.map { ProgrammeMarker(time: $0.time + clock.soundStart, title: $0.title) }
    chapters =
      (holds.contains(.chapters) || carriage.chaptersFile != nil) && carriage.keepsChapters
      ? Companions.inOrder(moved ?? Companions.chapters(media, window), rate: Int(audio.rate)) : []
    if !chapters.isEmpty {
      log.decide(
        .chapters, "\(chapters.count) carried over",
        why: given == nil ? "the input has them" : "the programme has them")
    } else if holds.contains(.chapters), carriage.keepsChapters, media?.chapters.isEmpty == false {
      log.decide(.chapters, "none carried over", why: "none of them lies in the output")
    }
    let streams = [video?.stream.index] + subtitles.map(\.stream) + (covers ?? []).map(\.stream)
    carried = Set(streams.compactMap { $0 })
      .union(originals?.streams ?? []).union(frames?.streams ?? []).union(copied?.streams ?? [])
  }

  /// The pictures of the input, with a cover that was given in the place of front covers.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` where there is no place for it, and for tags beside those that Matroska keeps.
  private static func withCover(
    _ carriage: Carriage, _ pictures: [AttachedPicture], _ holds: Set<ContainerExtra>,
    _ originals: MatroskaOriginals?, _ log: DiagnosticLog
  ) throws -> [AttachedPicture] {
    guard carriage.cover != nil || !carriage.tags.isEmpty else { return pictures }
    guard originals == nil else {
      throw MediaError(
        .unsupportedFeature,
        "\(setting: .tags) and \(setting: .cover): tags and attachments of a Matroska file are kept as they are in Matroska; "
          + "set them afterwards (mkvpropedit), or write another container")
    }
    guard let cover = carriage.cover else { return pictures }
    guard holds.contains(.cover) else {
      throw MediaError(
        .unsupportedFeature,
        "\(setting: .cover): the output has no place for a picture; leave it out")
    }
    log.decide(.coverArt, "\(cover)", why: "it was given")
    return [try CoverFile.picture(cover)]
      + pictures.filter { $0.kind != AttachedPicture.frontCover }
  }

  /// Refuses a wish for other tracks of sound that can't be met.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature`.
  private static func checkKept(
    _ carriage: Carriage, _ holds: Set<ContainerExtra>, _ originals: MatroskaOriginals?,
    _ frames: CarriedFrames?
  ) throws {
    guard originals == nil, frames == nil, holds.contains(.originals),
      ![.automatic, .none].contains(carriage.keptAudio)
    else { return }
    throw MediaError(
      .unsupportedFeature,
      "\(setting: .keptAudio): other tracks of sound are copied from one file at its own tempo; render them with \(setting: .track), "
        + "or leave \(setting: .keptAudio) out")
  }

  /// Whether times of the source, such as those of its chapters, are times of the output.
  var keepsTimes: Bool { clock.time(MediaTime(ticks: 0, rate: 1)).ticks == 0 }

  /// The clock of all tracks. Copies from Matroska keep their times where the sound can begin at the nearest sample to its own.
  private static func clock(
    _ audio: Place, _ video: VideoSurvey?, _ originals: MatroskaOriginals?, _ sounds: [MediaTime]
  ) -> PresentationClock {
    if let originals, originals.beginsNearZero, audio.start >= 0 {
      return PresentationClock(
        keepingZero: audio.start, sourceRate: Int(audio.sourceRate), rate: Int(audio.rate))
    }
    let pictures = video.map { survey in
      let base = survey.stream.timeBase
      return MediaTime(
        ticks: (survey.start + survey.shift) * base.numerator, rate: base.denominator)
    }
    return PresentationClock(
      audioStart: audio.start, sourceRate: Int(audio.sourceRate), rate: Int(audio.rate),
      others: [pictures, originals?.begin].compactMap { $0 } + sounds)
  }

  /// The beginnings of the tracks of sound with these numbers. With all that go into one file, each of them gets the same clock.
  private static func starts(
    _ numbers: [Int], _ media: MediaFile?, _ audio: Place
  ) -> [MediaTime] {
    // A range begins as much later in each of them.
    let range = MediaTime(ticks: max(0, audio.start - audio.origin), rate: audio.sourceRate)
    let sounds = (media?.streams ?? []).filter { $0.kind == .audio }
    return numbers.filter(sounds.indices.contains).map { sounds[$0] }.compactMap { stream in
      let base = stream.timeBase
      // A damaged time says nothing of where its track begins.
      guard let start = stream.startTime,
        case let (ticks, isFar) = start.multipliedReportingOverflow(by: base.numerator), !isFar
      else { return nil }
      return MediaTime(ticks: ticks, rate: base.denominator) + range
    }
  }

  /// Whether sound is copied beside the rendered track.
  var hasOtherSound: Bool {
    originals?.hasSound == true || frames?.hasSound == true || (copied?.count ?? 0) > 0
  }

  /// Whether tracks are copied into Matroska besides pictures and texts.
  var hasOtherTracks: Bool { originals?.hasTracks == true || frames?.hasTracks == true }

  /// Reports where copied tracks part from the rendered sound of `inputs`, because the clock of the input begins anew.
  func note(_ inputs: [RenderReport.Input], _ log: DiagnosticLog) {
    guard hasVideo || hasOtherSound || hasOtherTracks || !subtitles.isEmpty, inputs.count == 1,
      let timeline = inputs.first?.timeline,
      let restart = timeline.gaps.first(where: {
        $0.kind == .discontinuity
      })
    else { return }
    let time = MediaTime(ticks: restart.position, rate: Int64(timeline.start.rate))
    log.degrade(
      .timestampGap,
      "copied tracks keep the input's own times after the restart of its clock at \(time), so that they don't agree with the rendered sound there; remux the parts one by one"
    )
  }

  /// Whether pictures are copied.
  var hasVideo: Bool { video != nil }

  /// A new reader of the pictures, for one writing of the output; `nil` without pictures.
  func makeVideo() throws -> CarriedTracks? { try makeCopy().map(carried) }

  /// `source`, with an account of what is handed out.
  private func carried(_ source: any CodedTracks) throws -> CarriedTracks {
    try CarriedTracks(source, hasDigests: statesDigests)
  }

  /// As ``makeVideo()``, for a container that can't hide pictures before its presentation begins.
  func makeShownVideo() throws -> (track: CarriedTracks, pictures: ShownPictures)? {
    try makeCopy().map { copy in
      let pictures = ShownPictures(copy)
      return (try carried(pictures), pictures)
    }
  }

  private func makeCopy() throws -> CopiedVideo? {
    guard let media, let video else { return nil }
    return try CopiedVideo(
      media: media, survey: video, title: keepsTitles ? media.title(of: video.stream) : nil,
      clock: clock, options: options)
  }

  /// The tracks that are copied as they are: those from Matroska, for a file of its own kind, or pictures; empty for none.
  func makeCopies() throws -> [CarriedTracks] {
    if let originals {
      return originals.hasTracks ? [try carried(originals.makeTracks(clock))] : []
    }
    let sounds = try copied?.makeTracks(clock).map(carried) ?? []
    return try [makeVideo()].compactMap(\.self) + makeFrames() + sounds
  }

  /// The tracks whose frames are copied besides pictures; empty for none.
  func makeFrames() throws -> [CarriedTracks] {
    guard let frames, frames.hasTracks else { return [] }
    return [try carried(frames.makeTracks(clock))]
  }

  /// The tracks besides the sound, for the report; `nil` when there are none. Copies were written as `accounts` state.
  func report(_ accounts: [TrackAccount]) -> [RenderReport.CopiedTrack]? {
    let pictures = [video].compactMap(\.self).map {
      (
        kind: RenderReport.CopiedTrack.Kind.video, codec: $0.stream.codec,
        language: $0.stream.language
      )
    }
    let facts = originals?.facts ?? pictures + (frames?.facts ?? []) + (copied?.facts ?? [])
    let copies = zip(facts, accounts).map { facts, account in
      RenderReport.CopiedTrack(
        kind: facts.kind, codec: facts.codec, count: account.count, sha256: account.digest,
        language: facts.language)
    }
    let texts = subtitles.map { track in
      RenderReport.CopiedTrack(
        kind: .subtitles, codec: track.codec, count: track.cues.count, sha256: nil,
        language: track.language.isEmpty ? nil : track.language)
    }
    let all = copies + texts
    return all.isEmpty ? nil : all
  }

  private static func covers(
    _ media: MediaFile, _ log: DiagnosticLog
  ) -> [(stream: Int, picture: AttachedPicture)] {
    let pictures = media.streams.filter { $0.kind == .picture }
    let found = pictures.compactMap { stream -> (stream: Int, picture: AttachedPicture)? in
      let bytes = media.container?.attachedPicture(stream: stream.index) ?? []
      guard MovieTags.isCover(bytes) else { return nil }
      let size = stream.picture
      var picture = AttachedPicture(
        bytes: bytes, width: size?.width ?? 0, height: size?.height ?? 0)
      // Containers without kinds of pictures have covers.
      if let kind = stream.metadata["comment"].flatMap(AttachedPicture.kind(named:)) {
        picture.kind = kind
        picture.text = stream.metadata["title"] ?? ""
      }
      return (stream.index, picture)
    }
    if !found.isEmpty, found.count == pictures.count {
      log.decide(.coverArt, "copied", why: "the input has it")
    }
    return found
  }

  private static func survey(
    _ clip: Clip, _ media: MediaFile, _ audio: Place, _ kind: ContainerKind, _ log: DiagnosticLog
  ) throws -> VideoSurvey? {
    let streams = media.streams.filter { $0.kind == .video }
    guard let stream = streams.first(where: \.isDefault) ?? streams.first else { return nil }
    let begin = MediaTime(ticks: audio.start, rate: audio.sourceRate)
    let end = audio.length.map { MediaTime(ticks: audio.start + $0, rate: audio.sourceRate) }
    do {
      let survey = try VideoSurvey(
        file: media.file, stream: stream, from: clip.range.start == nil ? nil : begin, to: end,
        options: clip.decoding)
      try check(survey, fits: kind)
      if let damage = survey.damage {
        guard clip.decoding.damage != .fail else {
          throw MediaError(
            .damaged, about: clip.input.name,
            "its video is damaged (\(damage)); \(setting: .damage) conceal keeps what "
              + "lies before, \(setting: .video) drop leaves it out")
        }
        log.degrade(.videoCut, "the video ends early, where the file is damaged (\(damage))")
      }
      if survey.corrupt > 0 {
        guard clip.decoding.damage != .fail else {
          throw MediaError(
            .damaged, about: clip.input.name,
            survey.corrupt.counted("packet of its video is", "packets of its video are")
              + " damaged; \(setting: .damage) "
              + "conceal copies them as they are, \(setting: .video) drop leaves the video out")
        }
        log.degrade(
          .videoDamaged,
          survey.corrupt.counted("packet of the video is", "packets of the video are") + " damaged")
      }
      log.decide(
        .video, "copied",
        why: "\(survey.count) pictures of \(stream.codec), unchanged"
          + (survey.skipped > 0 ? "; \(survey.skipped) before the first key frame left out" : ""))
      return survey
    } catch let error as MediaError where error.kind == .unsupportedFeature {
      log.degrade(
        .videoLeftOut,
        "the video isn't in the output: \(error.message); \(setting: .video) drop says that it may go"
      )
      return nil
    }
  }
}

extension Companions {
  /// Refuses pictures of a codec that files of `kind` don't have.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature`.
  private static func check(_ survey: VideoSurvey, fits kind: ContainerKind) throws {
    guard let docType = MatroskaDocType(kind),
      survey.entry.matroskaCodec.map(docType.holds) != true
    else { return }
    throw MediaError(.unsupportedFeature, "\(kind.traits.name) has no \(survey.stream.codec)")
  }

  /// The tracks of texts that lie beside the sound in MP4: subtitles, and the titles of `chapters`. The sound has
  /// `rate` ticks a second and ends at `end`.
  func texts(
    chapters: [ProgrammeMarker], rate: Int, end: MediaTime
  ) throws -> [any CodedTracks] {
    let titles = ChapterTrack(chapters, rate: rate, end: presentationEnd(end))
    if titles == nil, chapters.count > ChapterTrack.limitWithout {
      log.degrade(
        .chaptersCut,
        "a chapter lasts longer than MP4 can state, so players see the first "
          + "\(ChapterTrack.limitWithout) of the \(chapters.count) chapters only")
    }
    let tracks: [any CodedTracks] =
      subtitles.map { CopiedSubtitles($0) } + [titles].compactMap(\.self)
    return try tracks.map { try CarriedTracks($0) }
  }

  /// The tracks of subtitles as files of `docType` have them.
  func plainTexts(_ docType: MatroskaDocType) throws -> [any CodedTracks] {
    try subtitles.map { try CarriedTracks(PlainSubtitles($0, docType)) }
  }

  /// `chapters` for a text beside an output of `length` at `path`; `nil` where the output holds none.
  func sheet(_ chapters: [ProgrammeMarker], length: MediaTime, path: String) -> MarkerSheet? {
    self.chapters.isEmpty ? nil : MarkerSheet(chapters, length: length, path: path)
  }

  /// The chapters that begin before sound and pictures have ended; the sound ends at `end`.
  func chapters(before end: MediaTime, rate: Int) -> [ProgrammeMarker] {
    let last = presentationEnd(end).samples(at: rate)
    let kept = chapters.filter { $0.time.samples(at: rate) < last }
    if kept.count < chapters.count {
      log.degrade(
        .chaptersCut,
        (chapters.count - kept.count).counted(
          "chapter begins where the programme has ended, and is left out",
          "chapters begin where the programme has ended, and are left out")
      )
    }
    return kept
  }

  /// End of sound and pictures, if the sound ends at `end`.
  private func presentationEnd(_ end: MediaTime) -> MediaTime {
    guard let video else { return end }
    let base = video.stream.timeBase
    let pictures = MediaTime(
      ticks: (video.end + video.shift) * base.numerator, rate: base.denominator)
    return max(end, clock.time(pictures))
  }

  /// `markers` in the order in which they begin, none before zero. Of several at one sample the titles are joined, because
  /// a chapter of MP4 can't be empty.
  static func inOrder(_ markers: [ProgrammeMarker], rate: Int) -> [ProgrammeMarker] {
    let zero = MediaTime(ticks: 0, rate: 1)
    let sorted = markers.map { ProgrammeMarker(time: max($0.time, zero), title: $0.title) }
      .sorted { $0.time < $1.time }
    return sorted.reduce(into: []) { all, marker in
      guard let last = all.last, last.time.samples(at: rate) == marker.time.samples(at: rate)
      else { return all.append(marker) }
      let titles = [last.title, marker.title].filter { !$0.isEmpty }
      all[all.count - 1].title = titles.joined(separator: " / ")
    }
  }

  /// Chapters of `media` that the output presents. A chapter without a usable end has a length anyway, so
  /// that it is only left out where its beginning is.
  static func chapters(_ media: MediaFile?, _ window: CueWindow) -> [ProgrammeMarker] {
    (media?.chapters ?? []).compactMap { chapter in
      let instant = chapter.start + MediaTime(ticks: 1, rate: chapter.start.rate)
      return window.begin(of: chapter.start, end: max(chapter.end, instant)).map {
        ProgrammeMarker(time: $0, title: chapter.title ?? "")
      }
    }
  }
}
