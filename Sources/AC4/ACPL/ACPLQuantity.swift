/// The parameters of A-CPL (TS 103 190-1, Table 148).
enum ACPLQuantity: Int {
  /// α: how a carrier is split between its two channels, (1 + α) to (1 − α).
  case alpha
  /// β: how much of the decorrelated carrier goes into its two channels, with opposite signs.
  case beta
  /// β₃: how much of the third decorrelated signal goes into the five channels.
  case beta3
  /// γ: how much of a carrier goes into the channels of one side, or into the centre.
  case gamma

  /// The indices that Tables 203 to 208 have values for.
  func range(isCoarse: Bool) -> ClosedRange<Int> {
    switch self {
    case .alpha: return 0...(isCoarse ? 16 : 32)
    case .beta: return 0...(isCoarse ? 4 : 8)
    case .beta3: return 0...(isCoarse ? 8 : 16)
    case .gamma: return isCoarse ? -10...10 : -20...20
    }
  }
}
