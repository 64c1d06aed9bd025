import AudioCore
import ISOBMFF
import LibAV

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
    let source = ByteSource(size: file.size) { [file] in file.bytes(at: $0, count: $1) }
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
