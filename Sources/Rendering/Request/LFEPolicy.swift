/// How LFE channels are played for which the output has no channel.
public enum LFEPolicy: Sendable, Hashable, Codable {
  /// Levels that ``gain(_:)`` may have, in dB.
  public static let range = -40.0...20.0

  /// Virtualised: 10 dB above a main channel. Downmixed: dropped, as in ITU-R BS.775, and reported.
  case standard
  /// Dropped.
  case dropped
  /// Played at this level relative to a main channel, in dB.
  case gain(Double)

  /// Level when virtualised, in dB; `nil` drops it.
  var virtualizedGainDB: Double? {
    switch self {
    case .standard: return 10
    case .dropped: return nil
    case .gain(let gain): return gain
    }
  }

  /// Level when downmixed, in dB; `nil` drops it.
  var downmixedGainDB: Double? {
    guard case .gain(let gain) = self else { return nil }
    return gain
  }
}
