// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import Signal

/// Scores and powers of all frames by sums in double precision over the whole signal, as plainly as they are defined.
struct PlainFeatures {
  let rate: Int
  private(set) var scores: [Double] = []
  private(set) var powers: [Double] = []
  private var length: Int { frequency <= 12_000 ? 512 : 1024 }
  private var factor: Int { max(1, rate / 8000) }
  private var frequency: Double { Double(rate) / Double(factor) }

  init(_ samples: [Float], rate: Int) {
    self.rate = rate
    let spectra = spectra(decimated(samples.map(Double.init)), samples.count * 50 / rate)
    let pitches = pitches(spectra)
    let levels = spectra.map(levels)
    let glides = glides(pitches)
    let shapes = levels.indices.map { frame -> Double in
      frame < 2 ? 0 : zip(levels[frame], levels[frame - 2]).reduce(0) { $0 + abs($1.0 - $1.1) } / 16
    }
    scores = levels.indices.map { frame in
      let near = max(0, frame - 25)...min(levels.count - 1, frame + 25)
      let shape = near.reduce(0) { $0 + shapes[$1] } / Double(near.count)
      let moving = near.reduce(0) { $0 + glides[$1] } / Double(near.count)
      return moving + 0.08 * min(shape, 4.5) - 0.48
    }
    powers = spectra.map { spectrum in band(spectrum, 200, 3150) }
  }

  private func decimated(_ samples: [Double]) -> [Double] {
    guard factor > 1 else { return samples }
    func bessel(_ x: Double) -> Double {
      var (term, sum) = (1.0, 1.0)
      for order in 1...40 {
        term *= x * x / 4 / Double(order * order)
        sum += term
      }
      return sum
    }
    let half = 12 * factor
    let cutoff = 3600 / Double(rate)
    var taps = (-half...half).map { tap -> Double in
      let place = Double(tap) / Double(half)
      let angle = 2 * .pi * cutoff * Double(tap)
      let sinc = tap == 0 ? 1 : sin(angle) / angle
      return sinc * bessel(5.5 * (1 - place * place).squareRoot())
    }
    let sum = taps.reduce(0, +)
    taps = taps.map { $0 / sum }
    return (0..<(samples.count + factor - 1) / factor).map { index in
      var sum = 0.0
      for (tap, value) in taps.enumerated() {
        let place = index * factor + tap - half
        if samples.indices.contains(place) { sum += value * samples[place] }
      }
      return sum
    }
  }

  private func spectra(_ samples: [Double], _ frames: Int) -> [[Double]] {
    let fft = DoubleFFT(length: length)
    let window = (0..<length).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(length)) }
    let scale = 2 / (Double(length) * window.reduce(0) { $0 + $1 * $1 })
    return (0..<frames).map { frame in
      let middle = (2 * frame + 1) * rate / 100 / factor
      var real = (0..<length).map { point -> Double in
        let place = middle - length / 2 + point
        return samples.indices.contains(place) ? samples[place] * window[point] : 0
      }
      var imaginary = [Double](repeating: 0, count: length)
      fft.forward(&real, &imaginary)
      return (0...length / 2).map {
        (real[$0] * real[$0] + imaginary[$0] * imaginary[$0]) * scale + 1e-10
      }
    }
  }

  private func hertz(_ bin: Int) -> Double { Double(bin) * frequency / Double(length) }

  private func pitches(_ spectra: [[Double]]) -> [(height: Double, lag: Double)] {
    let fft = DoubleFFT(length: length)
    return spectra.indices.map { frame in
      let near = max(0, frame - 15)...min(spectra.count - 1, frame + 15)
      var real = [Double](repeating: 0, count: length)
      for bin in 0...length / 2 where hertz(bin) > 80 && hertz(bin) < 3000 {
        let root = near.reduce(0) { $0 + 1 / spectra[$1][bin].squareRoot() } / Double(near.count)
        let power = spectra[frame][bin]
        real[bin] = max(power - 2 / (root * root), 0.01 * power).squareRoot()
        real[length - bin] = real[bin]
      }
      var imaginary = [Double](repeating: 0, count: length)
      fft.inverse(&real, &imaginary)
      return pitch(real)
    }
  }

  private func pitch(_ correlation: [Double]) -> (height: Double, lag: Double) {
    let lags = Int(frequency / 800)..<Int(frequency / 70) + 1
    func value(_ lag: Int) -> Double {
      let place = Double(lag - lags.lowerBound) / Double(lags.count)
      return correlation[lag] / correlation[0] - 0.08 * place
    }
    var best = lags.lowerBound
    for lag in lags where value(lag) > value(best) { best = lag }
    let (before, peak, after) = (correlation[best - 1], correlation[best], correlation[best + 1])
    let bend = before - 2 * peak + after
    let offset = bend < 0 ? min(0.5, max(-0.5, 0.5 * (before - after) / bend)) : 0
    let lag = Double(best) + offset
    return (lag < frequency / 400 ? 0 : peak / correlation[0], lag)
  }

  private func glides(_ pitches: [(height: Double, lag: Double)]) -> [Double] {
    func ratio(_ one: Int, _ other: Int) -> Double? {
      guard pitches.indices.contains(one), pitches.indices.contains(other),
        pitches[one].height > 0.3, pitches[other].height > 0.3
      else { return nil }
      let ratio = pitches[one].lag / pitches[other].lag
      return max(ratio, 1 / ratio)
    }
    return pitches.indices.map { frame in
      guard let moved = ratio(frame - 1, frame), moved > 1.01748, moved < 1.12246 else { return 0 }
      if let swung = ratio(frame - 4, frame + 4), swung < 1.0234 { return 0 }
      return 1
    }
  }

  private func band(_ spectrum: [Double], _ from: Double, _ to: Double) -> Double {
    spectrum.indices.reduce(0) {
      hertz($1) >= from && hertz($1) < to ? $0 + spectrum[$1] : $0
    }
  }

  private func levels(_ spectrum: [Double]) -> [Double] {
    let edges: [Double] = [
      100, 200, 300, 400, 510, 630, 770, 920, 1080, 1270, 1480, 1720, 2000, 2320, 2700, 3150, 3700,
    ]
    let levels = zip(edges, edges.dropFirst()).map { 10 * log10(band(spectrum, $0, $1)) }
    let mean = levels.reduce(0, +) / 16
    return levels.map { $0 - mean }
  }
}
