/// The channels that a decoder gets which decodes only the core of a presentation
/// (`b_presentation_core_differs`, TS 103 190-2, E.10).
package struct AC4PresentationCore: Sendable, Equatable {
  /// `dsi_presentation_channel_mode_core`; `nil` when the core codes objects.
  package var channelMode: Int?

  init(_ bits: inout BitReader) throws(AC4Error) { channelMode = try bits.optional(2) }

  func write(to bits: inout BitWriter) { bits.write(optional: channelMode, 2) }
}
