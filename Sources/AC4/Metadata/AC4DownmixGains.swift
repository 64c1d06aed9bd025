// SPDX-License-Identifier: Apache-2.0
import Platform

/// The gains of a downmix to two channels, as coded (`stereo_dmx_coeff`, TS 103 190-1, 4.3.12.2).
package struct AC4DownmixGains: Sendable, Equatable {
  /// `loro_centre_mixgain`, 0…7.
  package internal(set) var loRoCentre = 0
  /// `loro_surround_mixgain`, 0…7.
  package internal(set) var loRoSurround = 0
  /// `ltrt_centre_mixgain`, if sent.
  package internal(set) var ltRtCentre: Int?
  /// `ltrt_surround_mixgain`, if sent.
  package internal(set) var ltRtSurround: Int?
  /// `lfe_mixgain`, 0…31, if sent: 5.5 dB less this many dB.
  package internal(set) var lfe: Int?
  /// `preferred_dmx_method`: 0 and 1 Lo/Ro, 2 Lt/Rt, 3 Pro Logic II.
  package internal(set) var method = 0
  /// Loudness correction of the Lo/Ro downmix, as coded, if sent. Only bitstream versions 0 and 1 have it
  /// here; later ones send it in the presentation's substream.
  package internal(set) var loRoCorrection: Int?
  /// Loudness correction of the Lt/Rt downmix, as coded, if sent.
  package internal(set) var ltRtCorrection: Int?

  /// Reads `stereo_dmx_coeff`.
  /// - Parameters:
  ///   - hasLFE: whether the channel mode has a low-frequency channel.
  ///   - hasCorrections: whether loudness corrections are sent in between, as in old substreams.
  init(_ bits: inout BitReader, hasLFE: Bool, hasCorrections: Bool) throws(AC4Error) {
    loRoCentre = try bits.read(3)
    loRoSurround = try bits.read(3)
    if hasCorrections { loRoCorrection = try bits.optional(5) }
    if try bits.flag() {
      ltRtCentre = try bits.read(3)
      ltRtSurround = try bits.read(3)
    }
    if hasCorrections { ltRtCorrection = try bits.optional(5) }
    if hasLFE { lfe = try bits.optional(5) }
    method = try bits.read(2)
  }

  /// Gain in dB of the low-frequency channel in both sides, 5.5…−25.5; `nil` leaves it out.
  package var lfeLevel: Double? { lfe.map { 5.5 - Double($0) } }

  /// Linear gain of a centre code, 0…7: +3 dB down to −6 dB in steps of 1.5 dB, then 0; −3 dB when
  /// none is sent.
  package static func centreGain(_ code: Int?) -> Double { gain(code ?? 4) }

  /// Linear gain of a surround code, 0…7: as ``centreGain(_:)``, but 0 and 1 are reserved and taken as
  /// −3 dB.
  package static func surroundGain(_ code: Int?) -> Double {
    // 4 is −3 dB.
    gain(code.flatMap { $0 < 2 ? nil : $0 } ?? 4)
  }

  /// Linear gain of a loudness correction, 0…31: 2^((15 − code) / 12); 1 for 31 or none.
  package static func correction(_ code: Int?) -> Double {
    guard let code, code != 31 else { return 1 }
    return pow(2, Double(15 - code) / 12)
  }

  /// The linear gain of a code, which is 7 for none.
  private static func gain(_ code: Int) -> Double {
    code == 7 ? 0 : pow(10, (3 - 1.5 * Double(code)) / 20)
  }
}

/// The gains of main audio under associated audio, as coded: steps of −0.3 dB, 255 is silence
/// (TS 103 190-1, 4.3.12.4.4 to 4.3.12.4.9).
package struct AC4MixScales: Sendable, Equatable {
  /// `scale_main`: all channels.
  package internal(set) var main: Int?
  /// `scale_main_centre`: the centre, on top of ``main``.
  package internal(set) var centre: Int?
  /// `scale_main_front`: left and right, on top of ``main``.
  package internal(set) var front: Int?
  /// `pan_associated`: where mono associated audio comes from, in steps of 1.5° to the right.
  package internal(set) var pan: Int?

  init() {}

  /// Reads the three scales, and the angle if `hasPan` answers that one follows.
  init(
    _ bits: inout BitReader, hasPan: (inout BitReader) throws(AC4Error) -> Bool
  ) throws(AC4Error) {
    main = try bits.optional(8)
    centre = try bits.optional(8)
    front = try bits.optional(8)
    if try hasPan(&bits) { pan = try bits.read(8) }
  }

  /// These values, replaced by those that `newer` has.
  func updated(by newer: AC4MixScales) -> AC4MixScales {
    var result = self
    result.main = newer.main ?? main
    result.centre = newer.centre ?? centre
    result.front = newer.front ?? front
    result.pan = newer.pan ?? pan
    return result
  }

  /// The gain of a code; 1 when nothing was sent.
  static func gain(_ code: Int?) -> Double {
    guard let code else { return 1 }
    return code >= 255 ? 0 : Maths.decibels(-0.3 * Double(code))
  }
}
