// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal
import TestSupport

@testable import Spatial

/// Renders test signals and measures what comes out.
enum Render {
  /// The format of a named layout; unknown names give mono.
  static func format(_ layout: String, rate: Int = 48000) -> AudioFormat {
    AudioFormat(sampleRate: rate, layout: ChannelLayout(name: layout) ?? .mono)
  }

  /// Both ears for `signal`, with the stage's latency and tail.
  static func all(
    _ signal: [[Float]], _ format: AudioFormat, _ hrtf: HRTFSet,
    options: SceneOptions = SceneOptions()
  ) throws -> [[Float]] {
    try StageVerifier.run(
      BedStage(hrtf: hrtf, options: options), format: format, signal: signal, blockSize: 0)
  }

  /// Both ears for an impulse in the channel of `speaker`, and the stage's latency.
  static func impulse(
    _ speaker: Speaker, in layout: String, _ hrtf: HRTFSet, rate: Int = 48000,
    options: SceneOptions = SceneOptions()
  ) throws -> (ears: [[Double]], latency: Int) {
    let format = format(layout, rate: rate)
    var signal = [[Float]](repeating: [0], count: format.channels)
    if let index = format.layout.speakers.firstIndex(of: speaker) { signal[index][0] = 1 }
    let stage = BedStage(hrtf: hrtf, options: options)
    let ears = try StageVerifier.run(stage, format: format, signal: signal, blockSize: 0)
    return (ears.map { $0.map(Double.init) }, stage.latency)
  }

  /// Plain double-precision convolution of every channel with both its filters, summed per ear.
  static func direct(_ signal: [[Float]], _ filters: [[Double]]) -> [Double] {
    let frames = signal.first?.count ?? 0
    let taps = filters.first?.count ?? 0
    var sum = [Double](repeating: 0, count: frames + taps - 1)
    for (plane, filter) in zip(signal, filters) {
      for (frame, value) in plane.enumerated() where value != 0 {
        for tap in 0..<taps { sum[frame + tap] += Double(value) * filter[tap] }
      }
    }
    return sum
  }

  /// Power in dB of `a − b` relative to `b`.
  static func difference(_ a: [Double], _ b: [Double]) -> Double {
    var error = 0.0
    var power = 0.0
    for index in b.indices {
      let gap = (index < a.count ? a[index] : 0) - b[index]
      error += gap * gap
      power += b[index] * b[index]
    }
    return 10 * log10(max(error, 1e-300) / max(power, 1e-300))
  }

  /// Sum of squares.
  static func energy(_ taps: [Double]) -> Double { taps.reduce(0) { $0 + $1 * $1 } }

  /// Power of the response at `frequency` Hz.
  static func power(_ taps: [Double], at frequency: Double, rate: Int) -> Double {
    let omega = 2 * Double.pi * frequency / Double(rate)
    // The phase turns from tap to tap: over thousands of taps it drifts by less than 1e-12.
    let turn = (re: cos(omega), im: sin(omega))
    var phase = (re: 1.0, im: 0.0)
    var sum = (re: 0.0, im: 0.0)
    for tap in taps {
      sum = (sum.re + tap * phase.re, sum.im + tap * phase.im)
      phase = (
        phase.re * turn.re - phase.im * turn.im, phase.re * turn.im + phase.im * turn.re
      )
    }
    return sum.re * sum.re + sum.im * sum.im
  }

  /// Spectrum of `taps`, zero-padded to the transform's length.
  static func spectrum(_ taps: [Double], _ fft: DoubleFFT) -> Spectrum {
    var re = taps + [Double](repeating: 0, count: fft.length - taps.count)
    var im = [Double](repeating: 0, count: fft.length)
    fft.forward(&re, &im)
    return Spectrum(re: re, im: im, count: fft.length / 2 + 1)
  }

  /// Onset in samples: lag of the response behind its minimum-phase version, compared up to 18 kHz
  /// (the roll-off above and the empty octaves of high rates have no phase to speak of).
  static func onset(_ taps: [Double], rate: Int) -> Double {
    let half = min(22050, Double(rate) / 2)
    let fft = DoubleFFT(length: 2048)
    let first = max(
      0, (taps.indices.max { taps[$0].magnitude < taps[$1].magnitude } ?? 0) - rate / 400)
    let part = taps[first..<min(taps.count, first + rate / 100)]
    var raw = Spectrum(count: 1025)
    for bin in 0...1024 {
      let omega = 2 * Double.pi * half * Double(bin) / 1024 / Double(rate)
      for (index, tap) in part.enumerated() {
        raw.re[bin] += tap * cos(omega * Double(index))
        raw.im[bin] -= tap * sin(omega * Double(index))
      }
    }
    var logs = raw.re.indices.map { bin in
      0.5 * log(max(1e-8, raw.re[bin] * raw.re[bin] + raw.im[bin] * raw.im[bin]))
    }
    let top = Int(1024 * min(18000, 0.82 * half) / half)
    for bin in top + 1...1024 {
      logs[bin] = logs[top]
      raw.re[bin] = 0
      raw.im[bin] = 0
    }
    let model = MinimumPhase.spectrum(logMagnitude: logs, fft)
    let lag = CorrelationPeak.lag(of: raw, behind: model, fft)
    return Double(first) + lag * Double(rate) / (2 * half)
  }

  /// Samples by which `late` lags `early`.
  static func lag(_ late: [Double], _ early: [Double]) -> Double {
    let fft = DoubleFFT(length: max(2048, 2 * late.count))
    return CorrelationPeak.lag(of: spectrum(late, fft), behind: spectrum(early, fft), fft)
  }
}
