/// What is known of a programme besides its samples.
public struct ProgrammeFacts: Sendable, Hashable, Codable {
  /// Whether something is there, as far as the file tells.
  public enum Presence: String, Sendable, Hashable, Codable, CaseIterable {
    /// It is there.
    case yes
    /// It isn't there.
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
  /// What the bitstream states about the mix to two channels at the point where decoding begins; `nil`
  /// when it states nothing.
  public var downmix: CarriedDownmix?
  /// Whether it was decoded to fewer channels than the file holds, by a mix of the file's own; `nil` where it wasn't.
  public var isMixedByFile: Bool?
  /// What the programme was virtualised for before; `nil` when nothing says that it was.
  public var virtualization: Virtualization?
  /// Whether headphones get a bed of two channels as it is, because the file says so; `nil` where it says nothing.
  public var isPlainOnHeadphones: Bool?
  /// Language of the track as an ISO 639 code, where the container says.
  public var language: String?
  /// Whether the bitstream holds audio objects, decoded or not.
  public var objects: Presence
  /// Objects and channels that aren't decoded; `nil` where nothing shows that there are any.
  public var undecoded: Undecoded?

  /// Facts from their values.
  public init(
    dialnorm: Double? = nil, loudness: [StatedLoudness]? = nil, hasDynamicRange: Bool? = nil,
    downmix: CarriedDownmix? = nil, isMixedByFile: Bool? = nil,
    virtualization: Virtualization? = nil,
    isPlainOnHeadphones: Bool? = nil, language: String? = nil, objects: Presence = .no
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
  }
}
