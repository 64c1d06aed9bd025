import AudioCore
import LibAV
import Platform

/// Short-time spectra of two aligned files: Hann windows of about 40 ms every 20 ms.
///
/// Full scale is a power of 1: a sine of amplitude 1 has 0 dB summed over its bins, whatever the
/// window's length.
package final class SpectralAnalyzer {
  /// Windows a second.
  package static let framesPerSecond = 50
  private let transform: ComplexFFT
  private let length: Int
  private let hop: Int
  private let window: [Float]
  private let input: AlignedFloats
  private let output: AlignedFloats
  private let old: AudioBuffer
  private let new: AudioBuffer
  private let frame: SpectralFrame

  /// An analyser of files in `format`.
  /// - Throws: ``MediaError`` when no transform can be made.
  package init(format: AudioFormat) throws {
    var length = 64
    while length * 36 < format.sampleRate { length *= 2 }
    self.length = length
    hop = max(1, format.sampleRate / SpectralAnalyzer.framesPerSecond)
    transform = try ComplexFFT(length: length)
    let shape = (0..<length).map { 0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(length)) }
    let energy = shape.reduce(0) { $0 + $1 * $1 }
    // One-sided power of a full-scale sine: A²/4 · N · Σw², doubled for its negative half.
    let scale = 2 / (energy * Double(length)).squareRoot()
    window = shape.map { Float($0 * scale) }
    (input, output) = (AlignedFloats(count: 2 * length), AlignedFloats(count: 2 * length))
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
    let target = input.base
    for channel in 0..<frame.channels {
      let (one, other) = (old.channel(channel), new.channel(channel))
      window.withUnsafeBufferPointer { window in
        for index in 0..<length {
          target[2 * index] = one[start + index] * window[index]
          target[2 * index + 1] = other[start + index] * window[index]
        }
      }
      transform.forward(target, into: output.base)
      split(channel)
    }
  }

  private func split(_ channel: Int) {
    let data = output.base
    let (old, new) = (frame.reference(channel), frame.test(channel))
    for bin in 0..<frame.bins {
      let mirror = bin == 0 ? 0 : length - bin
      let (a, b) = (data[2 * bin], data[2 * bin + 1])
      let (c, d) = (data[2 * mirror], data[2 * mirror + 1])
      old.re[bin] = 0.5 * (a + c)
      old.im[bin] = 0.5 * (b - d)
      new.re[bin] = 0.5 * (b + d)
      new.im[bin] = 0.5 * (c - a)
    }
  }
}
