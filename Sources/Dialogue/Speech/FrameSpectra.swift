// SPDX-License-Identifier: Apache-2.0
import Signal

/// Decimates a signal to 8 kHz or a little more, and cuts it into the windows of which spectra are made.
///
/// A frame is 20 ms; the windows around the middles of neighbouring frames overlap. Whole numbers place them, so that every
/// rate has its frames at the same times.
final class FrameWindows {
  /// Frames in a second.
  static let rate = 50
  /// Rate of the decimated signal in Hz.
  let sampleRate: Double
  /// Samples in a window: 64 ms at 8 kHz hold five periods of the lowest voice.
  let length: Int
  /// Frames handed on so far.
  private(set) var frames = 0

  private let originalRate: Int
  private let decimator: Decimator
  /// The decimated samples that are still needed, the first of them at `start`.
  private let samples: Buffer<Float>
  private var start: Int
  private var filled: Int
  /// Samples of the original signal.
  private var taken = 0

  /// Windows of a signal of `sampleRate` Hz, 8000 or more.
  init(sampleRate: Int) {
    originalRate = sampleRate
    let factor = max(1, sampleRate / 8000)
    self.sampleRate = Double(sampleRate) / Double(factor)
    length = self.sampleRate <= 12_000 ? 512 : 1024
    decimator = Decimator(
      factor: factor, taps: FrameWindows.lowPass(factor: factor, sampleRate: sampleRate))
    let step = Int(self.sampleRate) / FrameWindows.rate + 2
    let whole = length + (ParallelFFT.lanes + 1) * step
    // At the end, half a window of silence and another frame's comes on top.
    samples = Buffer(0, count: whole + decimator.largest + 2 * length)
    // Half a window of silence comes before the first sample.
    start = -length / 2
    filled = length / 2
  }

  /// Takes `count` samples and calls `use` with the first sample of each complete window, for up to eight frames at once, and
  /// the distances of their windows.
  func add(
    _ input: UnsafePointer<Float>, count: Int,
    _ use: (UnsafePointer<Float>, [Int]) -> Void
  ) {
    taken += count
    decimator.add(input, count: count) { push($0, $1, use) }
  }

  /// Hands on the frames that are left. Silence follows the signal.
  func finish(_ use: (UnsafePointer<Float>, [Int]) -> Void) {
    decimator.finish { push($0, $1, use) }
    let total = taken * FrameWindows.rate / originalRate
    while frames < total {
      let last = min(total, frames + ParallelFFT.lanes) - 1
      let missing = middle(last) + length / 2 - start - filled
      if missing > 0 {
        (samples.base + filled).update(repeating: 0, count: missing)
        filled += missing
      }
      hand(last + 1 - frames, use)
    }
  }

  private func push(
    _ input: UnsafePointer<Float>, _ count: Int, _ use: (UnsafePointer<Float>, [Int]) -> Void
  ) {
    (samples.base + filled).update(from: input, count: count)
    filled += count
    while start + filled >= middle(frames + ParallelFFT.lanes - 1) + length / 2 {
      hand(ParallelFFT.lanes, use)
    }
  }

  private func hand(_ count: Int, _ use: (UnsafePointer<Float>, [Int]) -> Void) {
    let first = middle(frames)
    let offset = first - length / 2 - start
    use(samples.base + offset, (0..<count).map { middle(frames + $0) - first })
    frames += count
    let unused = min(filled, middle(frames) - length / 2 - start)
    filled -= unused
    start += unused
    samples.base.update(from: samples.base + unused, count: filled)
  }

  /// Decimated sample in the middle of `frame`.
  private func middle(_ frame: Int) -> Int {
    (2 * frame + 1) * originalRate / (2 * FrameWindows.rate) / decimator.factor
  }

  /// Taps of the low-pass: a sinc under a Kaiser window that lets 3.6 kHz through with −6 dB. Speech needs 3.7 kHz here.
  static func lowPass(factor: Int, sampleRate: Int) -> [Float] {
    guard factor > 1 else { return [1] }
    let half = 12 * factor
    let beta = 5.5
    let cutoff = 3600.0 / Double(sampleRate)
    let taps = (0...2 * half).map { tap in
      let place = Double(tap - half) / Double(half)
      let window = Kaiser.bessel(beta * (1 - place * place).squareRoot()) / Kaiser.bessel(beta)
      guard tap != half else { return 2 * cutoff * window }
      let sine = Turn.point(3600 * (tap - half), of: sampleRate).sine
      return sine / (.pi * Double(tap - half)) * window
    }
    let sum = taps.reduce(0, +)
    return taps.map { Float($0 / sum) }
  }
}

