import Platform

/// The phase that an inverse gives a centred sound, and its way to none over the upper fade.
///
/// Fading at different phases would cut a notch. So the phase is taken from the inverse, which
/// then adds to the plain passage at its full magnitude, and given back in decreasing part to
/// both: a shift that both loudspeakers share leaves the crosstalk as it is.
struct CenterPhase: Sendable {
  /// Phase to take away from each bin's inverse, in radians.
  private let taken: [Double]
  /// Phase to give each bin's mixture.
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
    // Whole turns are no phase: the nearest number of them is where the way ends.
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

  /// `mixture` of `bin` with what is left of the phase.
  func given(back mixture: ComplexMatrix, bin: Int) -> ComplexMatrix {
    mixture.turned(by: given[bin])
  }
}
