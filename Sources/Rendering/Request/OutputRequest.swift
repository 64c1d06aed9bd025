// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness
import MediaIn

/// One output: its place, its sound, and what it carries besides the sound.
public struct OutputRequest: Sendable, Hashable, Codable {
  /// How the output comes about.
  public enum Work: Sendable, Hashable, Codable {
    /// The sound is rendered and stored in a container.
    case render(Rendition, Container)
    /// The coded frames of the source are stored as they are.
    case copy(CopyContainer)
  }

  /// The container that coded frames are copied into.
  public struct CopyContainer: Sendable, Hashable {
    /// Kind of the container.
    public let kind: ContainerKind
    /// Least length of a fragment or segment; `nil` where there are none.
    public let fragmentDuration: TimeSpec?
    /// Whether each segment of HLS is a file.
    public let hasSegmentFiles: Bool

    /// A container of `kind`; `nil` takes the usual length of fragments or segments.
    public init(
      _ kind: ContainerKind, fragmentDuration: TimeSpec? = nil, hasSegmentFiles: Bool = false
    ) {
      let output = kind.traits.output
      self.kind = kind
      self.fragmentDuration = output?.fragment.map { fragmentDuration ?? $0 }
      self.hasSegmentFiles = hasSegmentFiles && output?.isSeveralFiles == true
    }
  }

  /// Destination of the output.
  public var location: MediaLocation
  /// Whether its sound is rendered or copied.
  public var work: Work
  /// Parts that it carries besides the sound.
  public var carriage = Carriage()
  /// The items of a queue that go into it; `nil` is the whole programme.
  public var items: ItemSpan?
  /// The place of its sound among several tracks of one file; `nil` where it is the only rendered one. A run sets it, so that it stands in no
  /// JSON.
  package var part: TrackPart?
  /// Whether somebody reads the report, in which sound and copied tracks have SHA-256 of their bytes; it takes a fifth of the time of a copy,
  /// an eighth of a render of stereo, and stands in no JSON.
  package var statesDigests = true

  private enum CodingKeys: CodingKey {
    case location, work, carriage, items
  }

  /// An output at `location` whose sound is rendered.
  public init(
    _ location: MediaLocation, _ rendition: Rendition = Rendition(),
    container: Container = Container(.wav)
  ) {
    self.location = location
    work = .render(rendition, container)
  }

  /// An output at `location` that holds the source's coded frames.
  public init(_ location: MediaLocation, copyInto container: CopyContainer) {
    self.location = location
    work = .copy(container)
  }

  /// How the sound is made; `nil` for a copy.
  public var rendition: Rendition? {
    if case .render(let rendition, _) = work { return rendition }
    return nil
  }

  /// The container of rendered sound; `nil` for a copy.
  public var container: Container? {
    if case .render(_, let container) = work { return container }
    return nil
  }

  /// Whether coded frames are copied.
  public var isCopy: Bool { container == nil }
}

// JSON of requests is a contract: the container's token is its only key.
extension OutputRequest.CopyContainer: Codable {
  private enum Keys: String, CodingKey { case fragmentDuration, segmentDuration, hasSegmentFiles }

  /// Reads `{"mp4":{}}`, `{"fmp4":{"fragmentDuration":…}}` or `{"hls":{"hasSegmentFiles":…,"segmentDuration":…}}`.
  public init(from decoder: any Decoder) throws {
    let kinds = try decoder.container(keyedBy: ContainerToken.self)
    let kind = try kinds.onlyKind(of: Self.self)
    let values = try kinds.nestedContainer(keyedBy: Keys.self, forKey: ContainerToken(kind))
    if kind.traits.output?.isSeveralFiles == true {
      self.init(
        kind, fragmentDuration: try values.decode(TimeSpec.self, forKey: .segmentDuration),
        hasSegmentFiles: try values.decode(Bool.self, forKey: .hasSegmentFiles))
    } else if kind.traits.output?.fragment != nil {
      self.init(
        kind, fragmentDuration: try values.decode(TimeSpec.self, forKey: .fragmentDuration))
    } else if kind.traits.output?.takesCopies == true {
      self.init(kind)
    } else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "Coded frames aren't copied into \(kind.traits.name)."))
    }
  }

  /// Writes the same.
  public func encode(to encoder: any Encoder) throws {
    var kinds = encoder.container(keyedBy: ContainerToken.self)
    var values = kinds.nestedContainer(keyedBy: Keys.self, forKey: ContainerToken(kind))
    if kind.traits.output?.isSeveralFiles == true {
      try values.encode(fragmentDuration, forKey: .segmentDuration)
      try values.encode(hasSegmentFiles, forKey: .hasSegmentFiles)
    } else {
      try values.encodeIfPresent(fragmentDuration, forKey: .fragmentDuration)
    }
  }
}

/// The parts of an output besides the sound, as far as its container can hold them.
public struct Carriage: Sendable, Hashable, Codable {
  /// The source of subtitles.
  public enum Subtitles: Sendable, Hashable, Codable {
    /// From the input.
    case copied
    /// No subtitles.
    case dropped
    /// From this file, instead of the input's own.
    case file(String)
  }

  /// Tracks of sound that are copied beside the rendered one.
  public enum KeptAudio: Sendable, Hashable, Codable {
    /// All into Matroska, unless its name is one for sound alone or the input holds nothing but one track; none into anything else.
    case automatic
    /// All of the input's.
    case all
    /// No other track.
    case none
    /// Tracks in one of these languages (ISO 639 codes).
    case languages([String])

