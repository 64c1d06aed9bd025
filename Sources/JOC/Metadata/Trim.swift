/// By how much parts of the programme are lowered for a layout of loudspeakers (`trim_element`, TS 103 420).
/// Rendering for headphones needs no trim, but the element is read to prove that its bits fit.
package struct Trim: Equatable, Sendable {
  /// Where the values come from.
  package enum Mode: Sendable {
    /// The renderer chooses.
    case standard
    /// No trim.
    case disabled
    /// The values are sent.
    case custom
  }

  package var mode = Mode.standard
  /// Of centre, surround and height channels in dB; `nil` where none is sent.
  package var center: Double?
  package var surround: Double?
  package var height: Double?
  /// Balances of top and bottom and of the listener; `nil` where none is sent.
  package var heightBalance: Double?
  package var listenerBalance: Double?

  /// Layouts in their order: 2.0, 5.1, 7.1, 2.x.2, 5.1.2, 7.1.2, 2.x.4, 5.1.4, 7.1.4.
  static let layouts = 9
}
