// SPDX-License-Identifier: Apache-2.0

/// The facts about a programme besides its samples.
public struct ProgrammeFacts: Sendable, Hashable, Codable {
  /// Whether something is there, as far as the file tells.
  public enum Presence: String, Hashable, ReportWord {
    /// Present.
    case yes
    /// Absent.
    case no
    /// The file doesn't say.
    case unknown
  }

  /// Objects and channels of a bitstream beside those that its decoder gives.
  public struct Undecoded: Sendable, Hashable, Codable {
    /// The coding's name, e.g. `TrueHD with Dolby Atmos`.
    public var coding: String
    /// Number of objects that can move; 0 for loudspeaker channels alone, `nil` where the bitstream doesn't state it.
    public var objects: Int?
    /// Number of its coded channels, objects included; `nil` where the bitstream doesn't state it.
    public var channels: Int?

    /// A coding from its values.
    public init(coding: String, objects: Int? = nil, channels: Int? = nil) {
      self.coding = coding
      self.objects = objects
      self.channels = channels
    }

    /// Its contents in words, e.g. `11 objects in TrueHD with Dolby Atmos`.
    package var contents: String {
      switch (objects, channels) {
      case (0?, let channels?): "\(channels) loudspeaker channels in \(coding)"
      case (1?, _): "1 object in \(coding)"
      case (let objects?, _): "\(objects) objects in \(coding)"
      case (nil, _): "audio objects in \(coding)"
      }
    }
  }

  /// Dialogue normalisation of the bitstream: level of the dialogue in dB relative to full scale.
  public var dialnorm: Double?
  /// How loud the programme is on some layouts; `nil` where the format has no place for it.
  public var loudness: [StatedLoudness]?
  /// Whether the bitstream carries dynamic range control that could be applied; `nil` where the codec
  /// has none.
  public var hasDynamicRange: Bool?
  /// Mix to two channels that the bitstream states at the point where decoding begins; `nil`
  /// when it states none.
  public var downmix: CarriedDownmix?
  /// Whether it was decoded to fewer channels than the file holds, by a mix of the file's own; `nil` where it wasn't.
  public var isMixedByFile: Bool?
  /// Endpoint that the programme was virtualised for before; `nil` when nothing says that it was.
  public var virtualization: Virtualization?
  /// Whether headphones get a bed of two channels as it is, because the file says so; `nil` where it says nothing.
  public var isPlainOnHeadphones: Bool?
  /// Language of the track as an ISO 639 code, where the container says.
  public var language: String?
  /// Whether the bitstream holds audio objects, decoded or not.
  public var objects: Presence
  /// Objects and channels that aren't decoded; `nil` where nothing shows that there are any.
  public var undecoded: Undecoded?
  /// Planes that hold nothing but dialogue, as the file says (kind of content, ITU-R BS.2076-2, 5.7.3); `nil` where it calls
  /// none so.
  public var dialogue: [Int]?

  /// Facts from their values.
  public init(
    dialnorm: Double? = nil, loudness: [StatedLoudness]? = nil, hasDynamicRange: Bool? = nil,
    downmix: CarriedDownmix? = nil, isMixedByFile: Bool? = nil,
    virtualization: Virtualization? = nil,
    isPlainOnHeadphones: Bool? = nil, language: String? = nil, objects: Presence = .no,
    dialogue: [Int]? = nil
  ) {
    self.dialnorm = dialnorm
    self.loudness = loudness
    self.hasDynamicRange = hasDynamicRange
    self.downmix = downmix
    self.isMixedByFile = isMixedByFile
    self.virtualization = virtualization
    self.isPlainOnHeadphones = isPlainOnHeadphones
    self.language = language
    self.objects = objects
    self.dialogue = dialogue
  }
}

/// The endpoint that a virtualised programme is made for.
public enum Virtualization: String, Sendable, Hashable, Codable, CaseIterable {
  /// Headphones.
  case binaural
  /// Two loudspeakers ahead.
  case speakers
}

extension Virtualization {
  /// The mark that states it in a WAV file's coding history or in the name of an MP4 file's
  /// encoder.
  package var mark: String { "virtualized=\(rawValue)" }

