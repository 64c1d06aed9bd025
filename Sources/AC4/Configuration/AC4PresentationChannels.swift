/// The channels of a presentation as `dac4` states them (`b_presentation_channel_coded`,
/// TS 103 190-2, E.10).
package struct AC4PresentationChannels: Sendable, Equatable {
  /// `dsi_presentation_ch_mode`.
  package var mode: Int
  /// `pres_b_4_back_channels_present`; only stated for modes 11…14.
  package var hasFourBack = false
  /// `pres_top_channel_pairs`; only stated for modes 11…14.
  package var topPairs = 0
  /// `presentation_channel_mask`: speaker groups, one bit each.
  package var speakerGroups: Int

  /// The channels of a mode that has no variants.
  init(mode: Int, speakerGroups: Int) {
    self.mode = mode
    self.speakerGroups = speakerGroups
  }

  init(_ bits: inout BitReader) throws(AC4Error) {
    mode = try bits.read(5)
    if AC4PresentationChannels.hasVariants(mode) {
      hasFourBack = try bits.flag()
      topPairs = try bits.read(2)
    }
    speakerGroups = try bits.read(24)
  }

  func write(to bits: inout BitWriter) {
    bits.write(mode, 5)
    if AC4PresentationChannels.hasVariants(mode) {
      bits.write(hasFourBack)
      bits.write(topPairs, 2)
    }
    bits.write(speakerGroups, 24)
  }

  /// Whether the mode is one of 7.0.4 to 9.1.4, whose back and top channels may be absent.
  private static func hasVariants(_ mode: Int) -> Bool { (11...14).contains(mode) }
}
