// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// Short-time spectra of two aligned files: Hann windows of about 40 ms every 20 ms.
///
/// Full scale is a power of 1: a sine of amplitude 1 has 0 dB summed over its bins, whatever the
/// window's length.
package final class SpectralAnalyzer {
  /// Windows a second.
  package static let framesPerSecond = 50
  private let transform: SingleFFT
  private let length: Int
  private let hop: Int
  private let window: [Float]
  private let real: Buffer<Float>
  private let imaginary: Buffer<Float>
  private let old: AudioBuffer
  private let new: AudioBuffer
  private let frame: SpectralFrame

  /// An analyser of files in `format`.
  package init(format: AudioFormat) {
    var length = 64
    while length * 36 < format.sampleRate { length *= 2 }
    self.length = length
    hop = max(1, format.sampleRate / SpectralAnalyzer.framesPerSecond)
    transform = SingleFFT(length: length)
    let shape = (0..<length).map { 0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(length)) }
    let energy = shape.reduce(0) { $0 + $1 * $1 }
    // One-sided power of a full-scale sine: A²/4 · N · Σw², doubled for its negative half.
    let scale = 2 / (energy * Double(length)).squareRoot()
    window = shape.map { Float($0 * scale) }
    (real, imaginary) = (Buffer(aligned: length), Buffer(aligned: length))
    old = AudioBuffer(channels: format.channels, capacity: 4 * length)
    new = AudioBuffer(channels: format.channels, capacity: 4 * length)
    frame = SpectralFrame(
      bins: length / 2 + 1, channels: format.channels,
      spacing: Double(format.sampleRate) / Double(length))
  }

  /// Adds the next `count` samples of both and hands complete spectra to `body`.
  package func add(
    _ reference: AudioBuffer, _ test: AudioBuffer, count: Int, _ body: (SpectralFrame) -> Void
  ) {
    old.append(reference, range: 0..<count)
    new.append(test, range: 0..<count)
    var start = 0
    while old.frames - start >= length {
      analyze(start)
      body(frame)
      start += hop
    }
    let done = min(start, old.frames)
    old.removeFirst(done)
    new.removeFirst(done)
  }

  /// REF is the real part of the input and TEST the imaginary one, so one transform gives both.
  private func analyze(_ start: Int) {
    let (re, im) = (real.base, imaginary.base)
    for channel in 0..<frame.channels {
      let (one, other) = (old.channel(channel), new.channel(channel))
      window.withUnsafeBufferPointer { window in
        for index in 0..<length {
          re[index] = one[start + index] * window[index]
          im[index] = other[start + index] * window[index]
        }
      }
      transform.transform(re, im)
      split(channel)
    }
  }

  private func split(_ channel: Int) {
    let (re, im) = (real.base, imaginary.base)
    let (old, new) = (frame.reference(channel), frame.test(channel))
    for bin in 0..<frame.bins {
      let mirror = bin == 0 ? 0 : length - bin
      old.re[bin] = 0.5 * (re[bin] + re[mirror])
      old.im[bin] = 0.5 * (im[bin] - im[mirror])
      new.re[bin] = 0.5 * (im[bin] + im[mirror])
      new.im[bin] = 0.5 * (re[mirror] - re[bin])
    }
  }
}

/// Spectra of one stretch of both files, channel by channel.
package final class SpectralFrame {
  /// Bins from 0 Hz to half the rate.
  package let bins: Int
  package let channels: Int
  /// Hz from one bin to the next.
  package let spacing: Double
  private let storage: Buffer<Float>

  init(bins: Int, channels: Int, spacing: Double) {
    self.bins = bins
    self.channels = channels
    self.spacing = spacing
    storage = Buffer(aligned: bins * channels * 4)
  }

  /// Real parts and imaginary parts of REF's channel, ``bins`` each.
  func reference(_ channel: Int) -> (
    re: UnsafeMutablePointer<Float>, im: UnsafeMutablePointer<Float>
  ) {
    let base = storage.base + channel * 4 * bins
    return (base, base + bins)
  }

  /// As ``reference(_:)``, for TEST.
  func test(_ channel: Int) -> (re: UnsafeMutablePointer<Float>, im: UnsafeMutablePointer<Float>) {
    let base = storage.base + channel * 4 * bins + 2 * bins
    return (base, base + bins)
  }
}

/// Ranges of bins for bands along a perceptual or logarithmic scale.
struct FrequencyBands {
  struct Band {
    /// Bins that belong to it.
    let bins: Range<Int>
    /// Lower edge in Hz.
    let low: Double
    /// Upper edge in Hz.
    let high: Double
    /// Centre in Hz.
    var center: Double { (low * high).squareRoot() }
  }

  let bands: [Band]

  /// Bands between neighbouring edges in Hz; those that hold no bin are left out.
  init(edges: [Double], spacing: Double, bins: Int) {
    bands = zip(edges, edges.dropFirst()).compactMap { low, high in
      let first = max(1, Int((low / spacing).rounded(.up)))
      let end = min(bins, Int((high / spacing).rounded(.up)))
      return first < end ? Band(bins: first..<end, low: low, high: high) : nil
    }
  }

  /// Forty bands of equal width on the mel scale (O'Shaughnessy's formula) from 50 Hz to 16 kHz
  /// or half the rate.
  static func mel(spacing: Double, bins: Int) -> FrequencyBands {
    let mel = { (hertz: Double) in 2595 * log10(1 + hertz / 700) }
    let top = mel(min(16_000, spacing * Double(bins - 1)))
    let edges = (0...40).map { step in
      let value = mel(50) + (top - mel(50)) * Double(step) / 40
      return 700 * (pow(10, value / 2595) - 1)
    }
    return FrequencyBands(edges: edges, spacing: spacing, bins: bins)
  }

  /// Bands of one ERB (Glasberg and Moore, 1990) from 100 Hz to 16 kHz.
  static func erb(spacing: Double, bins: Int) -> FrequencyBands {
    let number = { (hertz: Double) in 21.4 * log10(1 + 0.00437 * hertz) }
    let top = number(min(16_000, spacing * Double(bins - 1)))
    let edges = stride(from: number(100), through: top, by: 1).map {
      (pow(10, $0 / 21.4) - 1) / 0.00437
    }
    return FrequencyBands(edges: edges, spacing: spacing, bins: bins)
  }

  /// Bands of a twelfth of an octave from 100 Hz to half the rate; low bands that hold no bin are
  /// left out.
  static func twelfths(spacing: Double, bins: Int) -> FrequencyBands {
    let top = spacing * Double(bins - 1)
    let count = max(1, Int(12 * log2(top / 100)))
    let edges = (0...count).map { 100 * pow(2, Double($0) / 12) }
    return FrequencyBands(edges: edges, spacing: spacing, bins: bins)
  }
}