  /// Virtualisation of a source according to its tags; `nil` when they don't state it.
  package static func stated(by tags: MediaTags) -> Virtualization? {
    // WAV states it in its coding history, MP4 in the `encoder` tag, FLAC and Ogg in `encoded_by`.
    let said = ["coding_history", "encoder", "encoded_by"].flatMap { tags.values($0) }
      .joined(separator: " ")
    return allCases.first { said.contains($0.mark) }
  }
}

/// How loud a programme is on one layout, as its file says.
public struct StatedLoudness: Sendable, Hashable, Codable {
  /// Why a figure isn't used.
  public enum Doubt: String, Sendable, Hashable, Codable, CaseIterable {
    /// Loudness and peak are 0, which writers put where they measured nothing.
    case placeholder
    /// No programme can be that loud.
    case implausible
  }

  /// The loudspeakers; `nil` for headphones.
  public var layout: ChannelLayout?
  /// Integrated loudness, LUFS.
  public var integrated: Double
  /// Why the figure isn't used; `nil` where it is.
  public var doubt: Doubt?
  /// Whether it is that of the file's own downmix, which isn't what Pinna renders for this layout.
  public var isOfOwnDownmix: Bool

  /// A loudness from its values.
  public init(
    layout: ChannelLayout?, integrated: Double, doubt: Doubt? = nil, isOfOwnDownmix: Bool = false
  ) {
    self.layout = layout
    self.integrated = integrated
    self.doubt = doubt
    self.isOfOwnDownmix = isOfOwnDownmix
  }
}

/// The mix to two channels that a programme's bitstream describes.
public struct CarriedDownmix: Sendable, Hashable, Codable {
  /// The mix that the programme prefers.
  public enum Method: String, Sendable, Hashable, Codable, CaseIterable {
    /// Lo/Ro, also where the bitstream prefers nothing.
    case loRo
    /// Lt/Rt.
    case ltRt
    /// Lt/Rt for Pro Logic II.
    case proLogicII
  }

  /// The part of the bitstream that describes the mix, by its name in the standard.
  public enum Source: String, Sendable, Hashable, Codable, CaseIterable {
    /// AC-3: `cmixlev` and `surmixlev` of `bsi` (ETSI TS 102 366, 4.3.2).
    case plain = "bsi"
    /// AC-3 in the alternate syntax: `xbsi1` (ETSI TS 102 366, annex D).
    case alternate = "xbsi1"
    /// E-AC-3: `mixmdate` (ETSI TS 102 366, E.1.2.3).
    case mixing = "mixmdata"
    /// AC-4 of bitstream versions 0 and 1 (ETSI TS 103 190-1, 4.2.14.2).
    case substream = "stereo_dmx_coeff"
    /// AC-4 of bitstream version 2 (ETSI TS 103 190-2, 6.2.2.2).
    case presentation = "custom_dmx_data"
  }

  /// Linear gains of one mix.
  public struct Gains: Sendable, Hashable, Codable {
    /// Gain of the centre, at least 0.
    public var center: Double
    /// Gain of each surround channel, at least 0.
    public var surround: Double
    /// Gain of the whole mix that corrects its loudness, at least 0; 1 where none is sent.
    public var correction: Double

    /// Gains of the centre, each surround channel and the whole mix.
    public init(center: Double, surround: Double, correction: Double = 1) {
      self.center = center
      self.surround = surround
      self.correction = correction
    }
  }

  /// The part of the bitstream that describes the mix.
  public let source: Source
  /// The mix that is preferred.
  public let preferred: Method
  /// Gains of Lo/Ro.
  public let loRo: Gains
  /// Gains of Lt/Rt and Pro Logic II.
  public let ltRt: Gains
  /// Level in dB at which the LFE is added to both sides; `nil` leaves the LFE out.
  public let lfeLevel: Double?
  /// Whether a wide or height pair is added to the surrounds instead of to left and right (`add_ch_base`
  /// of AC-4); `nil` where the codec has no such rule.
  public let addsToSurrounds: Bool?

  /// The mix that the part `source` of a bitstream describes.
  public init(
    _ source: Source, preferred: Method, loRo: Gains, ltRt: Gains, lfeLevel: Double?,
    addsToSurrounds: Bool? = nil
  ) {
    self.source = source
    self.preferred = preferred
    self.loRo = loRo
    self.ltRt = ltRt
    self.lfeLevel = lfeLevel
    self.addsToSurrounds = addsToSurrounds
  }
}
