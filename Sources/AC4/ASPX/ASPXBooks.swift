/// Codebooks of A-SPX (TS 103 190-1, Annex A.2).
final class ASPXBooks {
  // Signal levels and balances in steps of 1.5 dB (fine) and 3 dB (coarse), then those of noise.
  private let levelFine = BookFamily(
    Codebooks.aspxEnvLevel15F0, Codebooks.aspxEnvLevel15Df, Codebooks.aspxEnvLevel15Dt)
  private let levelCoarse = BookFamily(
    Codebooks.aspxEnvLevel30F0, Codebooks.aspxEnvLevel30Df, Codebooks.aspxEnvLevel30Dt)
  private let balanceFine = BookFamily(
    Codebooks.aspxEnvBalance15F0, Codebooks.aspxEnvBalance15Df, Codebooks.aspxEnvBalance15Dt)
  private let balanceCoarse = BookFamily(
    Codebooks.aspxEnvBalance30F0, Codebooks.aspxEnvBalance30Df, Codebooks.aspxEnvBalance30Dt)
  private let noiseLevel = BookFamily(
    Codebooks.aspxNoiseLevelF0, Codebooks.aspxNoiseLevelDf, Codebooks.aspxNoiseLevelDt)
  private let noiseBalance = BookFamily(
    Codebooks.aspxNoiseBalanceF0, Codebooks.aspxNoiseBalanceDf, Codebooks.aspxNoiseBalanceDt)

  /// The books of signal levels.
  func signal(isBalance: Bool, isCoarse: Bool) -> BookFamily {
    if isBalance { return isCoarse ? balanceCoarse : balanceFine }
    return isCoarse ? levelCoarse : levelFine
  }

  /// The books of noise levels.
  func noise(isBalance: Bool) -> BookFamily { isBalance ? noiseBalance : noiseLevel }
}
