import AudioCore
import Platform

/// A mix to stereo or mono with the gains that a programme itself states.
///
/// With c and s the gains of centre and surrounds, left side of the 3/2 forms (ETSI TS 102 366, 7.8.2;
/// ETSI TS 103 190-1, 6.2.17):
///
/// | form | left |
/// |---|---|
/// | Lo/Ro | L + c C + s Ls |
/// | Lt/Rt | L + c C − s (Ls + Rs), right: R + c C + s (Ls + Rs) |
/// | Pro Logic II | L + c C − s (1.8 dB Ls, −3.2 dB Rs), right: R + c C + s (−3.2 dB Ls, 1.8 dB Rs) |
///
/// A single surround channel gives 0.7071 s to each side in Lo/Ro and s in the others. The LFE,
/// where it is mixed in, enters both sides of every form alike. No phase is shifted. Pairs beyond
/// five channels are folded into them first, and each channel that shares a place gets 0.7071. Mono
/// is left + right of Lo/Ro, because the sums of the other forms cancel the surrounds.
public struct ProgrammeDownmix: Sendable, Hashable, Codable {
  /// How the surrounds enter the mix.
  public enum Form: String, Sendable, Codable, CaseIterable {
    /// Plain stereo.
    case loRo = "LoRo"
    /// For a matrix decoder: surrounds in opposite phase.
    case ltRt = "LtRt"
    /// The same for Pro Logic II, which keeps left and right surround apart.
    case proLogicII = "ProLogicII"
  }

  /// The form.
  public var form: Form
  /// Linear gain of the centre, at least 0.
  public var center: Double
  /// Linear gain of the surrounds, at least 0.
  public var surround: Double
  /// Linear gain of the whole mix: the programme's loudness correction.
  public var scale: Double
  /// Whether a wide or height pair of a 7.X programme is folded into the surrounds or else into left
  /// and right; `nil` when the programme doesn't say, so that such layouts aren't covered.
  public var addsToSurrounds: Bool?

  /// A mix; by default without a loudness correction.
  public init(
    form: Form, center: Double, surround: Double, scale: Double = 1, addsToSurrounds: Bool? = nil
  ) {
    self.form = form
    self.center = center
    self.surround = surround
    self.scale = scale
    self.addsToSurrounds = addsToSurrounds
  }

  /// Linear gains, output × input; `nil` unless `target` is stereo or mono and `source` has left,
  /// right and something to mix to them, up to 7.1.
  /// - Parameter lfeGainDB: level of the LFE in each side of the stereo mix; `nil` leaves it out.
  public func gains(
    from source: ChannelLayout, to target: ChannelLayout, lfeGainDB: Double? = nil
  ) -> [[Double]]? {
    guard target == .stereo || target == .mono else { return nil }
    let used = target == .mono ? with(form: .loRo) : self
    let bass = lfeGainDB.map { pow(10, $0 / 20) } ?? 0
    let places = source.speakers.indices.map { index in
      source.speakers[index].isLFE ? nil : source.direction(at: index).label
    }
    guard let fold = FoldedPlaces(places.compactMap { $0 }, addsToSurrounds: addsToSurrounds) else {
      return nil
    }
    let columns = places.map { place -> (left: Double, right: Double) in
      guard let share = place.flatMap(fold.share) else { return (bass, bass) }
      let gains = used.gains(of: share.role)
      return (share.gain * gains.left, share.gain * gains.right)
    }
    let left = columns.map { scale * $0.left }
    let right = columns.map { scale * $0.right }
    return target == .mono ? [zip(left, right).map { $0 + $1 }] : [left, right]
  }

  private func with(form: Form) -> ProgrammeDownmix {
    var other = self
    other.form = form
    return other
  }

  private func gains(of role: FoldedPlaces.Role) -> (left: Double, right: Double) {
    switch role {
    case .left: return (1, 0)
    case .right: return (0, 1)
    case .center: return (center, center)
    case .backCenter:
      let gain = form == .loRo ? surround * 0.5.squareRoot() : surround
      return (form == .loRo ? gain : -gain, gain)
    case .leftSurround: return form == .loRo ? (shares.near, 0) : (-shares.near, shares.far)
    case .rightSurround: return form == .loRo ? (0, shares.near) : (-shares.far, shares.near)
    }
  }

  /// Magnitudes of a surround channel's gains on its own side and on the other one.
  private var shares: (near: Double, far: Double) {
    switch form {
    case .loRo: return (surround, 0)
    case .ltRt: return (surround, surround)
    case .proLogicII: return (surround * pow(10, 1.8 / 20), surround * pow(10, -3.2 / 20))
    }
  }
}
