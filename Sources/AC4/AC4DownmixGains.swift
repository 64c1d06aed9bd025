/// How a programme is mixed down to two channels (`stereo_dmx_coeff`, TS 103 190-1, 4.3.12.2).
public struct AC4DownmixGains: Sendable, Equatable {
  /// `loro_centre_mixgain`, 0…7.
  public internal(set) var loRoCentre = 0
  /// `loro_surround_mixgain`, 0…7.
  public internal(set) var loRoSurround = 0
  /// `ltrt_centre_mixgain`, if sent.
  public internal(set) var ltRtCentre: Int?
  /// `ltrt_surround_mixgain`, if sent.
  public internal(set) var ltRtSurround: Int?
  /// `lfe_mixgain`, 0…31, if sent: 5.5 dB less this many dB.
  public internal(set) var lfe: Int?
  /// `preferred_dmx_method`: 0 and 1 Lo/Ro, 2 Lt/Rt, 3 Pro Logic II.
  public internal(set) var method = 0

  /// Reads the coefficients of a mode, with loudness corrections in between in old substreams.
  init(_ bits: inout BitReader, hasLFE: Bool, hasCorrections: Bool) throws(AC4Error) {
    loRoCentre = try bits.read(3)
    loRoSurround = try bits.read(3)
    if hasCorrections { _ = try bits.optional(5) }
    if try bits.flag() {
      ltRtCentre = try bits.read(3)
      ltRtSurround = try bits.read(3)
    }
    if hasCorrections { _ = try bits.optional(5) }
    if hasLFE { lfe = try bits.optional(5) }
    method = try bits.read(2)
  }
}
