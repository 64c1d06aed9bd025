/// What the parameters of advanced coupling stand for (TS 103 190-1, Table 148).
enum ACPLQuantity: Int {
  /// Share of the difference that follows the carrier.
  case alpha
  /// Share of the decorrelated signal.
  case beta
  /// Share of the third decorrelated signal.
  case beta3
  /// Share of a carrier.
  case gamma

  /// Indices that dequantisation has values for (Tables 203 to 208).
  func range(isCoarse: Bool) -> ClosedRange<Int> {
    switch self {
    case .alpha: return 0...(isCoarse ? 16 : 32)
    case .beta: return 0...(isCoarse ? 4 : 8)
    case .beta3: return 0...(isCoarse ? 8 : 16)
    case .gamma: return isCoarse ? -10...10 : -20...20
    }
  }
}
