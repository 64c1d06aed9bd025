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
