import AudioCore
import Platform

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