/// Spectra of eight frames side by side, and back from spectra to autocorrelations.
final class FrameSpectra {
  /// Added to the power of each bin: about −100 dBFS, so that dither and digital silence say nothing.
  static let floor: Float = 1e-10
  /// Powers of the last eight windows: bin by bin, one frame in each lane.
  let powers: Buffer<SIMD8<Float>>
  /// Spectra without a phase that ``correlate()`` takes, laid out as ``powers``; zero at first.
  let inputs: Buffer<SIMD8<Float>>
  /// Bins of a spectrum.
  let bins: Int

  private let length: Int
  private let fft: ParallelFFT
  private let real: Buffer<SIMD8<Float>>
  private let imaginary: Buffer<SIMD8<Float>>
  /// The Hann window, and cosines and sines of the bins.
  private let window: [Float]
  private let cosines: [Float]
  private let sines: [Float]
  /// Makes a full-scale sine's peak lie near its power.
  private let scale: Float

  /// Spectra of windows of `length` samples.
  init(length: Int) {
    self.length = length
    bins = length / 2 + 1
    fft = ParallelFFT(length: length / 2)
    real = Buffer(SIMD8(), count: length / 2)
    imaginary = Buffer(SIMD8(), count: length / 2)
    powers = Buffer(SIMD8(), count: bins)
    inputs = Buffer(SIMD8(), count: bins)
    let turns = (0..<length).map { Turn.point($0, of: length) }
    let hann = turns.map { 0.5 - 0.5 * $0.cosine }
    window = hann.map { Float($0) }
    cosines = turns.prefix(bins).map { Float($0.cosine) }
    sines = turns.prefix(bins).map { Float($0.sine) }
    let energy = hann.reduce(0) { $0 + $1 * $1 }
    scale = Float(2 / (Double(length) * energy))
  }

  /// Calculates ``powers`` of the windows that begin `offsets` samples after `samples`; one for each lane, eight at most.
  func analyse(_ samples: UnsafePointer<Float>, _ offsets: [Int]) {
    let (re, im) = (plane(real), plane(imaginary))
    window.withUnsafeBufferPointer { window in
      for (lane, offset) in offsets.enumerated() {
        let from = samples + offset
        for point in 0..<length / 2 {
          re[8 * point + lane] = from[2 * point] * window[2 * point]
          im[8 * point + lane] = from[2 * point + 1] * window[2 * point + 1]
        }
      }
    }
    fft.transform(re, im)
    splitPowers()
  }

  /// Even and odd samples were transformed as one complex signal; this takes the two apart.
  private func splitPowers() {
    let half = length / 2
    let (re, im, to) = (real.base, imaginary.base, powers.base)
    cosines.withUnsafeBufferPointer { cosines in
      sines.withUnsafeBufferPointer { sines in
        for bin in 0..<bins {
          let (one, other) = (bin % half, (half - bin) % half)
          let evenReal = (re[one] + re[other]) * 0.5
          let evenImaginary = (im[one] - im[other]) * 0.5
          let oddReal = (im[one] + im[other]) * 0.5
          let oddImaginary = (re[other] - re[one]) * 0.5
          let (c, s) = (cosines[bin], sines[bin])
          let x = evenReal + (oddReal * c + oddImaginary * s)
          let y = evenImaginary + (oddImaginary * c - oddReal * s)
          to[bin] = (x * x + y * y) * scale + FrameSpectra.floor
        }
      }
    }
  }

  /// Transforms ``inputs`` back to autocorrelations, which ``correlation(_:_:)`` answers then.
  func correlate() {
    let half = length / 2
    let (re, im, from) = (real.base, imaginary.base, inputs.base)
    let scale = 1 / Float(half)
    cosines.withUnsafeBufferPointer { cosines in
      sines.withUnsafeBufferPointer { sines in
        for bin in 0..<half {
          let sum = (from[bin] + from[half - bin]) * 0.5
          let difference = (from[bin] - from[half - bin]) * 0.5
          re[bin] = (sum - difference * sines[bin]) * scale
          im[bin] = difference * cosines[bin] * scale
        }
      }
    }
    fft.transform(plane(imaginary), plane(real))
  }

  /// The autocorrelation at `lag` samples of the frame in `lane`, after ``correlate()``.
  func correlation(_ lag: Int, _ lane: Int) -> Float {
    (lag % 2 == 0 ? real : imaginary).base[lag / 2][lane]
  }

  private func plane(_ buffer: Buffer<SIMD8<Float>>) -> UnsafeMutablePointer<Float> {
    UnsafeMutableRawPointer(buffer.base).assumingMemoryBound(to: Float.self)
  }
}
