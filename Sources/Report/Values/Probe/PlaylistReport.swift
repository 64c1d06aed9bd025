extension ProbeReport {
  /// The contents of HTTP Live Streaming playlists (RFC 8216).
  public struct Playlist: Sendable, Codable, Equatable {
    /// One variant stream.
    public struct Variant: Sendable, Codable, Equatable {
      /// URI of its media playlist, as written.
      public var uri: String
      /// Peak bit rate in bits a second.
      public var bandwidth: Int64
      /// The `CODECS` attribute, as written.
      public var codecs: String?
      /// Group of its audio renditions.
      public var audioGroup: String?

      /// A variant.
      public init(uri: String, bandwidth: Int64, codecs: String?, audioGroup: String?) {
        self.uri = uri
        self.bandwidth = bandwidth
        self.codecs = codecs
        self.audioGroup = audioGroup
      }
    }

    /// One audio rendition.
    public struct Rendition: Sendable, Codable, Equatable {
      /// Its group.
      public var group: String
      /// Its name.
      public var name: String
      /// Language tag.
      public var language: String?
      /// Number of channels, as written.
      public var channels: String?
      /// Whether a player takes it unless the listener chooses another.
      public var isDefault: Bool
      /// URI of its media playlist, as written; `nil` when its sound is part of the variants'
      /// streams.
      public var uri: String?

      /// A rendition.
      public init(
        group: String, name: String, language: String?, channels: String?, isDefault: Bool,
        uri: String?
      ) {
        self.group = group
        self.name = name
        self.language = language
        self.channels = channels
        self.isDefault = isDefault
        self.uri = uri
      }
    }

    /// Successive segments with one container and one clock, or successive missing ones.
    public struct Section: Sendable, Codable, Equatable {
      /// Number of the first one, counted from 0.
      public var firstSegment: Int
      /// How many there are.
      public var segments: Int
      /// Duration in seconds, by the playlist.
      public var seconds: Double
      /// Whether the playlist itself marks its segments as missing.
      public var isGap: Bool

      /// A section.
      public init(firstSegment: Int, segments: Int, seconds: Double, isGap: Bool) {
        self.firstSegment = firstSegment
        self.segments = segments
        self.seconds = seconds
        self.isGap = isGap
      }
    }

    /// Variants; empty when a media playlist was given.
    public var variants: [Variant]
    /// Audio renditions.
    public var renditions: [Rendition]
    /// Sections of the chosen media playlist.
    public var sections: [Section]

    /// The content of playlists.
    public init(variants: [Variant], renditions: [Rendition], sections: [Section]) {
      self.variants = variants
      self.renditions = renditions
      self.sections = sections
    }
  }
}
