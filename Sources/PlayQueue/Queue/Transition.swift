import AudioCore

/// How an item follows the item before.
public enum Transition: Sendable, Hashable, Codable {
  /// It begins where the item before ends.
  case cut
  /// Both overlap by `length`, and the programme is as much shorter; samples count at the programme's rate.
  case crossfade(length: TimeSpec, curve: FadeCurve)
  /// Silence of this length lies between them; samples count at the programme's rate.
  case gap(TimeSpec)
}

/// A fade at an item's beginning or end.
public struct Fade: Sendable, Hashable, Codable {
  /// Its length; samples count at the programme's rate.
  public var length: TimeSpec
  /// Its curve.
  public var curve: FadeCurve

  /// A fade of `length`.
  public init(_ length: TimeSpec, curve: FadeCurve = .equalPower) {
    self.length = length
    self.curve = curve
  }
}
