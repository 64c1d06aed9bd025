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

  /// What the channel at `place` becomes; `nil` for places that weren't among those given.
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
