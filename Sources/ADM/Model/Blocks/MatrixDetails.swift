/// How a channel is mixed from others (BS.2076-2, 5.4.3.2).
package struct MatrixDetails: Sendable, Hashable {
  /// One addend.
  package struct Coefficient: Sendable, Hashable {
    /// The channel that is mixed in.
    package var input: ElementID
    /// Amplitude.
    package var gain: Double
    /// Delay in milliseconds.
    package var delay: Double
  }

  /// The channel that results; `nil` when nothing is stated.
  package var output: ElementID?
  /// The addends.
  package var coefficients: [Coefficient] = []
}
