/// Subbands that are copied up together (TS 103 190-1, 5.7.6.3.1.4).
struct ASPXPatch: Equatable {
  /// First subband that is read.
  let source: Int
  /// First subband that is made.
  let target: Int
  /// How many.
  let count: Int
}
