// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// Mean level in thirds of an octave (IEC 61260-1, base ten) from windows at fixed places.
///
/// Windows of about 170 ms lie 0.25 s apart at first; the distance doubles after every 64 of them up to
/// 8 s, and each counts by its distance to the next. So the cost per hour is bounded, a short
/// programme has many windows, and neither the length nor the cut into blocks needs to be known.
/// Two channels share one complex transform: |Z(k)|² + |Z(−k)|² is twice the sum of their powers.
package final class LongTermSpectrum {
  /// Middles of the bands, Hz: 25 Hz to 20 kHz.
  package static let frequencies = (-16...13).map { pow(10, 3 + Double($0) / 10) }
  /// Windows after which their distance doubles.
  private static let windowsPerDistance = 64
  /// Largest distance in quarters of a second: 8 s.
  private static let longestDistance = 32

  private struct WindowKey: Equatable {
    let length: Int
    let channels: Int
  }

  /// At 48 kHz each takes 32 KiB.
  private static let windows = SharedDesigns<WindowKey, [Float]>(capacity: 4)

  private let format: AudioFormat
  private let length: Int
  private let transform: SingleFFT
  private let window: [Float]
  /// The window of each channel.
  private let inputs: [Buffer<Float>]
  private let real: Buffer<Float>
  private let imaginary: Buffer<Float>
  private var power: [Double]
  private var weight = 0.0
  /// First sample of the current window, and how many of its samples are there.
  private var start: Int64 = 0
  private var filled = 0
  private var position: Int64 = 0
  /// Quarters of a second to the next window.
  private var distance = 1
  private var windows = 0

  /// A spectrum of audio in `format`.
  package init(format: AudioFormat) {
    self.format = format
    var length = 64
    while length * 8 < format.sampleRate { length *= 2 }
    self.length = length
    transform = SingleFFT(length: length)
    let key = WindowKey(length: length, channels: format.channels)
    window = LongTermSpectrum.windows.design(for: key) { LongTermSpectrum.window(key) }
    inputs = (0..<format.channels).map { _ in Buffer(aligned: length) }
    real = Buffer(aligned: length)
    imaginary = Buffer(aligned: length)
    power = [Double](repeating: 0, count: length / 2 + 1)
  }

  /// A Hann window whose transforms are to scale.
  private static func window(_ key: WindowKey) -> [Float] {
    let points = Double(key.length)
    let shape = (0..<key.length).map { (index: Int) -> Double in
      0.5 - 0.5 * cos(2 * .pi * (Double(index) + 0.5) / points)
    }
    let energy = shape.reduce(0) { $0 + $1 * $1 }
    // 4/(N·Σw²) makes a full-scale sine 1; half of it, because each power comes twice, and the mean
    // of the channels.
    let scale = (2 / (energy * Double(key.length * key.channels))).squareRoot()
    return shape.map { Float($0 * scale) }
  }

  /// Takes the next block, of any length.
  package func add(_ buffer: AudioBuffer) {
    let end = position + Int64(buffer.frames)
    while start + Int64(filled) < end {
      let from = Int(start + Int64(filled) - position)
      let count = min(length - filled, buffer.frames - from)
      for channel in 0..<format.channels {
        guard let plane = buffer.channel(channel).baseAddress else { continue }
        fill(channel, plane + from, count)
      }
      filled += count
      guard filled == length else { break }
      close()
    }
    position = end
  }

  /// Level of each of ``frequencies`` in dB, 0 for a sine at full scale in all channels; `nil` below
  /// −120 dB and above half the rate. Empty before the first whole window.
  package var levels: [Double?] {
    guard weight > 0 else { return [] }
    let spacing = Double(format.sampleRate) / Double(length)
    let half = pow(10, 0.05)
    return LongTermSpectrum.frequencies.map { middle in
      let (low, high) = (middle / half / spacing, middle * half / spacing)
      guard high <= Double(length / 2) else { return nil }
      var sum = 0.0
      for bin in Int(low.rounded())...Int(high.rounded()) {
        let part = min(high, Double(bin) + 0.5) - max(low, Double(bin) - 0.5)
        sum += max(0, part) * power[bin]
      }
      let level = 10 * log10(sum / weight)
      return level > -120 ? level : nil
    }
  }

  private func fill(_ channel: Int, _ samples: UnsafeMutablePointer<Float>, _ count: Int) {
    let target = inputs[channel].base + filled
    window.withUnsafeBufferPointer { window in
      for index in 0..<count { target[index] = samples[index] * window[filled + index] }
    }
  }

  private func close() {
    let share = Double(distance)
    let (re, im) = (real.base, imaginary.base)
    for first in stride(from: 0, to: inputs.count, by: 2) {
      re.update(from: inputs[first].base, count: length)
      imaginary.fill(0)
      if first + 1 < inputs.count { im.update(from: inputs[first + 1].base, count: length) }
      transform.transform(re, im)
      power.withUnsafeMutableBufferPointer { power in
        for bin in 1..<length / 2 {
          let (a, b) = (re[bin], im[bin])
          let (c, d) = (re[length - bin], im[length - bin])
          power[bin] += share * Double(a * a + b * b + c * c + d * d)
        }
      }
    }
    weight += share
    windows += 1
    filled = 0
    start += Int64(distance) * Int64(format.sampleRate / 4)
    if windows % LongTermSpectrum.windowsPerDistance == 0 {
      distance = min(2 * distance, LongTermSpectrum.longestDistance)
    }
  }
}
