// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// The header of an AC-3 or E-AC-3 syncframe (ETSI TS 102 366, 4.3 and E.1.2).
package struct DolbyHeader: Sendable, Equatable {
  /// Dialogue normalisation in dB: the programme's level relative to full scale, −31…−1.
  package let dialnorm: Int
  /// Whether the header carries a gain for heavy compression (`compr`).
  package let hasCompression: Bool
  /// Whether the frame belongs to E-AC-3.
  package let isEnhanced: Bool
  /// Complexity index of joint object coding (ETSI TS 103 420, 8.3); 0 when absent, `nil` when the
  /// header doesn't say (AC-3, cut header).
  package let objectComplexity: Int?
  /// Kind of service (`bsmod`); 0, a complete main service, where the header states none.
  package let serviceMode: Int
  /// Channel locations of a dependent substream (`chanmap`, E.1.3.1.8); `nil` without.
  package let channelMap: Int?
  /// The mix to two channels that the header states. `nil` when it states none, when it is cut before that
  /// place, or when the programme has at most two channels. AC-3 of more channels always states one.
  package let downmix: CarriedDownmix?
  /// Whether the header was read as far as the mix to two channels, so that a missing ``downmix`` means
  /// that none is stated.
  package let tellsDownmix: Bool

  /// Parses the first syncframe of `bytes`; `nil` when it doesn't start with one.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= 8, bytes[0] == 0x0B, bytes[1] == 0x77 else { return nil }
    let identification = bytes[5] >> 3
    let header = bytes.withUnsafeBufferPointer { buffer -> DolbyHeader? in
      var bits = BitReader<Never>(buffer)
      bits.skip(16)
      switch identification {
      case 0...10: return DolbyHeader(plain: &bits)
      case 11...16: return DolbyHeader(enhanced: &bits)
      default: return nil
      }
    }
    guard let header else { return nil }
    self = header
  }

  private init(plain bits: inout BitReader<Never>) {
    // crc1, fscod, frmsizecod; then bsi() (4.3.2): bsid, bsmod, acmod, cmixlev, surmixlev, dsurmod, lfeon,
    // dialnorm, compre, compr.
    bits.skip(16 + 2 + 6)
    let isAlternate = bits.read(5) == 6
    serviceMode = bits.read(3)
    channelMap = nil
    let mode = bits.read(3)
    var levels = DolbyMixLevels()
    if mode & 1 != 0 && mode != 1 { levels.loRoCenter = DolbyMixLevels.center(bits.read(2)) }
    if mode & 4 != 0 { levels.loRoSurround = DolbyMixLevels.surround(bits.read(2)) }
    if mode == 2 { bits.skip(2) }
    bits.skip(1)
    let level = bits.read(5)
    dialnorm = level == 0 ? -31 : -level
    hasCompression = bits.flag()
    isEnhanced = false
    objectComplexity = nil
    if hasCompression { bits.skip(8) }
    let isExtended = isAlternate && DolbyHeader.readExtension(&bits, mode, &levels)
    downmix =
      mode < 3 || bits.isExhausted ? nil : levels.downmix(isExtended ? .alternate : .plain)
    tellsDownmix = !bits.isExhausted
  }

  /// Reads the fields from behind `compr` to the end of `xbsi1` (annex D); `false` when there is no `xbsi1`.
  private static func readExtension(
    _ bits: inout BitReader<Never>, _ mode: Int, _ levels: inout DolbyMixLevels
  ) -> Bool {
    // langcod; mixlevel and roomtyp; for 1+1 channels dialnorm2, compr2, langcod2, mixlevel2 and roomtyp2;
    // copyrightb and origbs.
    if bits.flag() { bits.skip(8) }
    if bits.flag() { bits.skip(7) }
    if mode == 0 {
      bits.skip(5)
      for width in [8, 8, 7] where bits.flag() { bits.skip(width) }
    }
    bits.skip(2)
    // xbsi1e; then dmixmod, ltrtcmixlev, ltrtsurmixlev, lorocmixlev, lorosurmixlev.
    guard bits.flag() else { return false }
    levels.method = bits.read(2)
    levels.ltRtCenter = bits.read(3)
    levels.ltRtSurround = bits.read(3)
    levels.loRoCenter = bits.read(3)
    levels.loRoSurround = bits.read(3)
    return true
  }

  private init?(enhanced bits: inout BitReader<Never>) {
    // bsi() (E.1.2.3): strmtyp, substreamid, frmsiz, fscod, numblkscod, acmod, lfeon, bsid, dialnorm,
    // compre, compr.
    let streamType = bits.read(2)
    bits.skip(3 + 11)
    let rateCode = bits.read(2)
    let blockCode = bits.read(2)
    let blocks = rateCode == 3 ? 6 : [1, 2, 3, 6][blockCode]
    let mode = bits.read(3)
    let hasLFE = bits.flag()
    bits.skip(5)
    let level = bits.read(5)
    dialnorm = level == 0 ? -31 : -level
    hasCompression = bits.flag()
    isEnhanced = true
    if hasCompression { bits.skip(8) }
    // dialnorm2 and compr2 of 1+1 channels.
    if mode == 0 {
      bits.skip(5)
      if bits.flag() { bits.skip(8) }
    }
    channelMap = streamType == 1 && bits.flag() ? bits.read(16) : nil
    var mix: DolbyMixLevels?
    if bits.flag() { mix = DolbyHeader.readMixing(&bits, streamType, mode, hasLFE, blocks) }
    downmix = mode < 3 || bits.isExhausted ? nil : mix?.downmix(.mixing)
    tellsDownmix = !bits.isExhausted
    let hasInformation = bits.flag()
    serviceMode = hasInformation ? bits.read(3) : 0
    if hasInformation { DolbyHeader.skipInformation(&bits, mode, rateCode) }
    // convsync; blkid and frmsizecod of a converted AC-3 frame; addbsie.
    if streamType == 0, blocks != 6 { bits.skip(1) }
    if streamType == 2, blocks == 6 || bits.flag() { bits.skip(6) }
    guard bits.flag() else {
      objectComplexity = bits.isExhausted ? nil : 0
      return
    }
    // addbsil, then addbsi: 7 reserved bits, flag_ec3_extension_type_a and complexity_index_type_a (ETSI TS
    // 103 420, 8.3).
    let length = bits.read(6) + 1
    bits.skip(7)
    let isExtension = bits.flag()
    let complexity = length >= 2 ? bits.read(8) : 0
    objectComplexity = bits.isExhausted ? nil : (isExtension ? complexity : 0)
  }

  /// Reads the mixing metadata (after `mixmdate`, E.1.2.3) to their end.
  private static func readMixing(
    _ bits: inout BitReader<Never>, _ streamType: Int, _ mode: Int, _ hasLFE: Bool, _ blocks: Int
  ) -> DolbyMixLevels {
    // dmixmod, ltrtcmixlev, lorocmixlev, ltrtsurmixlev, lorosurmixlev, lfemixlevcod.
    var levels = DolbyMixLevels()
    if mode > 2 { levels.method = bits.read(2) }
    if mode & 1 != 0 && mode > 2 {
      levels.ltRtCenter = bits.read(3)
      levels.loRoCenter = bits.read(3)
    }
    if mode & 4 != 0 {
      levels.ltRtSurround = bits.read(3)
      levels.loRoSurround = bits.read(3)
    }
    if hasLFE, bits.flag() { levels.lfe = bits.read(5) }
    if streamType == 0 { skipProgrammeMixing(&bits, mode, blocks) }
    return levels
  }

  /// Skips the part of the mixing metadata that is about mixing with other programmes.
  private static func skipProgrammeMixing(
    _ bits: inout BitReader<Never>, _ mode: Int, _ blocks: Int
  ) {
    // pgmscl, pgmscl2, extpgmscl, mixdef; panmean and paninfo of mono and 1+1 channels; blkmixcfginfo.
    if bits.flag() { bits.skip(6) }
    if mode == 0, bits.flag() { bits.skip(6) }
    if bits.flag() { bits.skip(6) }
    skipMixDefinition(&bits)
    if mode < 2 {
      if bits.flag() { bits.skip(14) }
      if mode == 0, bits.flag() { bits.skip(14) }
    }
    guard bits.flag() else { return }
    if blocks == 1 {
      bits.skip(5)
    } else {
      for _ in 0..<blocks where bits.flag() { bits.skip(5) }
    }
  }

  private static func skipMixDefinition(_ bits: inout BitReader<Never>) {
    switch bits.read(2) {
    // premixcmpsel, drcsrc and premixcmpscl.
    case 1: bits.skip(5)
    // mixdata.
    case 2: bits.skip(12)
    case 3:
      // mixdeflen counts the bytes of mixing data after it, fill bits included.
      let length = bits.read(5) + 2
      bits.skip(length * 8)
    default: break
    }
  }

  /// Skips the informational metadata behind `bsmod` (`infomdate`, E.1.2.3).
  private static func skipInformation(_ bits: inout BitReader<Never>, _ mode: Int, _ rateCode: Int)
  {
    // copyrightb, origbs; dsurmod and dheadphonmod; dsurexmod; mixlevel, roomtyp and adconvtyp, again for
    // the second of 1+1 channels; sourcefscod.
    bits.skip(1 + 1)
    if mode == 2 { bits.skip(4) }
    if mode >= 6 { bits.skip(2) }
    if bits.flag() { bits.skip(8) }
    if mode == 0, bits.flag() { bits.skip(8) }
    if rateCode < 3 { bits.skip(1) }
  }
}

