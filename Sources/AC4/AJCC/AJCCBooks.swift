/// Codebooks of joint channel coding (A-JCC, TS 103 190-2, Annex A.1); alpha and beta have those of A-CPL.
final class AJCCBooks {
  private let coupling = ACPLBooks()
  private let dry = [
    BookFamily(
      ObjectCodebooks.ajccDryFineF0, ObjectCodebooks.ajccDryFineDf, ObjectCodebooks.ajccDryFineDt),
    BookFamily(
      ObjectCodebooks.ajccDryCoarseF0, ObjectCodebooks.ajccDryCoarseDf,
      ObjectCodebooks.ajccDryCoarseDt),
  ]
  private let wet = [
    BookFamily(
      ObjectCodebooks.ajccWetFineF0, ObjectCodebooks.ajccWetFineDf, ObjectCodebooks.ajccWetFineDt),
    BookFamily(
      ObjectCodebooks.ajccWetCoarseF0, ObjectCodebooks.ajccWetCoarseDf,
      ObjectCodebooks.ajccWetCoarseDt),
  ]

  /// The books of one quantity.
  func family(_ quantity: AJCCParameters.Quantity, isCoarse: Bool) -> BookFamily {
    switch quantity {
    case .alpha: coupling.family(.alpha, isCoarse: isCoarse)
    case .beta: coupling.family(.beta, isCoarse: isCoarse)
    case .dry: dry[isCoarse ? 1 : 0]
    case .wet: wet[isCoarse ? 1 : 0]
    }
  }
}
