// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// Convolves any number of channels to two, by overlap-save with two successive segments of a signal
/// in one complex transform.
///
/// Segments start at fixed positions of the signal, so the output doesn't depend on how the input is
/// cut. Output sample n is the exact convolution at n: the filters' delay is the only one.
final class FastConvolver {
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

  /// Consumes `frames` samples of each channel and appends what is ready to the two planes of `output`.
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

  /// Appends what is left: the filters' whole response to the last samples.
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

/// A signal that goes through a convolver: a channel, or the sum or the difference of two whose
/// responses mirror each other.
///
/// Outputs are made of their middle, (left + right) / 2, and their side, (left − right) / 2. The sum
/// of mirrored channels is heard in the middle only and their difference at the side only; a symmetric
/// head hears each channel of a scene in one of the two only. That halves the multiplications and mirrors
/// the output to the last bit when its input is mirrored.
struct ConvolverInput {
  /// The composition of a signal; channels by index.
  enum Source: Equatable {
    case channel(Int)
    case sum(Int, Int)
    case difference(Int, Int)
  }

  /// Composition of the signal.
  let source: Source
  /// Taps to the middle; `nil` when it doesn't get there.
  let middle: [Double]?
  /// Taps to the side; `nil` when it doesn't get there.
  let side: [Double]?

  /// Responses this close, relative to their peak, are the same: far below what Float32 holds.
  private static let tolerance = 1e-11

  /// The signals that channels with these taps (channel × tap) are played by.
  static func list(left: [[Double]], right: [[Double]]) -> [ConvolverInput] {
    var taken = [Bool](repeating: false, count: left.count)
    var inputs: [ConvolverInput] = []
    for index in left.indices where !taken[index] {
      let (l, r) = (left[index], right[index])
      let middle = mean(l, r, sign: 1)
      guard !isSame(l, r) else {
        inputs.append(ConvolverInput(source: .channel(index), middle: middle, side: nil))
        continue
      }
      let side = mean(l, r, sign: -1)
      guard !isSame(l, r, sign: -1) else {
        inputs.append(ConvolverInput(source: .channel(index), middle: nil, side: side))
        continue
      }
      let mirror = left.indices.first { other in
        other > index && !taken[other] && isSame(l, right[other]) && isSame(r, left[other])
      }
      guard let mirror else {
        inputs.append(ConvolverInput(source: .channel(index), middle: middle, side: side))
        continue
      }
      taken[mirror] = true
      inputs.append(ConvolverInput(source: .sum(index, mirror), middle: middle, side: nil))
      inputs.append(ConvolverInput(source: .difference(index, mirror), middle: nil, side: side))
    }
    return inputs
  }

  private static func mean(_ one: [Double], _ other: [Double], sign: Double) -> [Double] {
    zip(one, other).map { ($0 + sign * $1) / 2 }
  }

  /// Whether `one` is `sign` times `other`.
  private static func isSame(_ one: [Double], _ other: [Double], sign: Double = 1) -> Bool {
    let peak = one.reduce(0) { max($0, $1.magnitude) }
    return zip(one, other).allSatisfy { ($0 - sign * $1).magnitude <= tolerance * peak }
  }
}

/// One real signal on its way into transforms: two successive segments, each after its history, as
/// real and imaginary part.
final class SegmentPair {
  /// The spectrum of both segments.
  let spectrum: Buffer<Float>
  private let signal: Buffer<Float>
  private let history: Int
  private let hop: Int

  /// Segments of `hop` samples that fill the transforms of `fft`; both are multiples of 8.
  init(hop: Int, _ fft: PlanarTransform) {
    self.hop = hop
    history = fft.length - hop
    signal = Buffer(aligned: history + 2 * hop)
    spectrum = fft.planes()
  }

  /// Address of sample `position` of the two segments.
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
