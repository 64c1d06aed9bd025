// SPDX-License-Identifier: Apache-2.0
import AC4
import AudioCore
import IAMF
import ISOBMFF
import LibAV
import Matroska
import Platform
import TrueHD

/// An opened media file: its container, its tracks and facts that libav doesn't hand out.
package final class MediaFile {
  package let file: LocalFile
  /// The container, as its bytes show it.
  package let format: ContainerTraits
  /// libav's view of the container; `nil` for raw streams of AC-4, IAMF and TrueHD, which it doesn't know or knows late.
  package let container: InputContext?
  /// MP4 structure, read by our own parser because libav hides raw edit lists.
  package let movie: MovieFacts?
  /// The maps of a transport stream's programmes; `nil` for other containers.
  let programmeMaps: ProgrammeMaps?
  /// The set of master files that this file is the sound of; `nil` for any other file.
  package internal(set) var master: MasterFiles?
  /// All streams in container order.
  package let streams: [StreamInfo]
  /// Bytes in front of a stream of MP3 or FLAC that are left out.
  let junk: Int
  /// The header of a file for plain samples.
  let headers: PlainHeaders
  /// Whether the format was taken from the file's name, because the bytes alone don't show it.
  let isNamed: Bool
  /// Statements of Ogg pages about the streams that were asked for.
  private var oggStreams: [Int: OggStream?] = [:]

  /// Opens the local file at `path`.
  /// - Throws: ``MediaError`` when it is missing, unreadable, no known media, or damaged.
  package convenience init(path: String, options: InputOptions = InputOptions()) throws {
    try self.init(file: MediaFile.locate(path), options: options)
  }

  /// Opens an already opened file, e.g. buffered standard input.
  /// - Throws: ``MediaError`` as above.
  package init(file: LocalFile, options: InputOptions = InputOptions()) throws {
    let head = file.bytes(at: 0, count: 16)
    guard !head.isEmpty else {
      throw MediaError(.inputUnreadable, about: file.path, "the file is empty; give a media file")
    }
    let raw = MediaFile.raw(head, file)
    // Long files of TrueHD, and those that are named so, libavformat knows, too.
    let known = raw.flatMap { raw in
      raw.format.input?.demuxers.isEmpty == false
        ? try? MediaOpener(file, options.demuxerOptions) : nil
    }.flatMap { $0.format == raw?.format ? $0 : nil }
    if let raw, known == nil {
      self.file = file
      (junk, isNamed) = (0, false)
      headers = PlainHeaders()
      format = raw.format
      container = nil
      movie = nil
      programmeMaps = nil
      streams = [StreamInfo(elementary: raw.codec.name)]
      segment = nil
      editions = nil
      return
    }
    let opened = try known ?? MediaOpener(file, options.demuxerOptions)
    self.file = opened.file
    (junk, isNamed) = (opened.junk, opened.isNamed)
    headers = opened.headers
    format = opened.format
    container = opened.context
    let movie = opened.format.input?.extent == .boxes ? opened.movie : nil
    self.movie = movie
    let maps = opened.format.input?.hasProgrammeMaps == true ? ProgrammeMaps(self.file) : nil
    programmeMaps = maps
    let streams = opened.context.streams.map {
      MediaFile.named(maps?.named($0) ?? $0, in: movie)
    }
    let isMatroska = opened.format.input?.extent == .segment
    let matroska = isMatroska ? try? MatroskaHead(self.file.source) : nil
    self.streams = matroska.map { MediaFile.named(streams, in: $0) } ?? streams
    segment = matroska?.segment
    editions = matroska.map(MatroskaEditions.init)
  }

  /// Format and codec of a raw stream that begins with `head`, of the kinds that libavformat doesn't know; `nil` for any
  /// other file.
  private static func raw(
    _ head: [UInt8], _ file: LocalFile
  ) -> (format: ContainerTraits, codec: CodecTraits)? {
    if AC4FrameScanner.isSyncWord(head.prefix(2)) { return (.ac4, .ac4) }
    if RawSequenceReader.isSequence(head) { return (.iamf, .iamf) }
    // Units of TrueHD have a word of their own in front of the sync; dumps of discs begin with their core in AC-3, or a time stamp
    // of 16 bytes. libavformat wants a third of a megabyte before it knows TrueHD, and takes the others for AC-3 or nothing.
    let isCore = head.starts(with: [0x0B, 0x77])
    let isStamp = head.count == 16 && head[14] == 0x80 && head[15] == 0
    let isUnit = head.dropFirst(4).starts(with: [0xF8, 0x72, 0x6F])
    guard isCore || isStamp || isUnit else { return nil }
    switch RawUnits.recognised(beginning: file.bytes(at: 0, count: RawUnits.beginning)) {
    case .trueHD: return (.trueHD, .named(CodecTraits.trueHD))
    case .mlp: return (.mlp, .named(CodecTraits.mlp))
    case nil: return nil
    }
  }

  /// The stream with the name of its codec, and its title. libavformat knows the name of AC-4 only from 6.1 on, and not that of
  /// IAMF.
  private static func named(_ stream: StreamInfo, in movie: MovieFacts?) -> StreamInfo {
    guard let track = movie?.tracks.first(where: { $0.id == stream.id }) else { return stream }
    var stream = stream
    let codecs = ["ac-4": CodecTraits.ac4, "iamf": .iamf]
    if let codec = codecs[track.originalFormat ?? track.sampleEntry] { stream.codec = codec.name }
    if let title = track.title, stream.metadata["title"] == nil { stream.metadata["title"] = title }
    if let language = track.language { stream.stateLanguage(language) }
    // libavformat doesn't know the word for sound.
    let isForHardOfHearing = track.roles.contains(DASHRole.clearSpeech)
    if isForHardOfHearing, !stream.dispositions.contains("hearing_impaired") {
      stream.dispositions.append("hearing_impaired")
    }
    return stream
  }

  /// The streams with the languages that tracks state by tags of BCP 47 (RFC 9559, 5.1.4.1.20), of which libavformat 59 knows
  /// nothing. Streams of a kind of which there are more or fewer than tracks keep theirs.
  private static func named(_ streams: [StreamInfo], in head: MatroskaHead) -> [StreamInfo] {
    var streams = streams
    let kinds: [(StreamInfo.Kind, MatroskaTrackEntry.Kind)] = [
      (.video, .video), (.audio, .audio), (.subtitle, .subtitle),
    ]
    for (kind, type) in kinds {
      let own = streams.indices.filter { streams[$0].kind == kind }
      let tracks = head.tracks.filter { $0.kind == type }
      guard own.count == tracks.count else { continue }
      for (index, track) in zip(own, tracks) {
        if let tag = track.languageBCP47 { streams[index].stateLanguage(tag) }
      }
    }
    return streams
  }

  /// The name of a track in a container of several; `nil` where it has none. In Ogg the tags of the stream are those of the
  /// file.
  package func title(of stream: StreamInfo) -> String? {
    format.input?.extent == .lastPage
      ? nil : stream.metadata["title"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Chunks of WAV that no output has, in words.
  package var foreignChunks: [String] { headers.riff == nil ? [] : ForeignChunks.list(in: file) }

  /// Container tags; keys lower case.
  package var metadata: [String: String] { container?.metadata ?? [:] }

  /// Segment of Matroska; `nil` for other containers.
  private let segment: EBMLPlace?

  /// Statements of Matroska on the order in which it is played; `nil` for other containers.
  let editions: MatroskaEditions?

  /// Chapters, in container order; chapters within chapters of Matroska, which libavformat passes over, follow the others.
  package var chapters: [ChapterInfo] {
    let known = container?.chapters ?? []
    guard let editions, known.count <= editions.outermost else { return known }
    return known + editions.nested
  }

  /// The container, where libav has to read it.
  func opened() throws -> InputContext {
    guard let container else {
      throw MediaError(.unsupportedFeature, about: file.path, "is a raw stream, not a container")
    }
    return container
  }

  /// The error for a read that libavformat calls a failure of the disk. Some damaged containers are called so, too; the disk is at
  /// fault only where a read failed, or the bytes there or at the end can't be read.
  var readFailure: MediaError {
    let place = container?.bytePosition ?? 0
    let isReadable = [min(place, file.size - 1), file.size - 1].allSatisfy {
      !file.bytes(at: $0, count: 1).isEmpty
    }
    return isReadable && !file.hasFailed
      ? MediaError(
        .damaged, about: file.path,
        "its container can't be followed from byte \(place) on; give an intact copy")
      : MediaError(
        .inputUnreadable, about: file.path, "reading failed at byte \(place); check the disk")
  }

  /// Whether the container states its length; only then ``isCut`` means anything.
  var statesExtent: Bool {
    switch format.input?.extent {
    case .boxes: return movie != nil
    case .lastPage: return true
    case .segment: return segment?.isOpen == false
    case nil: return false
    }
  }

  /// Whether the file is shorter than its container states.
  var isCut: Bool {
    switch format.input?.extent {
    case .boxes: return movie?.isTruncated == true
    case .lastPage:
      // A link of a chain that another one follows ends where that begins.
      if file.isFollowed { return false }
      let start = max(0, file.size - Int64(OggPage.tail))
      return OggPage.isCut(file.bytes(at: start, count: OggPage.tail))
    case .segment: return segment?.isCut == true
    case nil: return headers.aiff?.isCut == true
    }
  }

  /// Makes sure that the file is the one that was opened.
  /// - Throws: ``MediaError`` of kind `inputUnreadable` when it was changed meanwhile.
  func checkUnchanged() throws {
    guard file.hasChanged else { return }
    throw MediaError(
      .inputUnreadable, about: file.path,
      "changed while it was read; run again when it is complete")
  }

  /// Ticks that `stream` lasts, as its container states it; `nil` when it doesn't.
  ///
  /// libavformat takes the end of fragments for a length, too. If either begins late, as what is recorded of a running
  /// stream does, the time before its first packet is no part of it.
  func statedLength(of stream: StreamInfo) -> Int64? {
    // All ones stand for a length that isn't known (ISO/IEC 14496-12, 8.4.2.3).
    if format.input?.extent == .boxes, stream.duration == Int64(UInt32.max) { return nil }
    // libavformat takes what a fact chunk leaves open for a length.
    if headers.riff?.isFactOpen == true, !stream.codecTraits.isPlain { return nil }
    // Its ticks are samples.
    if let samples = headers.aiff?.samples(stream) { return samples }
    let isEnd = movie?.isFragmented == true || format.input?.statesEnd == true
    let start = isEnd ? max(0, stream.startTime ?? 0) : 0
    return stream.duration.map { max(0, $0 - start) }
  }

  /// The stream in the pages of Ogg; `nil` for other containers, in a chain, and for sound of other kinds.
  func oggStream(of stream: StreamInfo) -> OggStream? {
    guard format.input?.extent == .lastPage else { return nil }
    if let known = oggStreams[stream.index] { return known }
    let found = OggStream(file, index: stream.index)
    oggStreams[stream.index] = .some(found)
    return found
  }

  /// The MP4 track behind a stream, if any.
  package func track(of stream: StreamInfo) -> TrackFacts? {
    movie?.tracks.first { $0.id == stream.id }
  }

  /// The layout that `chnl` states for a track in MP4, which libavformat reads from version 60 on only.
  func statedLayout(of stream: StreamInfo) -> ChannelLayout? {
    guard case .positions(let numbers) = track(of: stream)?.channelLayout?.layout else {
      return nil
    }
    return ChannelPositions.layout(of: numbers)
  }

  /// The coding of another track's sound in space that isn't decoded; `nil` where there is none beside `stream`.
  package func spatialCoding(beside stream: StreamInfo) -> String? {
    streams.first { $0.kind == .audio && $0.index != stream.index && $0.spatialCoding != nil }?
      .spatialCoding
  }

  /// Whether a track in MP4 says that it is binaural.
  func isBinaural(_ stream: StreamInfo) -> Bool { track(of: stream)?.channelTag == .binaural }

  /// Opens the local file at `path`; URLs are refused by name.
  /// - Throws: ``MediaError`` when it is missing, no regular file, or a URL.
  package static func locate(_ path: String) throws -> LocalFile {
    if let scheme = scheme(of: path) {
      throw MediaError(
        .unsupportedFeature, about: path,
        "reading by \(scheme): URL isn't supported; download the file and give its path")
    }
    return try LocalFile(path: path)
  }

  private static func scheme(of path: String) -> Substring? {
    guard let end = path.firstRange(of: "://") else { return nil }
    let scheme = path[..<end.lowerBound]
    let isScheme = scheme.first?.isLetter == true && scheme.allSatisfy { $0.isASCII && $0 != "/" }
    return isScheme ? scheme : nil
  }
}

extension MediaFile {
  /// Everything the file states about start-up samples and padding of `stream`.
  package func gaplessFacts(of stream: StreamInfo) -> GaplessFacts {
    var facts = GaplessFacts(
      container: format, codec: stream.codecTraits, profile: stream.profile)
    // The frames of IAMF say themselves what is trimmed; an edit list only repeats it.
    if stream.codec != CodecTraits.iamf.name, let movie, let track = track(of: stream) {
      facts.edits = track.edits.map {
        GaplessFacts.Edit(duration: $0.duration, mediaTime: $0.mediaTime)
      }
      facts.movieTimescale = movie.timescale
      facts.mediaTimescale = track.mediaTimescale
      let length = track.mediaLength ?? fragmentsLength(of: track)
      (facts.mediaDuration, facts.hasEvenSamples) = (length?.ticks, length?.isEven != false)
    }
    facts.pageSamples = oggStream(of: stream)?.samples
    if format.statesSampleMD5, let info = FLACStreamInfo(stream.extradata), info.samples > 0 {
      facts.streamSamples = info.samples
    }
    facts.packetTable = headers.caf?.packetTable
    facts.factSamples = headers.riff?.factSamples
    facts.commonSamples = headers.aiff.flatMap { $0.isCut ? nil : $0.samples(stream) }
    facts.isByLibAV = metadata["encoder"]?.hasPrefix("Lavf") == true
    facts.iTunSMPB = metadata["itunsmpb"] ?? stream.metadata["itunsmpb"]
    if stream.sound.initialPadding > 0 { facts.codecDelay = stream.sound.initialPadding }
    facts.opusPreSkip = MediaFile.opusPreSkip(stream.extradata)
    return facts
  }

  /// When the last fragment of `track` ends; `nil` for a movie without fragments.
  private func fragmentsLength(of track: TrackFacts) -> MediaLength? {
    guard movie?.isFragmented == true else { return nil }
    let source = file.source
    return FragmentedMovieReader(source)?.length(ofTrack: track.id)
  }

  /// Earliest time, on the presentation timeline, at which any other stream with pictures begins; `nil`
  /// when there is none.
  package func earliestOtherStart(than stream: StreamInfo) -> MediaTime? {
    let others = streams.filter { $0.kind == .video && $0.index != stream.index }
    return others.compactMap { other -> MediaTime? in
      guard let start = other.startTime else { return nil }
      let shift = editShift(of: other)
      let base = other.timeBase
      let (moved, isFar) = start.addingReportingOverflow(shift)
      let (ticks, isFarther) = moved.multipliedReportingOverflow(by: base.numerator)
      guard !isFar, !isFarther else { return nil }
      return MediaTime(ticks: ticks, rate: base.denominator)
    }.min()
  }

  /// Ticks of the stream by which its edit list moves it on the presentation timeline; 0 without one.
  package func editShift(of stream: StreamInfo) -> Int64 {
    track(of: stream).map { MediaFile.editShift($0, movie?.timescale ?? 1) } ?? 0
  }

  /// Media ticks by which an edit list moves a track on the presentation timeline.
  private static func editShift(_ track: TrackFacts, _ movieTimescale: Int64) -> Int64 {
    var shift: Int64 = 0
    for edit in track.edits {
      // A hostile file must not cause a trap. Its times have no right answer, so wrapping around is enough.
      guard edit.mediaTime < 0 else { return shift &- edit.mediaTime }
      shift &+= MediaTime.rescale(edit.duration, by: track.mediaTimescale, over: movieTimescale)
    }
    return shift
  }

  /// Pre-skip of an Opus header at 48 kHz (RFC 7845, section 5.1); `nil` for another codec's header.
  private static func opusPreSkip(_ header: [UInt8]) -> Int? {
    guard header.count >= 19, header.starts(with: Array("OpusHead".utf8)) else { return nil }
    return Int(header[10]) | Int(header[11]) << 8
  }
}

extension MediaFile {
  /// Whether a track holds audio objects.
  ///
  /// E-AC-3 states them in its header (joint object coding); those of TrueHD and DTS are `undecoded`.
  func objects(
    of stream: StreamInfo, header: DolbyHeader?, undecoded: ProgrammeFacts.Undecoded?
  ) -> ProgrammeFacts.Presence {
    switch stream.codecTraits.objects {
    case .never: return .no
    case .inMajorSync, .afterLosslessLayer: return undecoded == nil ? .no : .yes
    case .inHeader:
      let complexity = track(of: stream)?.objectComplexity ?? header?.objectComplexity
      let fromHeader = header?.objectComplexity ?? 0
      guard let complexity else { return .unknown }
      return max(complexity, fromHeader) > 0 ? .yes : .no
    }
  }
}
