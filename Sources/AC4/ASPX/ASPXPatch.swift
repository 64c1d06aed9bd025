/// A run of subbands that is copied up (TS 103 190-1, 5.7.6.3.1.4).
struct ASPXPatch: Equatable {
  /// First subband that is copied.
  let source: Int
  /// First subband that is generated.
  let target: Int
  /// Number of subbands.
  let count: Int
}
