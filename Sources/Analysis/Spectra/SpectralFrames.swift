// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// Gives the mean power spectrum of some channels for overlapping frames of sound.
///
/// Two channels share one complex transform: |Z(k)|² + |Z(−k)|² is twice the sum of their powers. The transform is
/// one of Float32, whose errors lie 140 dB and more below the frame's loudest part; the powers are Double.
final class SpectralFrames {
  /// Samples of a frame, a power of two.
  let length: Int
  /// Distance of neighbouring lines of the spectrum in Hz.
  let spacing: Double
  /// Lines of the spectrum, from 0 Hz to half the rate.
  var lines: Int { length / 2 + 1 }

  private let channels: [Int]
  private let transform: SingleFFT
  private let window: Buffer<Float>
  private let real: Buffer<Float>
  private let imaginary: Buffer<Float>
  private let power: Buffer<Double>
  private let pending: AudioBuffer

  /// Frames of `channels` of sound in `format`, with a window to the power of `steepness`: 1 is Hann's, and
  /// each further one makes its side lobes fall by 12 dB per octave more.
  /// - Parameters:
  ///   - lead: samples of silence before the first one.
  ///   - length: samples of a frame, a power of two of at least 16.
  init(_ format: AudioFormat, channels: [Int], length: Int, lead: Int = 0, steepness: Int = 1) {
    self.channels = channels
    self.length = length
    spacing = Double(format.sampleRate) / Double(length)
    transform = SingleFFT(length: length)
    let hann = (0..<length).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(length)) }
    let shape = hann.map { value in
      (1..<max(1, steepness)).reduce(value) { power, _ in power * value }
    }
    // 4/(Σw)² makes a full-scale sine 1; half of it, because each power comes twice, and the mean of the
    // channels.
    let total = shape.reduce(0, +)
    let scale = (2 / (total * total * Double(max(1, channels.count)))).squareRoot()
    window = Buffer(shape.map { Float($0 * scale) }, or: 0)
    real = Buffer(0, count: length)
    imaginary = Buffer(0, count: length)
    power = Buffer(0, count: length / 2 + 1)
    pending = AudioBuffer(channels: format.channels, capacity: 2 * length)
    pending.appendSilence(lead)
  }

  /// Samples of a frame: `samples` at 48 kHz, about as many milliseconds at other rates, a power of two.
  static func length(_ samples: Int, at sampleRate: Int) -> Int {
    let wanted = Double(samples) * Double(sampleRate) / 48_000
    var length = 64
    // The nearest one as a ratio: √2 is half-way to the next.
    while Double(length) * 2.0.squareRoot() < wanted, length < 32_768 { length *= 2 }
    return length
  }

  /// Takes `block`. `use` gets the spectrum of each frame that is complete, where 1 is the power of a sine at
  /// full scale in all channels, and answers how many samples later the next one begins, at most
  /// ``length``.
  func add(_ block: AudioBuffer, _ use: (UnsafePointer<Double>) -> Int) {
    var taken = 0
    while taken < block.frames {
      let count = min(length, block.frames - taken)
      pending.append(block, range: taken..<taken + count)
      taken += count
      drain(use)
    }
  }

  /// Takes `count` samples of silence; see ``add(_:_:)``.
  func addSilence(_ count: Int, _ use: (UnsafePointer<Double>) -> Int) {
    var left = count
    while left > 0 {
      pending.appendSilence(min(left, length))
      left -= length
      drain(use)
    }
  }

  private func drain(_ use: (UnsafePointer<Double>) -> Int) {
    var start = 0
    while start + length <= pending.frames {
      analyse(start)
      start += min(length, use(power.base))
    }
    pending.removeFirst(start)
  }

  private func analyse(_ start: Int) {
    power.fill(0)
    for pair in stride(from: 0, to: channels.count, by: 2) {
      load(channels[pair], start, into: real)
      if pair + 1 < channels.count {
        load(channels[pair + 1], start, into: imaginary)
      } else {
        imaginary.fill(0)
      }
      transform.transform(real.base, imaginary.base)
      collect()
    }
  }

  /// Copies a frame of one channel, times the window. A NaN or an infinity counts as silence,
  /// because it would spoil all that comes later.
  private func load(_ channel: Int, _ start: Int, into target: Buffer<Float>) {
    guard let plane = pending.channel(channel).baseAddress else { return }
    let (samples, window, target) = (plane + start, window.base, target.base)
    for index in 0..<length {
      let sample = samples[index]
      target[index] = (sample.magnitude < .infinity ? sample : 0) * window[index]
    }
  }

  private func collect() {
    let (re, im, power) = (real.base, imaginary.base, power.base)
    for line in 0..<lines {
      let mirror = (length - line) & (length - 1)
      let (a, b) = (Double(re[line]), Double(im[line]))
      let (c, d) = (Double(re[mirror]), Double(im[mirror]))
      power[line] += a * a + b * b + c * c + d * d
    }
  }
}
