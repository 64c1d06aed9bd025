// SPDX-License-Identifier: Apache-2.0
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
    /// For Pro Logic II, a matrix decoder that keeps left and right surround apart.
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

/// The channels of a programme folded into 3/2, the layout that the equations of a programme's own
/// mix start from (ETSI TS 103 190-1, 6.2.17).
struct FoldedPlaces {
  /// A channel of 3/2, or the single surround of 2/1 and 3/1.
  enum Role {
    case left
    case right
    case center
    case leftSurround
    case rightSurround
    case backCenter
  }

  /// The channel of 3/2 that a channel is folded into, and its linear gain there.
  typealias Share = (role: Role, gain: Double)

  private var shares: [String: Share] = [:]
  private var rest: Set<String>

  /// - Parameters:
  ///   - places: labels of ITU-R BS.2051 of all channels but LFE.
  ///   - addsToSurrounds: whether a wide or height pair goes to the surrounds or else to left and
  ///     right; `nil` when the programme doesn't state it.
  /// - Returns: `nil` for plain stereo, and where a channel is missing or has no equation.
  init?(_ places: [String], addsToSurrounds: Bool?) {
    rest = Set(places)
    guard takePair("M", "030", .left, .right), !rest.isEmpty else { return nil }
    take("M+000", .center)
    let shared = 0.5.squareRoot()
    if takePair("M", "110", .leftSurround, .rightSurround) {
      takeAddedPair(addsToSurrounds, shared)
    } else if rest.contains("M+135") {
      _ = takePair("M", "090", .leftSurround, .rightSurround, shared)
      _ = takePair("M", "135", .leftSurround, .rightSurround, shared)
      guard shares["M+090"] != nil else { return nil }
    } else {
      take("M+180", .backCenter)
    }
    guard rest.isEmpty else { return nil }
  }

  /// Share of the channel at `place`; `nil` for places that weren't among those given.
  func share(of place: String) -> Share? { shares[place] }

  private mutating func take(_ place: String, _ role: Role) {
    if rest.remove(place) != nil { shares[place] = (role, 1) }
  }

  private mutating func takePair(
    _ layer: String, _ angle: String, _ left: Role, _ right: Role, _ gain: Double = 1
  ) -> Bool {
    let places = [layer + "+" + angle, layer + "-" + angle]
    guard rest.isSuperset(of: places) else { return false }
    rest.subtract(places)
    shares[places[0]] = (left, gain)
    shares[places[1]] = (right, gain)
    return true
  }

  /// Folds the wide pair of 5/2/0 or the height pair of 3/2/2.
  private mutating func takeAddedPair(_ addsToSurrounds: Bool?, _ shared: Double) {
    guard let addsToSurrounds else { return }
    let (left, right): (Role, Role) =
      addsToSurrounds ? (.leftSurround, .rightSurround) : (.left, .right)
    guard takePair("M", "060", left, right, shared) || takePair("U", "030", left, right, shared)
    else { return }
    guard addsToSurrounds else { return }
    for place in ["M+110", "M-110"] { shares[place]?.gain = shared }
  }
}
