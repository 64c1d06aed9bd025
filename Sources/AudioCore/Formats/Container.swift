// SPDX-License-Identifier: Apache-2.0

/// The container of an output, and how its sound is coded.
public struct Container: Sendable, Hashable {
  /// Kind of the container.
  public let kind: ContainerKind
  /// How the sound is coded, as far as the container has a choice.
  public let coding: OutputCoding

  /// A container of `kind` with sound coded as `coding` states; `nil` takes the usual codec.
  ///
  /// The only codec of a container is taken by itself, and settings that a container doesn't have get their defaults.
  public init(_ kind: ContainerKind, _ coding: OutputCoding? = nil) {
    let output = kind.traits.output
    let codecs = output?.codecs ?? []
    var fitted = coding ?? OutputCoding(codecs.first ?? .pcm)
    if codecs.count == 1 { fitted.codec = codecs[0] }
    let plain = OutputCoding()
    for setting in CodingSetting.allCases where output?.settings.contains(setting) != true {
      switch setting {
      case .samples: (fitted.encoding, fitted.dither) = (plain.encoding, plain.dither)
      case .bitRate: fitted.bitRate = nil
      case .encoderOptions: fitted.encoderOptions = [:]
      case .admTimes: fitted.admTimes = plain.admTimes
      case .mediaSource: fitted.isForMediaSource = false
      }
    }
    if kind == .iamf {
      fitted.iamf = fitted.iamf ?? IAMF()
    } else if output?.takesIAMF != true {
      fitted.iamf = nil
    }
    fitted.fragmentDuration = output?.fragment.map { fitted.fragmentDuration ?? $0 }
    fitted.hasSegmentFiles = fitted.hasSegmentFiles && output?.isSeveralFiles == true
    self.kind = kind
    self.coding = fitted
  }

  /// Elements of a programme that are stored as they are; `nil` for channels of loudspeakers or ears only.
  package var keeps: KeptContent? {
    (coding.iamf == nil ? kind.traits : .iamf).output?.keeps
  }

  /// Whether reading the file back gives other samples than were written.
  public var isLossy: Bool { !coding.codec.isLossless }

  /// Whether writing the file never overtakes a spool of three bytes a sample in the same file: no sample
  /// takes more, or the spool lies elsewhere.
  package var leavesPackedSpool: Bool {
    kind.traits.output?.overwritesSpool != true || coding.encoding.bytes <= 3
  }

  /// How IAMF (Eclipsa Audio) holds the sound.
  public struct IAMF: Sendable, Hashable, Codable {
    /// Layouts of the layers of a bed, each with nothing less than the one before; the last is that of the bed. A
    /// bed of one layer for none.
    public var layers: [Layer]

    /// A layout that a layer can have.
    public enum Layer: String, Sendable, Hashable, Codable, CaseIterable {
      /// One channel.
      case mono
      /// Left and right.
      case stereo
      /// Three front channels, LFE and two tops.
      case surround312 = "3.1.2"
      /// Five channels and LFE.
      case surround51 = "5.1"
      /// 5.1 and two tops.
      case surround512 = "5.1.2"
      /// 5.1 and four tops.
      case surround514 = "5.1.4"
      /// Seven channels and LFE.
      case surround71 = "7.1"
      /// 7.1 and two tops.
      case surround712 = "7.1.2"
      /// 7.1 and four tops.
      case surround714 = "7.1.4"
    }

    /// By default one layer.
    public init(layers: [Layer] = []) { self.layers = layers }
  }
}

// JSON of requests is a contract: it has the container's token as its only key, and under `_0` the settings of that kind in a
// form that later kinds don't share. A new kind has all settings of `Coding`.
extension Container: Codable {
  /// Reads `{"wav":{"_0":{…}}}`.
  public init(from decoder: any Decoder) throws {
    let kinds = try decoder.container(keyedBy: ContainerToken.self)
    let kind = try kinds.onlyKind(of: Container.self)
    let value = try kinds.nestedContainer(keyedBy: Value.self, forKey: ContainerToken(kind))
    func read<Form: ContainerForm>(_ form: Form.Type) throws -> OutputCoding {
      try value.decode(form, forKey: ._0).settings
    }
    self.init(kind, try read(kind.form))
  }

  /// Writes the same.
  public func encode(to encoder: any Encoder) throws {
    var kinds = encoder.container(keyedBy: ContainerToken.self)
    var value = kinds.nestedContainer(keyedBy: Value.self, forKey: ContainerToken(kind))
    func write<Form: ContainerForm>(_ form: Form.Type) throws {
      try value.encode(form.init(coding), forKey: ._0)
    }
    try write(kind.form)
  }

  private enum Value: String, CodingKey { case _0 }
}

