/// What can be chosen about a passive downmix.
public struct DownmixOptions: Sendable, Hashable, Codable {
  /// Level in dB at which LFE channels enter each front channel (or the centre of a target without
  /// left and right) of a target that has no LFE; `nil` drops them.
  public var lfeGainDB: Double?
  /// The programme's own mix instead of the table of standard gains; only for what
  /// ``ProgrammeDownmix/gains(from:to:lfeGainDB:)`` covers.
  public var programme: ProgrammeDownmix?

  /// Options; by default LFE is dropped, because a mix to two channels discards it and the main
  /// channels hold all essential content (ITU-R BS.775-3, Annex 7, Appendix 1, §5 and §7).
  public init(lfeGainDB: Double? = nil, programme: ProgrammeDownmix? = nil) {
    self.lfeGainDB = lfeGainDB
    self.programme = programme
  }
}
