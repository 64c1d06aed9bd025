extension HRTFSet {
  /// The embedded resource behind ``builtIn()`` as it stands in the binary, for a fingerprint.
  package static var builtInBytes: [UInt8] {
    KEMARTable.lines.withUTF8Buffer { Array($0) }
  }
}
