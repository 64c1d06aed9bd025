// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import TestSupport

@testable import Loudness

/// Test programmes and calculations with them.
enum Signal {
  static func decibels(_ ratio: Double) -> Double { 20 * log10(ratio) }

  static func ratio(_ decibels: Double) -> Double { pow(10, decibels / 20) }

  /// A format by the name of its layout; mono when there is none of that name.
  static func format(_ rate: Int, _ layout: String) -> AudioFormat {
    AudioFormat(sampleRate: rate, layout: ChannelLayout(name: layout) ?? .mono)
  }

  /// A sine of `seconds` that starts at phase 0, with its peak at `level` dBFS.
  static func tone(
    _ level: Double, seconds: Double, frequency: Double = 1000, rate: Int = 48_000,
    phase: Double = 0
  ) -> [Float] {
    Signals.sine(
      step: 2 * Double.pi * frequency / Double(rate),
      count: Int((seconds * Double(rate)).rounded()), peak: ratio(level), phase: phase)
  }

  static func silence(_ seconds: Double, rate: Int = 48_000) -> [Float] {
    [Float](repeating: 0, count: Int((seconds * Double(rate)).rounded()))
  }

  /// Seeded noise below about 5 kHz, its loudness wandering, faded at both ends; −6 dB at
  /// `bandwidth` of the rate at most.
  static func programme(
    seconds: Double, rate: Int, seed: UInt64, peak: Float = 0.5, bandwidth: Double = 0.1
  ) -> [Float] {
    var noise = SeededNoise(seed: seed)
    let count = Int(seconds * Double(rate))
    let white = noise.samples(count, peak: 1)
    let speed = 0.7 + Double(seed % 7) * 0.31
    var samples = lowPass(white, cutoff: min(bandwidth, 3000 / Double(rate)))
    let fade = Double(min(count / 4, rate / 50))
    for index in samples.indices {
      let time = Double(index) / Double(rate)
      let level = 0.55 + 0.45 * sin(speed * time + Double(seed % 5))
      let edge = min(1, Double(min(index, count - 1 - index)) / max(1, fade))
      samples[index] *= Float(level * edge)
    }
    return scaled(samples, toPeak: peak)
  }

  /// A windowed-sinc low-pass at `cutoff` of the rate, 65 taps.
  static func lowPass(_ input: [Float], cutoff: Double) -> [Float] {
    let half = 32
    let taps = (-half...half).map { tap -> Float in
      let time = Double(tap)
      let sinc = tap == 0 ? 2 * cutoff : sin(2 * .pi * cutoff * time) / (.pi * time)
      return Float(sinc * (0.5 + 0.5 * cos(.pi * time / Double(half + 1))))
    }
    let padding = [Float](repeating: 0, count: half)
    let padded = padding + input + padding
    var output = [Float](repeating: 0, count: input.count)
    padded.withUnsafeBufferPointer { padded in
      for index in output.indices {
        var sum: Float = 0
        for tap in 0...(2 * half) { sum += padded[index + tap] * taps[tap] }
        output[index] = sum
      }
    }
    return output
  }

  /// A Blackman-windowed sinc of `2 * half + 1` taps at `cutoff` of the rate.
  static func lowPass(_ input: [Double], cutoff: Double, half: Int) -> [Double] {
    let taps = (-half...half).map { tap -> Double in
      let reach = Double(tap) / Double(half + 1)
      let window = 0.42 + 0.5 * cos(.pi * reach) + 0.08 * cos(2 * .pi * reach)
      let time = Double(tap)
      return (tap == 0 ? 2 * cutoff : sin(2 * .pi * cutoff * time) / (.pi * time)) * window
    }
    return input.indices.map { index in
      let reach = max(-half, index - input.count + 1)...min(half, index)
      return reach.reduce(0) { $0 + taps[$1 + half] * input[index - $1] }
    }
  }

  static func scaled(_ samples: [Float], toPeak peak: Float) -> [Float] {
    let largest = samples.map(\.magnitude).max() ?? 0
    return largest > 0 ? samples.map { $0 * (peak / largest) } : samples
  }

  /// Measures planar samples fed in blocks of `block` frames (0: whole).
  static func measure(
    _ planes: [[Float]], format: AudioFormat, block: Int = 0, dualMono: Bool = false
  ) throws -> LoudnessMeasurement {
    let meter = try LoudnessMeter(format: format, dualMono: dualMono)
    try feed(planes, block: block) { try meter.add($0) }
    return meter.measurement()
  }

  /// Hands planar samples to `consume` in blocks of `block` frames (0: whole).
  static func feed(
    _ planes: [[Float]], block: Int = 0, _ consume: (AudioBuffer) throws -> Void
  ) throws {
    let count = planes[0].count
    let size = block == 0 ? max(1, count) : block
    for start in stride(from: 0, to: count, by: size) {
      try consume(Signals.buffer(planes, start..<min(count, start + size)))
    }
  }

  /// Output of a stage without its latency, as long as the input.
  static func run(
    _ stage: any AudioStage, _ planes: [[Float]], format: AudioFormat, block: Int = 0
  ) throws -> [[Float]] {
    let output = try StageVerifier.run(stage, format: format, signal: planes, blockSize: block)
    return output.map { Array($0.dropFirst(stage.latency)) }
  }

  /// Largest magnitude at eight points per sample, by a 161-tap Blackman sinc in Double: slow, plain
  /// and unlike the interpolators under test.
  static func slowPeak(_ planes: [[Float]]) -> Double {
    let half = 80
    let kernels = (0..<8).map { phase in
      (-half...half).map { tap -> Double in
        let time = Double(phase) / 8 - Double(tap)
        let reach = time / Double(half + 1)
        let window = 0.42 + 0.5 * cos(.pi * reach) + 0.08 * cos(2 * .pi * reach)
        return time == 0 ? 1 : sin(.pi * time) / (.pi * time) * window
      }
    }
    let padding = [Float](repeating: 0, count: half + 12)
    var largest = 0.0
    for plane in planes {
      let samples = padding + plane + padding
      samples.withUnsafeBufferPointer { samples in
        for centre in half..<(samples.count - half) {
          for kernel in kernels {
            var sum = 0.0
            for tap in 0...(2 * half) { sum += kernel[tap] * Double(samples[centre - half + tap]) }
            if sum.magnitude > largest { largest = sum.magnitude }
          }
        }
      }
    }
    return largest
  }
}
