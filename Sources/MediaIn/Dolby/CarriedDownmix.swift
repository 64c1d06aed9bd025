import AC4

/// What a programme itself says about its mix to two channels.
public struct CarriedDownmix: Sendable, Equatable {
  /// The mix that the programme prefers.
  public enum Method: Sendable, Equatable {
    /// Lo/Ro, also where nothing is preferred.
    case loRo
    /// Lt/Rt.
    case ltRt
    /// Lt/Rt for Pro Logic II.
    case proLogicII
  }

  /// The part of the bitstream that says so, by its name in the standard.
  public enum Source: String, Sendable, Equatable {
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
  public struct Gains: Sendable, Equatable {
    /// Of the centre, at least 0.
    public var center: Double
    /// Of each surround channel, at least 0.
    public var surround: Double
    /// Of the whole mix: its loudness correction; 1 without.
    public var correction = 1.0
  }

  /// Where it stands.
  public let source: Source
  /// The mix that is preferred.
  public let preferred: Method
  /// Gains of Lo/Ro.
  public let loRo: Gains
  /// Gains of Lt/Rt and Pro Logic II.
  public let ltRt: Gains
  /// Level in dB at which the LFE enters both sides; `nil` leaves it out.
  public let lfeLevel: Double?
  /// Whether a wide or height pair belongs to the surrounds, else to left and right (`add_ch_base` of
  /// AC-4); `nil` where the codec has no such rule.
  public let addsToSurrounds: Bool?

  init(
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

  /// What an AC-4 frame says of presentation `index`; `nil` when that is nothing.
  init?(_ facts: AC4FrameFacts, presentation index: Int) {
    guard let chosen = facts.presentations.first(where: { $0.index == index }) else { return nil }
    let old = chosen.substreams.lazy.compactMap { $0?.downmix }.first
    let own = chosen.metadata
    let sent = own?.downmix ?? old
    let corrections = (
      loRo: own?.loRoCorrection ?? old?.loRoCorrection,
      ltRt: own?.ltRtCorrection ?? old?.ltRtCorrection
    )
    guard sent != nil || corrections.loRo != nil || corrections.ltRt != nil else { return nil }
    let substreams = chosen.presentation.groups.filter { facts.toc.groups.indices.contains($0) }
      .flatMap { facts.toc.groups[$0].substreams }
    let preferred: Method =
      sent?.method == 2 ? .ltRt : sent?.method == 3 ? .proLogicII : .loRo
    self.init(
      old == nil ? .presentation : .substream, preferred: preferred,
      loRo: Gains(
        center: AC4DownmixGains.centreGain(sent?.loRoCentre),
        surround: AC4DownmixGains.surroundGain(sent?.loRoSurround),
        correction: AC4DownmixGains.correction(corrections.loRo)),
      ltRt: Gains(
        center: AC4DownmixGains.centreGain(sent?.ltRtCentre),
        surround: AC4DownmixGains.surroundGain(sent?.ltRtSurround),
        correction: AC4DownmixGains.correction(corrections.ltRt)),
      lfeLevel: sent?.lfeLevel, addsToSurrounds: substreams.first?.addsToSurrounds)
  }
}
