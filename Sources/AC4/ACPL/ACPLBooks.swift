/// Codebooks of advanced coupling (A-CPL, TS 103 190-1, Annex A.3).
final class ACPLBooks {
  private let fine = [
    BookFamily(Codebooks.acplAlphaFineF0, Codebooks.acplAlphaFineDf, Codebooks.acplAlphaFineDt),
    BookFamily(Codebooks.acplBetaFineF0, Codebooks.acplBetaFineDf, Codebooks.acplBetaFineDt),
    BookFamily(Codebooks.acplBeta3FineF0, Codebooks.acplBeta3FineDf, Codebooks.acplBeta3FineDt),
    BookFamily(Codebooks.acplGammaFineF0, Codebooks.acplGammaFineDf, Codebooks.acplGammaFineDt),
  ]
  private let coarse = [
    BookFamily(
      Codebooks.acplAlphaCoarseF0, Codebooks.acplAlphaCoarseDf, Codebooks.acplAlphaCoarseDt),
    BookFamily(
      Codebooks.acplBetaCoarseF0, Codebooks.acplBetaCoarseDf, Codebooks.acplBetaCoarseDt),
    BookFamily(
      Codebooks.acplBeta3CoarseF0, Codebooks.acplBeta3CoarseDf, Codebooks.acplBeta3CoarseDt),
    BookFamily(
      Codebooks.acplGammaCoarseF0, Codebooks.acplGammaCoarseDf, Codebooks.acplGammaCoarseDt),
  ]

  /// The books of one quantity.
  func family(_ quantity: ACPLQuantity, isCoarse: Bool) -> BookFamily {
    (isCoarse ? coarse : fine)[quantity.rawValue]
  }
}
