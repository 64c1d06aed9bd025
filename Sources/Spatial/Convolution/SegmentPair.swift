import LibAV

/// One real signal on its way into transforms: two successive segments, each after its history, as
/// real and imaginary part.
final class SegmentPair {
  /// The spectrum of both segments.
  let spectrum: AlignedFloats
  private let signal: AlignedFloats
  private let history: Int
  private let hop: Int

  /// Segments of `hop` samples that fill the transforms of `fft`; both are multiples of 8.
  init(hop: Int, _ fft: PlanarTransform) {
    self.hop = hop
    history = fft.length - hop
    signal = AlignedFloats(count: history + 2 * hop)
    spectrum = fft.planes()
  }

  /// Where sample `position` of the two segments goes.
  func target(_ position: Int) -> UnsafeMutablePointer<Float> {
    signal.base + history + position
  }

  /// Makes the samples from `position` on silent.
  func silence(from position: Int) {
    target(position).update(repeating: 0, count: 2 * hop - position)
  }

  /// Updates ``spectrum`` and keeps the segments' end as history.
  func transform(_ fft: PlanarTransform) {
    fft.forward(signal.base, signal.base + hop, into: spectrum)
    signal.base.update(from: signal.base + 2 * hop, count: history)
  }
}
