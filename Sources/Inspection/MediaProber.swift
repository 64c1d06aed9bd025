// SPDX-License-Identifier: Apache-2.0
import AudioCore
import IAMF
import ISOBMFF
import LibAV
import MediaIn
import Rendering
import Report

/// Reports what a file holds without rendering it.
public struct MediaProber: Sendable {
  /// How files are opened and decoded.
  public var decoding = InputOptions()

  /// A prober with the default settings.
  public init() {}

  /// Reads the headers of the file at `path`; with `deep` also decodes the chosen track to its end.
  ///
  /// A track that can't be decoded is a `refusal` in the report, not an error.
  /// - Throws: ``MediaError`` when the file itself can't be opened.
  public func probe(path: String, deep: Bool = false) throws -> ProbeReport {
    LibAVLog.install()
    let log = DiagnosticLog()
    let input = try MediaInput(
      path: path, track: decoding.track, bounds: decoding.bounds, log: log)
    let media = try TrackSource.openFirst(of: input, decoding: decoding)
    var report = ProbeReport(
      path: input.name, container: InputFacts.container(input, media),
      streams: MediaProber.streams(media),
      chapters: media.chapters.map {
        ProbeReport.Chapter(
          start: $0.start.milliseconds, end: $0.end.milliseconds, title: $0.title)
      })
    // A file whose length is a guess states none.
    let isGuess = media.container?.durationIsEstimated == true
    report.seconds = isGuess ? nil : media.container?.seconds
    report.bytes = input.presentation == nil ? media.file.size : nil
    do {
      report.track = try track(input, media, deep, log)
    } catch {
      let failure = MediaError(any: error, input: input.name)
      report.refusal = RenderReport.Failure(
        kind: failure.kind.rawValue, message: failure.message)
    }
    report.playlist = input.presentation.map(MediaProber.playlist)
    report.degradations = log.degradations
    report.decisions = log.decisions
    return report
  }

  private func track(
    _ input: MediaInput, _ media: MediaFile, _ deep: Bool, _ log: DiagnosticLog
  ) throws -> ProbeReport.Track {
    let source = try TrackSource(input: input, media: media, decoding: decoding, log: log)
    var (samples, end) = (source.declaredSamples, source.declaredEnd)
    if deep {
      try source.forEachBlock { _ in }
      (samples, end) = (source.summary.valid, source.plan.paddingSource)
    }
    return ProbeReport.Track(
      input: try InputFacts.report(source, of: input),
      priming: RenderReport.Timeline.Priming(
        samples: source.plan.priming, source: source.plan.primingSource ?? .unknown),
      paddingSource: end.rawValue, samples: samples,
      virtualized: source.programme.facts.virtualization != nil,
      presentations: MediaProber.presentations(source.first.reader.track),
      mixes: MediaProber.mixes(source.first.reader.track),
      loudness: media.track(of: source.first.reader.track.stream)?.loudness.map(
        ProbeReport.Loudness.init))
  }

  private static func playlist(_ presentation: StreamPresentation) -> ProbeReport.Playlist {
    ProbeReport.Playlist(
      variants: presentation.variants.map {
        ProbeReport.Playlist.Variant(
          uri: WebSecrets.hidden(reference: $0.uri), bandwidth: $0.bandwidth, codecs: $0.codecs,
          audioGroup: $0.audioGroup)
      },
      renditions: presentation.renditions.map {
        ProbeReport.Playlist.Rendition(
          group: $0.group, name: $0.name, language: $0.language, channels: $0.channels,
          isDefault: $0.isDefault, uri: $0.uri.map { WebSecrets.hidden(reference: $0) })
      },
      sections: presentation.sections.map {
        ProbeReport.Playlist.Section(
          firstSegment: $0.firstSegment, segments: $0.segmentCount,
          seconds: Double($0.duration) / 1e9, isGap: $0.isGap)
      })
  }

  /// The presentations of a track; `nil` for codecs without them.
  private static func presentations(
    _ track: TrackDescription
  ) -> [ProbeReport.Presentation]? {
    guard !track.presentations.isEmpty else { return nil }
    return track.presentations.map { facts in
      ProbeReport.Presentation(
        index: facts.index, id: facts.id, channels: facts.channels,
        immersiveStereo: facts.isImmersiveStereo, objects: facts.hasObjects,
        languages: facts.languages, frameRate: facts.frameRate,
        dialnorm: facts.dialnorm, integrated: facts.integrated,
        truePeak: facts.truePeak, dynamicRange: facts.hasDynamicRange,
        dialogueEnhancement: facts.hasDialogueEnhancement)
    }
  }