/// Mix levels of AC-3 and E-AC-3 as they are coded (ETSI TS 102 366, 4.4.2.4, D.1.2 and E.1.3.1).
///
/// A 3-bit code stands for the gain 2^((2 − code) / 4), code 7 for 0. The 2-bit codes of plain AC-3 are
/// converted to 3-bit codes.
struct DolbyMixLevels {
  /// The code of −3 dB, used where the header sends none.
  private static let standard = 4

  /// `dmixmod`, 0…3.
  var method = 0
  var loRoCenter = standard
  var loRoSurround = standard
  var ltRtCenter = standard
  var ltRtSurround = standard
  /// `lfemixlevcod`, 0…31; `nil` when it isn't sent.
  var lfe: Int?

  /// A `cmixlev`, 0…3, as a 3-bit code; the reserved value 3 is taken as the middle of the other three.
  static func center(_ plain: Int) -> Int { [4, 5, 6, 5][plain & 3] }

  /// A `surmixlev`, 0…3, as a 3-bit code; the reserved value 3 is taken as the middle of the other three.
  static func surround(_ plain: Int) -> Int { [4, 6, 7, 6][plain & 3] }

  /// The levels as a mix.
  func downmix(_ source: CarriedDownmix.Source) -> CarriedDownmix {
    CarriedDownmix(
      source, preferred: method == 1 ? .ltRt : method == 3 ? .proLogicII : .loRo,
      loRo: CarriedDownmix.Gains(
        center: DolbyMixLevels.gain(loRoCenter), surround: DolbyMixLevels.rear(loRoSurround)),
      ltRt: CarriedDownmix.Gains(
        center: DolbyMixLevels.gain(ltRtCenter), surround: DolbyMixLevels.rear(ltRtSurround)),
      lfeLevel: lfe.map { 10 - Double($0) })
  }

  private static func gain(_ code: Int) -> Double {
    code == 7 ? 0 : pow(2, Double(2 - code) / 4)
  }

  /// Surrounds are never raised: lower codes are reserved and mean −1.5 dB.
  private static func rear(_ code: Int) -> Double { gain(max(3, code)) }
}
