// SPDX-License-Identifier: Apache-2.0
extension ProbeReport {
  /// A mix presentation of an IAMF track, as the file states it.
  public struct Mix: Sendable, Codable, Equatable {
    /// A name in one language.
    public struct Name: Sendable, Codable, Equatable {
      /// Language that it is written in (BCP 47).
      public var language: String
      /// The name.
      public var text: String

      /// A name.
      public init(language: String, text: String) {
        self.language = language
        self.text = text
      }
    }

    /// An element of a mix.
    public struct Element: Sendable, Codable, Equatable {
      /// Its id.
      public var id: Int
      /// Names of the element, by language.
      public var names: [Name]
      /// `channels`, `scene` (a sound field), `other` (objects of the draft of version 2, or reserved) or `missing` (the
      /// file doesn't describe it).
      public var kind: String
      /// Layout of its highest layer, e.g. `7.1.4`, or of an expanded part, e.g. `tops of 7.1.4`; of channels only.
      public var layout: String?
      /// Layouts of all layers, the lowest first, where there are several.
      public var layers: [String]?
      /// Order of a sound field.
      public var order: Int?
      /// Rendering of its channels for headphones: `stereo` (no HRTF), `binaural`, `head-locked` or `reserved`; of channels
      /// only.
      public var headphones: String?
      /// Its gain where no parameter block says another, dB.
      public var gainDB: Double

      /// An element.
      public init(
        id: Int, names: [Name], kind: String, layout: String? = nil, layers: [String]? = nil,
        order: Int? = nil, headphones: String? = nil, gainDB: Double
      ) {
        self.id = id
        self.names = names
        self.kind = kind
        self.layout = layout
        self.layers = layers
        self.order = order
        self.headphones = headphones
        self.gainDB = gainDB
      }
    }

    /// Loudness of a part of the content.
    public struct Anchor: Sendable, Codable, Equatable {
      /// `dialogue`, `album` or `unknown`.
      public var of: String
      /// Its loudness, LUFS.
      public var integrated: Double

      /// An anchor.
      public init(of: String, integrated: Double) {
        self.of = of
        self.integrated = integrated
      }
    }

    /// How loud a mix is on one layout, as the file says.
    public struct Loudness: Sendable, Codable, Equatable {
      /// The loudspeakers, e.g. `stereo`, or `binaural` for headphones.
      public var layout: String
      /// Integrated loudness, LUFS.
      public var integrated: Double
      /// Sample peak, dBFS.
      public var samplePeak: Double
      /// True peak, dBTP.
      public var truePeak: Double?
      /// Loudness of parts of the content.
      public var anchors: [Anchor]?
      /// Why the figures aren't used: `placeholder` (both are 0) or `implausible`; missing where they are.
      public var doubt: String?

      /// A loudness.
      public init(
        layout: String, integrated: Double, samplePeak: Double, truePeak: Double? = nil,
        anchors: [Anchor]? = nil, doubt: String? = nil
      ) {
        self.layout = layout
        self.integrated = integrated
        self.samplePeak = samplePeak
        self.truePeak = truePeak
        self.anchors = anchors
        self.doubt = doubt
      }
    }

    /// Elements that are summed.
    public struct Part: Sendable, Codable, Equatable {
      /// Elements that are summed.
      public var elements: [Element]
      /// Gain of the sum where no parameter block says another, dB.
      public var gainDB: Double
      /// Stated loudness for each layout.
      public var loudness: [Loudness]

      /// A part.
      public init(elements: [Element], gainDB: Double, loudness: [Loudness]) {
        self.elements = elements
        self.gainDB = gainDB
        self.loudness = loudness
      }
    }

    /// A tag besides the language.
    public struct Tag: Sendable, Codable, Equatable {
      /// Name of the tag.
      public var name: String
      /// Value of the tag.
      public var value: String

      /// A tag.
      public init(name: String, value: String) {
        self.name = name
        self.value = value
      }
    }

    /// Its id.
    public var id: Int
    /// Names of the mix, by language.
    public var names: [Name]
    /// Language of what is heard (ISO 639-2), where stated.
    public var language: String?
    /// Sums of elements: one part but in the draft of version 2.
    public var parts: [Part]
    /// Tags besides the language.
    public var tags: [Tag]
    /// Whether a render would play it.
    public var chosen: Bool
    /// Why it can't be played; missing where it can.
    public var refusal: String?

    /// A mix.
    public init(
      id: Int, names: [Name], language: String?, parts: [Part], tags: [Tag], chosen: Bool,
      refusal: String? = nil
    ) {
      self.id = id
      self.names = names
      self.language = language
      self.parts = parts
      self.tags = tags
      self.chosen = chosen
      self.refusal = refusal
    }
  }
}
