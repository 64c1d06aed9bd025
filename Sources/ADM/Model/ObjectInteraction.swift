/// What a listener may change about an object (audioObjectInteraction, BS.2076-2, 5.6.7).
package struct ObjectInteraction: Sendable, Hashable {
  /// Whether it may be switched off.
  package var canBeSwitched = false
  /// Amplitudes that it may be given; `nil` when it has to stay as it is.
  package var gain: ClosedRange<Double>?
  /// Whether it may be moved. How far isn't read.
  package var canBeMoved = false
}
