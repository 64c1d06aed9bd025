// SPDX-License-Identifier: Apache-2.0
import Signal

@testable import AC4

/// The codes of coupling parameters by their names in the tables.
enum ACPLCodes {
  /// First values, differences along frequency, differences along time.
  static func of(_ quantity: ACPLQuantity, isCoarse: Bool) -> [HuffmanCode] {
    switch (quantity, isCoarse) {
    case (.alpha, false):
      return [Codebooks.acplAlphaFineF0, Codebooks.acplAlphaFineDf, Codebooks.acplAlphaFineDt]
    case (.alpha, true):
      return [
        Codebooks.acplAlphaCoarseF0, Codebooks.acplAlphaCoarseDf, Codebooks.acplAlphaCoarseDt,
      ]
    case (.beta, false):
      return [Codebooks.acplBetaFineF0, Codebooks.acplBetaFineDf, Codebooks.acplBetaFineDt]
    case (.beta, true):
      return [Codebooks.acplBetaCoarseF0, Codebooks.acplBetaCoarseDf, Codebooks.acplBetaCoarseDt]
    case (.beta3, false):
      return [Codebooks.acplBeta3FineF0, Codebooks.acplBeta3FineDf, Codebooks.acplBeta3FineDt]
    case (.beta3, true):
      return [
        Codebooks.acplBeta3CoarseF0, Codebooks.acplBeta3CoarseDf, Codebooks.acplBeta3CoarseDt,
      ]
    case (.gamma, false):
      return [Codebooks.acplGammaFineF0, Codebooks.acplGammaFineDf, Codebooks.acplGammaFineDt]
    case (.gamma, true):
      return [
        Codebooks.acplGammaCoarseF0, Codebooks.acplGammaCoarseDf, Codebooks.acplGammaCoarseDt,
      ]
    }
  }
}
