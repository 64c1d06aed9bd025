import AudioCore

/// How an item follows the item before.
package enum Transition: Sendable, Hashable, Codable {
  /// It begins where the item before ends.
  case cut
  /// Both overlap by `length`, and the programme is as much shorter; samples count at the programme's rate.
  case crossfade(length: TimeSpec, curve: FadeCurve)
  /// Silence of this length lies between them; samples count at the programme's rate.
  case gap(TimeSpec)
}

/// A fade at an item's beginning or end.
package struct Fade: Sendable, Hashable, Codable {
  /// Its length; samples count at the programme's rate.
  package var length: TimeSpec
  /// Its curve.
  package var curve: FadeCurve

  /// A fade of `length`.
  package init(_ length: TimeSpec, curve: FadeCurve = .equalPower) {
    self.length = length
    self.curve = curve
  }
}