  /// The mixes of a track; `nil` for codecs without them.
  private static func mixes(_ track: TrackDescription) -> [ProbeReport.Mix]? {
    track.mixes.isEmpty ? nil : track.mixes.map(ProbeReport.Mix.init)
  }

  private static func streams(_ media: MediaFile) -> [ProbeReport.Stream] {
    var sounds = 0
    return media.streams.map { info in
      var stream = stream(info)
      if info.kind == .audio {
        stream.audioNumber = sounds
        sounds += 1
      }
      return stream
    }
  }

  private static func stream(_ info: StreamInfo) -> ProbeReport.Stream {
    let isAudio = info.kind == .audio
    let seconds = info.duration.map {
      Double($0 * info.timeBase.numerator) / Double(info.timeBase.denominator)
    }
    var stream = ProbeReport.Stream(
      index: info.index, kind: info.kind, codec: info.codec, profile: info.profile,
      layout: isAudio && info.sound.channels > 0
        ? info.sound.layout?.name ?? info.sound.channels.counted("channel", "channels") : nil,
      rate: isAudio && info.sound.sampleRate > 0 ? info.sound.sampleRate : nil,
      language: info.language,
      title: info.metadata["title"], isDefault: info.isDefault, dispositions: info.dispositions,
      seconds: seconds)
    stream.bitRate = info.bitRate
    stream.pictures = info.picture.map { picture in
      let rate = picture.frameRate.map { Double($0.numerator) / Double($0.denominator) }
      return ProbeReport.Pictures(width: picture.width, height: picture.height, rate: rate)
    }
    return stream
  }
}

extension ProbeReport.Loudness {
  /// The figures of a box.
  init(_ box: LoudnessBox) {
    self.init(track: box.track.map(Figures.init), album: box.album.map(Figures.init))
  }
}

extension ProbeReport.Loudness.Figures {
  fileprivate init(_ loudness: TrackLoudness) {
    self.init()
    (integrated, momentaryMax) = (loudness.integrated, loudness.momentaryMax)
    (shortTermMax, range) = (loudness.shortTermMax, loudness.range)
    (truePeak, samplePeak) = (loudness.truePeak, loudness.samplePeak)
  }
}

extension ProbeReport.Mix {
  /// The mix of a track that has these facts.
  init(_ facts: MixFacts) {
    self.init(
      id: facts.id, names: facts.names.map(Name.init), language: facts.language,
      parts: facts.parts.map(Part.init),
      tags: facts.tags.map { Tag(name: $0.name, value: $0.value) }, chosen: facts.isChosen,
      refusal: facts.refusal)
  }
}

extension ProbeReport.Mix.Name {
  fileprivate init(_ name: MixFacts.Name) { self.init(language: name.language, text: name.text) }
}

extension ProbeReport.Mix.Part {
  fileprivate init(_ part: MixFacts.Part) {
    self.init(
      elements: part.elements.map(ProbeReport.Mix.Element.init), gainDB: part.gain,
      loudness: part.loudness.map(ProbeReport.Mix.Loudness.init))
  }
}

extension ProbeReport.Mix.Element {
  fileprivate init(_ element: MixFacts.Element) {
    self.init(
      id: element.id, names: element.names.map(ProbeReport.Mix.Name.init), kind: "missing",
      gainDB: element.gain)
    switch element.content {
    case .channels(let names):
      kind = "channels"
      layout = names.last
      layers = names.count > 1 ? names : nil
      headphones = ProbeReport.Mix.Element.word(element.headphones)
    case .scene(let order):
      kind = "scene"
      self.order = order
    case .other: kind = "other"
    case .missing: break
    }
  }

  private static func word(_ mode: RenderingConfig.HeadphonesMode) -> String {
    switch mode {
    case .stereo: return "stereo"
    case .binaural: return "binaural"
    case .headLocked: return "head-locked"
    case .reserved: return "reserved"
    }
  }
}

extension ProbeReport.Mix.Loudness {
  fileprivate init(_ stated: LayoutLoudness) {
    let anchors = stated.anchors.map { anchor in
      ProbeReport.Mix.Anchor(
        of: [1: "dialogue", 2: "album"][anchor.element] ?? "unknown", integrated: anchor.loudness)
    }
    self.init(
      layout: stated.layout.name, integrated: stated.integrated, samplePeak: stated.digitalPeak,
      truePeak: stated.truePeak, anchors: anchors.isEmpty ? nil : anchors,
      doubt: stated.isPlaceholder ? "placeholder" : stated.isImplausible ? "implausible" : nil)
  }
}
