/// One decoder mode of dynamic range control (`drc_decoder_mode_config`, TS 103 190-1, 4.3.13.3).
package struct AC4DRCMode: Sendable, Equatable {
  /// How the mode gets its gains.
  package enum Profile: Sendable, Equatable {
    /// From the standard curve that `drc_eac3_profile` names.
    case standard
    /// From a curve that the stream carries.
    case curve(AC4DRCCurve)
    /// From gains that each frame carries, with this `drc_gains_config`, 0…3.
    case gains(Int)
  }

  /// `drc_decoder_mode_id`: 0 home theatre, 1 flat panel, 2 portable speakers, 3 portable headphones.
  package internal(set) var id: Int
  /// First and last output level that a mode above 3 is for, in dB below full scale.
  package internal(set) var outputLevels: [Int]?
  /// `drc_repeat_id`: the mode whose profile this one shares.
  package internal(set) var repeats: Int?
  /// How the mode gets its gains.
  package internal(set) var profile: Profile

  init(_ bits: inout BitReader, earlier: [AC4DRCMode]) throws(AC4Error) {
    id = try bits.read(3)
    if id > 3 {
      let from = try bits.read(5)
      outputLevels = [from, try bits.read(5)]
    }
    if try bits.flag() {
      let other = try bits.read(3)
      guard let shared = earlier.first(where: { $0.id == other }) else {
        throw .damaged("DRC mode \(id) repeats mode \(other), which isn't there")
      }
      repeats = other
      profile = shared.profile
    } else if try bits.flag() {
      profile = .standard
    } else if try bits.flag() {
      profile = .curve(try AC4DRCCurve(&bits))
    } else {
      profile = .gains(try bits.read(2))
    }
  }

  /// Whether the gains come from a curve.
  var usesCurve: Bool {
    if case .gains = profile { return false }
    return true
  }
}
