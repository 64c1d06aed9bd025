import AudioCore
import LibAV

/// Convolves any number of channels to two, by overlap-save with two successive segments of a signal
/// in one complex transform.
///
/// Segments start at fixed positions of the signal, so the output doesn't depend on how the input is
/// cut. Output sample n is the exact convolution at n: the filters' delay is the only one.
final class FastConvolver: ChannelConvolver {
  private let hop: Int
  /// Samples by which the output outlasts the input.
  private let tail: Int
  private let fft: PlanarTransform
  private let sources: [ConvolverInput.Source]
  private let segments: [SegmentPair]
  private let middle: SpectrumSum
  private let side: SpectrumSum?
  /// Samples of the current two segments that have arrived.
  private var filled = 0
  private var received = 0
  private var emitted = 0

  /// A convolver for filters of `taps` taps each (channel × tap), to the left and right output, by
  /// transforms of `transformLength` points, a power of two of at least 128 and twice as many.
  init(left: [[Double]], right: [[Double]], taps: Int, transformLength: Int) {
    let fft = PlanarTransform(length: transformLength)
    // The second segment starts `hop` floats after the first one; the transform needs it 32-byte
    // aligned.
    let hop = (transformLength - taps + 1) / 8 * 8
    let inputs = ConvolverInput.list(left: left, right: right)
    let segments = inputs.map { _ in SegmentPair(hop: hop, fft) }
    let all = zip(segments, inputs)
    middle = SpectrumSum(
      all.compactMap { pair, input in input.middle.map { (pair.spectrum, $0) } }, fft)
    let aside = all.compactMap { pair, input in input.side.map { (pair.spectrum, $0) } }
    side = aside.isEmpty ? nil : SpectrumSum(aside, fft)
    sources = inputs.map(\.source)
    tail = taps - 1
    self.segments = segments
    self.hop = hop
    self.fft = fft
  }

  /// The smallest transform that spends at most a quarter of its points on history. Larger ones
  /// cost more per sample, because they leave the first-level cache, and round more.
  static func bestLength(taps: Int) -> Int {
    var length = 512
    while length < 4 * taps { length *= 2 }
    return length
  }

  func process(_ sources: [UnsafePointer<Float>], frames: Int, into output: AudioBuffer) {
    var position = 0
    while position < frames {
      let count = min(2 * hop - filled, frames - position)
      for (source, pair) in zip(self.sources, segments) {
        FastConvolver.fill(pair.target(filled), source, sources, position, count)
      }
      filled += count
      received += count
      position += count
      if filled == 2 * hop { emit(2 * hop, into: output) }
    }
  }

  func finish(into output: AudioBuffer) {
    let total = received > 0 ? received + tail : 0
    while emitted < total {
      for pair in segments { pair.silence(from: filled) }
      emit(min(2 * hop, total - emitted), into: output)
    }
  }

  /// Writes samples `start` to `start` + `count` − 1 of `source` to `target`.
  private static func fill(
    _ target: UnsafeMutablePointer<Float>, _ source: ConvolverInput.Source,
    _ channels: [UnsafePointer<Float>], _ start: Int, _ count: Int
  ) {
    switch source {
    case .channel(let index):
      target.update(from: channels[index] + start, count: count)
    case .sum(let one, let other):
      let (a, b) = (channels[one] + start, channels[other] + start)
      for index in 0..<count { target[index] = a[index] + b[index] }
    case .difference(let one, let other):
      let (a, b) = (channels[one] + start, channels[other] + start)
      for index in 0..<count { target[index] = a[index] - b[index] }
    }
  }

  /// Transforms two segments and appends `count` samples of what comes out.
  private func emit(_ count: Int, into output: AudioBuffer) {
    for pair in segments { pair.transform(fft) }
    middle.update()
    side?.update()
    let start = output.grow(by: count)
    guard let left = output.channel(0).baseAddress, let right = output.channel(1).baseAddress
    else { return }
    let first = min(hop, count)
    append(first, plane: 0, to: left + start, right + start)
    append(count - first, plane: 1, to: left + start + hop, right + start + hop)
    emitted += count
    filled = 0
  }

  private func append(
    _ count: Int, plane: Int, to left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>
  ) {
    let offset = plane * fft.stride + fft.length - hop
    let same = middle.signals.base + offset
    guard let opposite = side.map({ $0.signals.base + offset }) else {
      left.update(from: same, count: count)
      right.update(from: same, count: count)
      return
    }
    for index in 0..<count {
      left[index] = same[index] + opposite[index]
      right[index] = same[index] - opposite[index]
    }
  }
}
