/// The flags at the end of a presentation's entry in `dac4`, which players show. Old writers leave them out
/// (TS 103 190-2, E.10).
package struct AC4PresentationIndicators: Sendable, Equatable {
  /// `de_indicator`: whether dialogue can be enhanced.
  package var hasDialogueEnhancement: Bool
  /// `dolby_atmos_indicator`.
  package var isImmersive: Bool
  /// `extended_presentation_group_id`, if given.
  package var extendedID: Int?

  /// The flags of a presentation without an extended identifier.
  init(hasDialogueEnhancement: Bool, isImmersive: Bool) {
    self.hasDialogueEnhancement = hasDialogueEnhancement
    self.isImmersive = isImmersive
  }

  init(_ bits: inout BitReader) throws(AC4Error) {
    hasDialogueEnhancement = try bits.flag()
    isImmersive = try bits.flag()
    // Reserved.
    try bits.skip(4)
    if try bits.flag() { extendedID = try bits.read(9) }
  }

  func write(to bits: inout BitWriter) {
    bits.write(hasDialogueEnhancement)
    bits.write(isImmersive)
    bits.write(0, 4)
    bits.write(optional: extendedID, 9)
    bits.align()
  }
}
