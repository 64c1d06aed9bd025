import AudioCore
import LibAV

/// Convolves one channel with a long real filter, two successive segments at a time.
///
/// A real filter leaves the real and the imaginary part of a complex signal apart, so one segment
/// goes in as each and no spectrum has to be taken apart. Segments start at fixed positions of the
/// signal, so the output doesn't depend on how the input is cut.
final class MonoConvolver {
  private let transformLength: Int
  private let hop: Int
  private let history: Int
  private let fft: ComplexFFT
  /// The filter's spectrum, interleaved, with the inverse transform's 1/N.
  private let filter: AlignedFloats
  /// The history, then two segments.
  private let input: AlignedFloats
  private let work: AlignedFloats
  private let spectrum: AlignedFloats
  private var filled = 0
  private var received = 0
  private var emitted = 0

  /// A convolver for these taps.
  /// - Throws: ``MediaError`` of kind `internal` when no transform can be made.
  init(taps: [Double]) throws {
    history = max(1, taps.count) - 1
    transformLength = FastConvolver.bestLength(taps: taps.count)
    hop = transformLength - history
    fft = try ComplexFFT(length: transformLength)
    filter = AlignedFloats(count: 2 * transformLength)
    input = AlignedFloats(count: history + 2 * hop)
    work = AlignedFloats(count: 2 * transformLength)
    spectrum = AlignedFloats(count: 2 * transformLength)
    let design = DoubleFFT(length: transformLength)
    var re = taps.map { $0 / Double(transformLength) }
    re += [Double](repeating: 0, count: transformLength - taps.count)
    var im = [Double](repeating: 0, count: transformLength)
    design.forward(&re, &im)
    for bin in 0..<transformLength {
      filter.base[2 * bin] = Float(re[bin])
      filter.base[2 * bin + 1] = Float(im[bin])
    }
  }

  /// Consumes the sum of `sources` (`frames` samples each) and appends what is ready to the first
  /// plane of `output`.
  func process(_ sources: [UnsafePointer<Float>], frames: Int, into output: AudioBuffer) {
    var position = 0
    while position < frames {
      let count = min(2 * hop - filled, frames - position)
      let target = input.base + history + filled
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
    let total = received > 0 ? received + history : 0
    while emitted < total {
      (input.base + history + filled).update(repeating: 0, count: 2 * hop - filled)
      emit(min(2 * hop, total - emitted), into: output)
    }
  }

  private func emit(_ count: Int, into output: AudioBuffer) {
    let source = input.base
    let pairs = work.base
    for index in 0..<transformLength {
      pairs[2 * index] = source[index]
      pairs[2 * index + 1] = source[hop + index]
    }
    fft.forward(pairs, into: spectrum.base)
    let bins = spectrum.base
    let gains = filter.base
    for bin in 0..<transformLength {
      let re = bins[2 * bin]
      let im = bins[2 * bin + 1]
      bins[2 * bin] = re * gains[2 * bin] - im * gains[2 * bin + 1]
      bins[2 * bin + 1] = re * gains[2 * bin + 1] + im * gains[2 * bin]
    }
    fft.inverse(bins, into: pairs)
    append(count, of: pairs + 2 * history, to: output)
    source.update(from: source + 2 * hop, count: history)
    emitted += count
    filled = 0
  }

  private func append(_ count: Int, of pairs: UnsafePointer<Float>, to output: AudioBuffer) {
    let start = output.grow(by: count)
    guard let target = output.channel(0).baseAddress.map({ $0 + start }) else { return }
    for index in 0..<min(hop, count) { target[index] = pairs[2 * index] }
    guard count > hop else { return }
    for index in hop..<count { target[index] = pairs[2 * (index - hop) + 1] }
  }
}
