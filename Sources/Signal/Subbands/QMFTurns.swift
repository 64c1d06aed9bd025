import CSignal
import Platform

/// The twiddles of the filter bank's transform in one direction.
final class QMFTurns {
  private typealias Parts = (cosines: FixedBuffer<Float>, sines: FixedBuffer<Float>)

  private let fft: Parts
  private let places: Parts
  private let bands: Parts

  /// Twiddles of π · `places`(n) for place n of a slot and of π · `bands`(n) for subband n, the latter times `scale`.
  init(scale: Double = 1, places: (Int) -> Double, bands: (Int) -> Double) {
    var passes: [(Double, Double)] = []
    for length in [QMF.bands, QMF.bands / 4, QMF.bands / 16] {
      passes += SingleFFT.twiddles(length, 4, byPower: false)
    }
    fft = (
      FixedBuffer(passes.map { Float($0.0) }, or: 1), FixedBuffer(passes.map { Float($0.1) }, or: 0)
    )
    self.places = QMFTurns.phases(1, places)
    self.bands = QMFTurns.phases(scale, bands)
  }

  /// All of them.
  var all: sg_turns {
    sg_turns(
      fft_cosines: fft.cosines.base, fft_sines: fft.sines.base, place_cosines: places.cosines.base,
      place_sines: places.sines.base, band_cosines: bands.cosines.base,
      band_sines: bands.sines.base)
  }

  /// Cosines and sines of π · `turns`(row) for all 64 rows, times `scale`.
  private static func phases(_ scale: Double, _ turns: (Int) -> Double) -> Parts {
    let angles = (0..<QMF.bands).map(turns)
    return (
      FixedBuffer(angles.map { Float(cos(.pi * $0) * scale) }, or: 0),
      FixedBuffer(angles.map { Float(sin(.pi * $0) * scale) }, or: 0)
    )
  }
}
