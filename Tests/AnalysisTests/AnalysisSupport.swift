// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Signal
import TestSupport
import Testing

@testable import Analysis

/// Feeding analysers and making sounds for them.
enum AnalysisSupport {
  /// Findings of `analyser` in `planes`, handed to it in blocks of `size` frames; 0 means all at once.
  static func findings<A: Analyser>(
    _ analyser: A, _ planes: [[Float]], size: Int = 0
  ) throws -> A.Findings {
    let whole = Signals.buffer(planes)
    let size = size > 0 ? size : max(1, whole.frames)
    let block = AudioBuffer(channels: planes.count)
    for start in stride(from: 0, to: whole.frames, by: size) {
      block.removeAll()
      block.append(whole, range: start..<min(whole.frames, start + size))
      try analyser.add(block)
    }
    return try analyser.finish()
  }

  /// The first block size with which an analyser finds anything else than in all samples at once.
  static func firstDifference<A: Analyser>(
    _ planes: [[Float]], make: () throws -> A
  ) throws -> Int? where A.Findings: Equatable {
    let wanted = try findings(make(), planes)
    return try [1, 7, 64, 480, 4801, 100_000].first { size in
      try findings(make(), planes, size: size) != wanted
    }
  }

  /// A sine.
  static func sine(
    _ hertz: Double, rate: Int, count: Int, peak: Double = 1, phase: Double = 0
  ) -> [Float] {
    Signals.sine(step: 2 * .pi * hertz / Double(rate), count: count, peak: peak, phase: phase)
  }

  /// Noise whose amplitude over frequency (Hz) is `shape`, with an RMS of 0.1, made by an inverse transform of random
  /// phases.
  static func noise(
    rate: Int, count: Int, seed: UInt64, _ shape: (Double) -> Double
  ) -> [Float] {
    let transform = DoubleFFT(length: count)
    let length = transform.length
    var random = SeededNoise(seed: seed)
    var (re, im) = ([Double](repeating: 0, count: length), [Double](repeating: 0, count: length))
    for (line, phase) in zip(1..., random.angles(length / 2 - 1)) {
      let size = shape(Double(line) * Double(rate) / Double(length))
      (re[line], im[line]) = (size * cos(phase), size * sin(phase))
    }
    transform.inverse(&re, &im)
    let power = re.reduce(0) { $0 + $1 * $1 } / Double(length)
    let gain = 0.1 / max(power.squareRoot(), 1e-30)
    return re.prefix(count).map { Float($0 * gain) }
  }
}
