import AudioCore
import LibAV

/// Convolves one channel with a long real filter, two successive segments in one transform.
///
/// Segments start at fixed positions of the signal, so the output doesn't depend on how the input
/// is cut.
final class MonoConvolver {
  private let hop: Int
  /// Samples by which the output outlasts the input.
  private let tail: Int
  private let fft: PlanarTransform
  private let pair: SegmentPair
  private let result: SpectrumSum
  private var filled = 0
  private var received = 0
  private var emitted = 0

  /// A convolver for these taps.
  init(taps: [Double]) {
    let fft = PlanarTransform(length: FastConvolver.bestLength(taps: taps.count))
    tail = max(1, taps.count) - 1
    hop = (fft.length - tail) / 8 * 8
    pair = SegmentPair(hop: hop, fft)
    result = SpectrumSum([(pair.spectrum, taps)], fft)
    self.fft = fft
  }

  /// Consumes the sum of `sources` (`frames` samples each) and appends what is ready to the first
  /// plane of `output`.
  func process(_ sources: [UnsafePointer<Float>], frames: Int, into output: AudioBuffer) {
    var position = 0
    while position < frames {
      let count = min(2 * hop - filled, frames - position)
      let target = pair.target(filled)
      target.update(repeating: 0, count: count)
      for source in sources {
        let start = source + position
        for index in 0..<count { target[index] += start[index] }
      }
      filled += count
      received += count
      position += count
      if filled == 2 * hop { emit(2 * hop, into: output) }
    }
  }

  /// Appends what is left: the filter's whole response to the last samples.
  func finish(into output: AudioBuffer) {
    let total = received > 0 ? received + tail : 0
    while emitted < total {
      pair.silence(from: filled)
      emit(min(2 * hop, total - emitted), into: output)
    }
  }

  private func emit(_ count: Int, into output: AudioBuffer) {
    pair.transform(fft)
    result.update()
    let start = output.grow(by: count)
    guard let target = output.channel(0).baseAddress.map({ $0 + start }) else { return }
    let first = result.signals.base + fft.length - hop
    target.update(from: first, count: min(hop, count))
    if count > hop { (target + hop).update(from: first + fft.stride, count: count - hop) }
    emitted += count
    filled = 0
  }
}
