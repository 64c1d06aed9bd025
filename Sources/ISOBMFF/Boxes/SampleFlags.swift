/// The 32 bits that state what a sample of a fragment depends on (ISO/IEC 14496-12, 8.8.3.1).
enum SampleFlags {
  /// Depends on no other sample; decoding may begin here.
  static let sync: UInt32 = 0x0200_0000
  /// Depends on others; decoding can't begin here.
  static let dependent: UInt32 = 0x0101_0000
  /// Set where decoding can't begin.
  static let nonSyncBit: UInt32 = 0x0001_0000
}