/// A container's token as the key of its settings.
package struct ContainerToken: CodingKey {
  package let stringValue: String
  package var intValue: Int? { nil }

  package init(_ kind: ContainerKind) { stringValue = kind.traits.token }
  /// Keys that name no container are passed over, as those of synthesised enums are.
  package init?(stringValue: String) {
    guard ContainerKind.allCases.contains(where: { $0.traits.token == stringValue }) else {
      return nil
    }
    self.stringValue = stringValue
  }
  package init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer<ContainerToken> {
  /// The kind of the only key that there is.
  /// - Throws: `DecodingError` for any other number of keys, and for none of a kind.
  package func onlyKind(of type: any Any.Type) throws -> ContainerKind {
    guard allKeys.count == 1,
      let kind = ContainerKind.allCases.first(where: {
        $0.traits.token == allKeys[0].stringValue
      })
    else {
      throw DecodingError.typeMismatch(
        type,
        DecodingError.Context(
          codingPath: codingPath, debugDescription: "Invalid number of keys found, expected one."))
    }
    return kind
  }
}

/// Settings of some kinds of containers as JSON has them. Schemas show the names of these types.
protocol ContainerForm: Codable {
  init(_ settings: OutputCoding)
  var settings: OutputCoding { get }
}

extension ContainerKind {
  fileprivate var form: any ContainerForm.Type {
    switch self {
    case .wav, .bw64: return Container.WAV.self
    case .flac: return Container.FLAC.self
    case .ogg: return Container.Ogg.self
    case .fmp4: return Container.Movie.self
    case .hls: return Container.Stream.self
    default: return Container.Coding.self
    }
  }
}

extension Container {
  struct WAV: CodingForm {
    static let keys: [CodingKeys] = [.encoding, .dither, .admTimes]
    let settings: OutputCoding
    init(_ settings: OutputCoding) { self.settings = settings }
  }

  struct FLAC: CodingForm {
    static let keys: [CodingKeys] = [.encoding, .dither, .encoderOptions]
    let settings: OutputCoding
    init(_ settings: OutputCoding) { self.settings = settings }
  }

  struct Ogg: CodingForm {
    static let keys: [CodingKeys] = [.bitRate, .encoderOptions]
    let settings: OutputCoding
    init(_ settings: OutputCoding) { self.settings = settings }
  }

  struct Coding: CodingForm {
    static let keys = CodingKeys.allCases
    let settings: OutputCoding
    init(_ settings: OutputCoding) { self.settings = settings }
  }

  struct Movie: ContainerForm {
    let coding: Coding
    let fragmentDuration: TimeSpec

    init(_ settings: OutputCoding) {
      coding = Coding(settings)
      fragmentDuration = settings.fragmentDuration ?? .seconds(0)
    }

    var settings: OutputCoding {
      var settings = coding.settings
      settings.fragmentDuration = fragmentDuration
      return settings
    }
  }

  struct Stream: ContainerForm {
    let coding: Coding
    let segmentDuration: TimeSpec
    let hasSegmentFiles: Bool

    init(_ settings: OutputCoding) {
      coding = Coding(settings)
      segmentDuration = settings.fragmentDuration ?? .seconds(0)
      hasSegmentFiles = settings.hasSegmentFiles
    }

    var settings: OutputCoding {
      var settings = coding.settings
      settings.fragmentDuration = segmentDuration
      settings.hasSegmentFiles = hasSegmentFiles
      return settings
    }
  }
}

/// A form whose settings lie side by side under their names.
protocol CodingForm: ContainerForm {
  /// The settings that it has, in the order in which schemas name them.
  static var keys: [CodingKeys] { get }
}

extension CodingForm {
  typealias CodingKeys = OutputCoding.CodingKeys

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    var settings = OutputCoding()
    for key in Self.keys {
      switch key {
      case .codec: settings.codec = try values.decode(AudioEncoding.self, forKey: key)
      case .bitRate: settings.bitRate = try values.decodeIfPresent(Int.self, forKey: key)
      case .encoding: settings.encoding = try values.decode(SampleEncoding.self, forKey: key)
      case .dither: settings.dither = try values.decode(Dither.self, forKey: key)
      case .admTimes: settings.admTimes = try values.decode(ADMTimeForm.self, forKey: key)
      case .encoderOptions:
        settings.encoderOptions = try values.decode([String: String].self, forKey: key)
      case .iamf: settings.iamf = try values.decodeIfPresent(Container.IAMF.self, forKey: key)
      case .isForMediaSource: settings.isForMediaSource = try values.decode(Bool.self, forKey: key)
      }
    }
    self.init(settings)
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    for key in Self.keys {
      switch key {
      case .codec: try values.encode(settings.codec, forKey: key)
      case .bitRate: try values.encodeIfPresent(settings.bitRate, forKey: key)
      case .encoding: try values.encode(settings.encoding, forKey: key)
      case .dither: try values.encode(settings.dither, forKey: key)
      case .admTimes: try values.encode(settings.admTimes, forKey: key)
      case .encoderOptions: try values.encode(settings.encoderOptions, forKey: key)
      case .iamf: try values.encodeIfPresent(settings.iamf, forKey: key)
      case .isForMediaSource: try values.encode(settings.isForMediaSource, forKey: key)
      }
    }
  }
}

extension OutputCoding {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case codec, bitRate, encoding, dither, admTimes, encoderOptions, iamf, isForMediaSource
  }
}
