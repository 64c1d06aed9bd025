/// Codebooks of spectral extension (TS 103 190-1, Annex A.2).
final class ASPXBooks {
  /// The books of one quantity, by the place of a value.
  struct Family {
    /// For the first value along frequency.
    let first: HuffmanDecoder
    /// For the others along frequency.
    let frequency: HuffmanDecoder
    /// For values along time.
    let time: HuffmanDecoder

    fileprivate init(_ first: HuffmanCode, _ frequency: HuffmanCode, _ time: HuffmanCode) {
      self.first = HuffmanDecoder(first)
      self.frequency = HuffmanDecoder(frequency)
      self.time = HuffmanDecoder(time)
    }
  }

  private let levelFine = Family(
    Codebooks.aspxEnvLevel15F0, Codebooks.aspxEnvLevel15Df, Codebooks.aspxEnvLevel15Dt)
  private let levelCoarse = Family(
    Codebooks.aspxEnvLevel30F0, Codebooks.aspxEnvLevel30Df, Codebooks.aspxEnvLevel30Dt)
  private let balanceFine = Family(
    Codebooks.aspxEnvBalance15F0, Codebooks.aspxEnvBalance15Df, Codebooks.aspxEnvBalance15Dt)
  private let balanceCoarse = Family(
    Codebooks.aspxEnvBalance30F0, Codebooks.aspxEnvBalance30Df, Codebooks.aspxEnvBalance30Dt)
  private let noiseLevel = Family(
    Codebooks.aspxNoiseLevelF0, Codebooks.aspxNoiseLevelDf, Codebooks.aspxNoiseLevelDt)
  private let noiseBalance = Family(
    Codebooks.aspxNoiseBalanceF0, Codebooks.aspxNoiseBalanceDf, Codebooks.aspxNoiseBalanceDt)

  /// The books of signal levels.
  func signal(isBalance: Bool, isCoarse: Bool) -> Family {
    if isBalance { return isCoarse ? balanceCoarse : balanceFine }
    return isCoarse ? levelCoarse : levelFine
  }

  /// The books of noise levels.
  func noise(isBalance: Bool) -> Family { isBalance ? noiseBalance : noiseLevel }
}
