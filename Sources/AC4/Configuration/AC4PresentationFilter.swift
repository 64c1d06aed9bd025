/// Which devices may play a presentation (`b_presentation_filter`, TS 103 190-2, E.10).
package struct AC4PresentationFilter: Sendable, Equatable {
  /// `b_enable_presentation`: whether it may be selected at all.
  package var isEnabled: Bool
  /// `filter_data`, whose meaning the standard leaves open.
  package var data: [UInt8] = []

  /// A filter without data.
  init(isEnabled: Bool) { self.isEnabled = isEnabled }

  init(_ bits: inout BitReader) throws(AC4Error) {
    isEnabled = try bits.flag()
    data = try bits.bytes(try bits.read(8))
  }

  func write(to bits: inout BitWriter) {
    bits.write(isEnabled)
    bits.write(data.count, 8)
    bits.write(data)
  }
}
