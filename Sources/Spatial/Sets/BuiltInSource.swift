extension HRTFSet {
  /// The embedded resource behind ``builtIn()`` as it stands in the binary, for a fingerprint.
  public static var builtInBytes: [UInt8] {
    KEMARTable.lines.withUTF8Buffer { Array($0) }
  }
}