    /// Parses `all`, `none`, or codes of languages with commas between.
    /// - Throws: ``MediaError`` of kind `usage` for any other text.
    public init(_ text: String) throws {
      let codes = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      switch text {
      case "all": self = .all
      case "none": self = .none
      case _ where codes.allSatisfy { LanguageTag($0) != nil }: self = .languages(codes)
      default:
        throw MediaError(
          .usage, "\(setting: .keptAudio) \(text): give all, none, or languages such as en,de")
      }
    }

    /// Whether a track in `language` is copied.
    func takes(_ language: String, byDefault: Bool) -> Bool {
      switch self {
      case .automatic: return byDefault
      case .all: return true
      case .none: return false
      case .languages(let codes): return codes.contains { LanguageCodes.serves(language, $0) }
      }
    }
  }

  /// Tracks of sound that are copied beside the rendered one.
  public var keptAudio = KeptAudio.automatic
  /// Whether descriptive tags and a cover picture are wanted.
  public var keepsMetadata = true
  /// Whether video is wanted.
  public var keepsVideo = true
  /// Whether chapters are wanted.
  public var keepsChapters = true
  /// A file for the chapters beside the output: a cue sheet (.cue), JSON for podcasts (.json) or labels (.txt);
  /// `nil` for none.
  public var chaptersFile: String?
  /// Subtitles that are wanted.
  public var subtitles = Subtitles.copied
  /// Tags that are set besides those of the input, in order: each takes the place of all values of its name, and an empty one removes
  /// them.
  public var tags: [Tag] = []
  /// A JPEG or PNG file that takes the place of the input's front covers; `nil` for none.
  public var cover: String?

  /// A tag that is set.
  public struct Tag: Sendable, Hashable, Codable {
    /// Name as ffmpeg and Vorbis comments have it, such as `artist`.
    public var name: String
    /// Value; empty removes the tag.
    public var value: String

    /// A tag of a name and a value.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Everything that the container can hold.
  public init() {}

  private enum CodingKeys: CodingKey {
    case keepsMetadata, keepsVideo, keepsChapters, chaptersFile, subtitles, keptAudio, tags, cover
  }

  /// Reads what JSON says; requests of earlier versions say nothing of other tracks.
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    keepsMetadata = try values.decode(Bool.self, forKey: .keepsMetadata)
    keepsVideo = try values.decode(Bool.self, forKey: .keepsVideo)
    keepsChapters = try values.decode(Bool.self, forKey: .keepsChapters)
    chaptersFile = try values.decodeIfPresent(String.self, forKey: .chaptersFile)
    subtitles = try values.decode(Subtitles.self, forKey: .subtitles)
    keptAudio = try values.decodeIfPresent(KeptAudio.self, forKey: .keptAudio) ?? .automatic
    tags = try values.decodeIfPresent([Tag].self, forKey: .tags) ?? []
    cover = try values.decodeIfPresent(String.self, forKey: .cover)
  }

  /// Writes all but what is as usual and was added later.
  /// - Throws: `EncodingError`.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(keepsMetadata, forKey: .keepsMetadata)
    try values.encode(keepsVideo, forKey: .keepsVideo)
    try values.encode(keepsChapters, forKey: .keepsChapters)
    try values.encodeIfPresent(chaptersFile, forKey: .chaptersFile)
    try values.encode(subtitles, forKey: .subtitles)
    if keptAudio != .automatic { try values.encode(keptAudio, forKey: .keptAudio) }
    if !tags.isEmpty { try values.encode(tags, forKey: .tags) }
    try values.encodeIfPresent(cover, forKey: .cover)
  }

  /// The file that subtitles come from; `nil` where it is the input.
  package var subtitleFile: String? {
    if case .file(let path) = subtitles { return path }
    return nil
  }
}

/// Items of a queue that follow each other, counted from 1.
public struct ItemSpan: Sendable, Hashable, Codable {
  /// Number of the first item.
  public var first: Int
  /// Number of the last item.
  public var last: Int

  /// The items from `first` to `last`.
  public init(_ first: Int, _ last: Int) {
    self.first = first
    self.last = last
  }
}

extension PlaybackLayout {
  /// Layout that an input is played on that is decoded once for all of `outputs`.
  init(_ outputs: [OutputRequest]) {
    let renditions = outputs.compactMap { output -> Rendition? in
      guard case .render(let rendition, _) = output.work else { return nil }
      return rendition
    }
    let layouts = Set(renditions.map(\.loudspeakers))
    guard layouts.count <= 1 else {
      self = .several
      return
    }
    guard let layout = layouts.first ?? nil else {
      self = .all
      return
    }
    self = .only(layout, followsFile: renditions.allSatisfy { $0.downmix == .stream })
  }
}

extension OutputRequest {
  /// Whether it must be known to which loudspeakers the programme's channels belong: not where all of them go into WAV at
  /// the level that they have.
  var needsPlaces: Bool {
    guard case .render(let rendition, let container) = work,
      case .channels(nil) = rendition.endpoint, rendition.largestLayout == nil
    else { return true }
    return rendition.level != nil
      || container.kind.traits.output?.takesUnplacedChannels != true
  }
}

extension Rendition {
  /// The loudspeakers that plain channels are made for; `nil` where HRTF needs all channels, where they are kept, and
  /// where an LFE is mixed in that the file's own mixes lack.
  fileprivate var loudspeakers: ChannelLayout? {
    if case .gain = lfe { return nil }
    if case .channels(let layout) = endpoint { return layout ?? largestLayout }
    return endpoint.hrtf == nil ? .stereo : nil
  }
}
