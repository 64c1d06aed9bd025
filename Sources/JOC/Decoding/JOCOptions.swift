/// Readings of the standard on which sources differ. The defaults are those that measurements support.
package struct JOCOptions: Sendable, Hashable {
  /// Slots by which matrices are ahead of the subbands that they multiply; the standard's text has 0.
  package var alignment = 10
  /// Whether a steep change takes effect one slot before the one that the standard prints.
  package var isSteepEarly = true
  /// Whether sparse coding is read as the standard prints it.
  package var readsSparseAsPrinted = false
  /// What undoes the shift of left and right surround by 90°.
  package var rotation = Rotation.corrected

  /// What undoes the shift of left and right surround by 90°.
  package enum Rotation: Sendable, Hashable, CaseIterable {
    /// Nothing.
    case none
    /// A rotation of all subbands alike.
    case flat
    /// A rotation that leaves the lowest frequencies as they are.
    case corrected
  }

  /// The defaults.
  package init() {}
}
