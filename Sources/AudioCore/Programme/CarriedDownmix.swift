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
