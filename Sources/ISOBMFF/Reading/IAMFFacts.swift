/// The configuration of an IAMF track (Immersive Audio Model and Formats 1.1, 4: sample entry `iamf` with `iacb`),
/// and where it stands in the file.
package struct IAMFFacts: Sendable, Equatable {
  /// Payload of the `iacb` box.
  package let box: [UInt8]
  /// Offset of the sample entry's type.
  package let entry: Int64
  /// Offset of the type of `iacb`.
  package let configuration: Int64

  /// Reads the configuration of a sample entry; `nil` unless it has one.
  init?(entry: BoxHeader, in inner: BoxHeader, _ scanner: BoxScanner) {
    guard entry.type == "iamf", let found = scanner.first(["iacb"], in: inner) else { return nil }
    box = scanner.payload(found, limit: 1 << 16)
    // Both headers have 32-bit sizes, because their boxes are small, so that the type lies right before the payload.
    self.entry = entry.payload - 4
    configuration = found.payload - 4
  }
}
