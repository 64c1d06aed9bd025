extension HRTFSet {
  /// The embedded resource that ``builtIn()`` decodes, as stored in the binary, for a fingerprint.
  package static var builtInBytes: [UInt8] {
    KEMARTable.lines.withUTF8Buffer { Array($0) }
  }
}
