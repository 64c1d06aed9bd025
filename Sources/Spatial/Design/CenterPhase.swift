import Platform

/// The phase that the inverse gives a centred sound, and how it returns to zero over the upper
/// fade.
///
/// A cross-fade between signals of different phases would cut a notch. So the phase is removed from
/// the inverse before it is mixed with the plain passage, and a decreasing part of it is put back
/// afterwards. Both loudspeakers get the same shift, so the crosstalk stays cancelled.
struct CenterPhase: Sendable {
  /// Phase to remove from each bin's inverse, in radians.
  private let taken: [Double]
  /// Phase to put back into each bin's mixture, in radians.
  private let given: [Double]

  /// Follows the phase of `inverses` (`width` Hz per bin) through the upper fade of `band`.
  init(_ inverses: [ComplexMatrix], width: Double, _ band: PassBand) {
    let first = min(inverses.count - 1, Int(band.high.lowerBound / width))
    var taken = [Double](repeating: 0, count: inverses.count)
    for bin in first..<inverses.count {
      let matrix = inverses[bin]
      let center = matrix.ll + matrix.lr + matrix.rl + matrix.rr
      let phase = atan2(center.im, center.re)
      let before = bin > first ? taken[bin - 1] : phase
      let turns = ((before - phase) / (2 * .pi)).rounded()
      taken[bin] = phase + 2 * .pi * turns
    }
    let middle = (band.high.lowerBound + band.high.upperBound) / 2
    // A whole number of turns is no phase shift, so the phase fades to the nearest such number.
    let end =
      (taken[min(inverses.count - 1, Int(middle / width))] / (2 * .pi)).rounded() * 2 * .pi
    var given = taken
    for bin in first..<inverses.count {
      given[bin] = end + (taken[bin] - end) * band.share(at: Double(bin) * width)
    }
    self.taken = taken
    self.given = given
  }

  /// `inverse` of `bin` without its phase.
  func taken(from inverse: ComplexMatrix, bin: Int) -> ComplexMatrix {
    inverse.turned(by: -taken[bin])
  }

  /// `mixture` of `bin` with the part of the phase that remains there.
  func given(back mixture: ComplexMatrix, bin: Int) -> ComplexMatrix {
    mixture.turned(by: given[bin])
  }
}
