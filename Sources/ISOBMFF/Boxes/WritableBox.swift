/// A box, or a family of boxes, that can be written.
package protocol WritableBox: Sendable {
  /// Appends the whole box, header included.
  func append(to builder: inout BoxBuilder)
}

extension WritableBox {
  /// The whole box.
  package var encoded: [UInt8] {
    var builder = BoxBuilder()
    append(to: &builder)
    return builder.bytes
  }
}
