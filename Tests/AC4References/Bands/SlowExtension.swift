// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import AC4

/// A-SPX of one channel by the steps of TS 103 190-1, 5.7.6.3 and 5.7.6.4, in double precision.
struct SlowExtension {
  typealias Complex = SIMD2<Double>

  /// Material of an interval.
  struct Input {
    let configuration: ASPXConfiguration
    let bands: SlowBands
    let framing: ASPXFraming
    let filtering: [Int]
    let sinusoids: [Bool]
    /// Energies by envelope and group.
    let signal: [[Double]]
    /// Noise factors by noise envelope and group.
    let noise: [[Double]]
    let slotsPerStep: Int
    /// Slots that the covariance runs over.
    let end: Int
    /// Low-band value of a slot (from −4 on) and a subband.
    let low: (Int, Int) -> Complex
  }

  private var lastFiltering = [Int](repeating: 0, count: 8)
  private var chirps = [Double](repeating: 0, count: 8)
  private var lastSinusoids: Set<Int> = []
  private var lastPointer = -1
  private var lastEnvelopes = 0
  private var noiseIndex = 0
  private var sineIndex: Int?
  private var lastSettings: [Int]?

  static func times(_ a: Complex, _ b: Complex) -> Complex {
    Complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
  }
  static func conjugate(_ a: Complex) -> Complex { Complex(a.x, -a.y) }
  static func energy(_ a: Complex) -> Double { a.x * a.x + a.y * a.y }

  /// The generated subbands of one interval by slot, from its first slot on.
  mutating func process(_ input: Input) -> [[Complex]] {
    let first = input.framing.start * input.slotsPerStep
    let last = input.framing.end * input.slotsPerStep
    updateChirps(input)
    let copied = copies(input, first, last)
    return adjust(input, copied, first)
  }

  private mutating func updateChirps(_ input: Input) {
    let table = [
      [0, 0.6, 0.9, 0.98], [0.6, 0.75, 0.9, 0.98], [0, 0.75, 0.9, 0.98], [0, 0.75, 0.9, 0.98],
    ]
    for group in 0..<8 {
      guard group < input.bands.noise.count - 1 else {
        chirps[group] = 0
        lastFiltering[group] = 0
        continue
      }
      let new = table[lastFiltering[group]][input.filtering[group]]
      var chirp: Double
      if new < chirps[group] {
        chirp = 0.75 * new + 0.25 * chirps[group]
      } else {
        chirp = 0.90625 * new + 0.09375 * chirps[group]
      }
      if chirp < 0.015625 { chirp = 0 }
      chirps[group] = chirp
      lastFiltering[group] = input.filtering[group]
    }
  }

  /// Gains of pre-flattening: a cubic is fitted by the normal equations.
  private func gains(_ input: Input, _ first: Int, _ last: Int) -> [Double] {
    let count = input.bands.high[0]
    guard input.configuration.preflattens else { return [Double](repeating: 1, count: 64) }
    var levels: [Double] = []
    for band in 0..<count {
      var sum = 0.0
      for slot in first..<last { sum += SlowExtension.energy(input.low(slot, band)) }
      levels.append(10 * log10(sum / Double(last - first) + 1))
    }
    let mean = levels.reduce(0, +) / Double(count)
    let places = (0..<count).map { 2 * Double($0) / Double(max(1, count - 1)) - 1 }
    var rows = (0..<4).map { row in
      (0..<5).map { column -> Double in
        var sum = 0.0
        for band in 0..<count {
          let factor = column < 4 ? pow(places[band], Double(column)) : levels[band]
          sum += pow(places[band], Double(row)) * factor
        }
        return sum
      }
    }
    for pivot in 0..<4 {
      for row in 0..<4 where row != pivot {
        let factor = rows[row][pivot] / rows[pivot][pivot]
        for column in 0..<5 { rows[row][column] -= factor * rows[pivot][column] }
      }
    }
    let fit = (0..<4).map { rows[$0][4] / rows[$0][$0] }
    return places.map { place in
      let slope = (0..<4).reduce(0.0) { $0 + fit[$1] * pow(place, Double($1)) }
      return pow(10, (mean - slope) / 20)
    }
  }

  private func copies(_ input: Input, _ first: Int, _ last: Int) -> [[Complex]] {
    let gain = gains(input, first, last)
    let sbx = input.bands.high[0]
    let width = input.bands.high[input.bands.high.count - 1] - sbx
    var result = [[Complex]](
      repeating: [Complex](repeating: .zero, count: width), count: last - first)
    var target = 0
    for patch in input.bands.patches {
      for band in patch.start..<patch.start + patch.count {
        var phi = [[Complex]](repeating: [Complex](repeating: .zero, count: 3), count: 3)
        for i in 0..<3 {
          for j in 0..<3 {
            for slot in stride(from: 0, to: input.end, by: 2) {
              phi[i][j] += SlowExtension.times(
                input.low(slot - 2 * i, band),
                SlowExtension.conjugate(input.low(slot - 2 * j, band)))
            }
          }
        }
        let determinant =
          phi[2][2].x * phi[1][1].x - SlowExtension.energy(phi[1][2]) / (1 + pow(2, -20))
        var second = Complex.zero
        if determinant != 0 {
          second =
            (SlowExtension.times(phi[0][1], phi[1][2]) - phi[0][2] * phi[1][1].x) / determinant
        }
        var one = Complex.zero
        if phi[1][1].x != 0 {
          let product = SlowExtension.times(second, SlowExtension.conjugate(phi[1][2]))
          one = -(phi[0][1] + product) / phi[1][1].x
        }
        if SlowExtension.energy(one) >= 16 || SlowExtension.energy(second) >= 16 {
          one = .zero
          second = .zero
        }
        let noise = input.bands.noise
        let group = (0..<noise.count - 1).first { noise[$0 + 1] > sbx + target } ?? noise.count - 2
        let chirp = chirps[group]
        for slot in first..<last {
          let value =
            input.low(slot, band) + SlowExtension.times(one * chirp, input.low(slot - 2, band))
            + SlowExtension.times(second * (chirp * chirp), input.low(slot - 4, band))
          result[slot - first][target] = value * gain[band]
        }
        target += 1
      }
    }
    return result
  }

  private func groupOf(_ band: Int, _ borders: [Int]) -> Int {
    (0..<borders.count - 1).first { borders[$0 + 1] > band } ?? 0
  }

  private mutating func adjust(
    _ input: Input, _ copied: [[Complex]], _ first: Int
  ) -> [[Complex]] {
    let bands = input.bands
    let sbx = bands.high[0]
    let width = bands.high[bands.high.count - 1] - sbx
    let framing = input.framing
    let settings = [
      input.configuration.isHighTemplate ? 1 : 0, input.configuration.start,
      input.configuration.stop,
    ]
    let noiseBase = lastSettings == settings ? noiseIndex : 0
    let sineBase = sineIndex.map { ($0 + 1) % 4 } ?? 1
    let atEnd = lastPointer == lastEnvelopes ? 0 : -1
    var output = copied
    var noiseEnvelope = 0
    for envelope in 0..<framing.envelopes {
      let begin = Int(framing.borders[envelope]) * input.slotsPerStep
      let end = Int(framing.borders[envelope + 1]) * input.slotsPerStep
      if framing.borders[envelope] == framing.noiseBorders[noiseEnvelope + 1] { noiseEnvelope += 1 }
      var sines: Set<Int> = []
      for group in 0..<bands.high.count - 1 where input.sinusoids[group] {
        let middle = (bands.high[group] + bands.high[group + 1]) / 2
        if envelope >= framing.pointer || atEnd == 0 || lastSinusoids.contains(middle) {
          sines.insert(middle)
        }
      }
      let isTransient = envelope == framing.pointer || envelope == atEnd
      let levels = self.levels(
        input, copied, envelope, noiseEnvelope, begin - first..<end - first, sines, isTransient)
      for slot in begin..<end {
        for b in 0..<width {
          let index = (noiseBase + width * (slot - first) + b + 1) % 512
          let noise = Complex(Double(ASPXNoise.real[index]), Double(ASPXNoise.imaginary[index]))
          let turn = [Complex(1, 0), Complex(0, 1), Complex(-1, 0), Complex(0, -1)][
            (sineBase + slot - first) % 4]
          let sign = (sbx + b) % 2 == 0 ? 1.0 : -1
          output[slot - first][b] =
            copied[slot - first][b] * levels.gain[b] + noise * levels.noise[b]
            + Complex(turn.x, sign * turn.y) * levels.sine[b]
        }
      }
      if envelope == framing.envelopes - 1 {
        lastSinusoids = sines
        let slots = end - first
        noiseIndex = (noiseBase + width * (slots - 1) + width) % 512
        sineIndex = (sineBase + slots - 1) % 4
      }
    }
    lastPointer = framing.pointer
    lastEnvelopes = framing.envelopes
    lastSettings = settings
    return output
  }

  private func levels(
    _ input: Input, _ copied: [[Complex]], _ envelope: Int, _ noiseEnvelope: Int,
    _ slots: Range<Int>, _ sines: Set<Int>, _ isTransient: Bool
  ) -> (gain: [Double], noise: [Double], sine: [Double]) {
    let bands = input.bands
    let sbx = bands.high[0]
    let width = bands.high[bands.high.count - 1] - sbx
    let groups = input.framing.isHigh(envelope) ? bands.high : bands.low
    var estimate = (0..<width).map { b in
      slots.reduce(0.0) { $0 + SlowExtension.energy(copied[$1][b]) } / Double(slots.count)
    }
    if !input.configuration.interpolates {
      estimate = (0..<width).map { b in
        let group = groupOf(sbx + b, groups)
        let range = groups[group] - sbx..<groups[group + 1] - sbx
        return range.reduce(0.0) { $0 + estimate[$1] } / Double(range.count)
      }
    }
    var gain: [Double] = []
    var noise: [Double] = []
    var sine: [Double] = []
    let s = (0..<width).map { input.signal[envelope][groupOf(sbx + $0, groups)] }
    for b in 0..<width {
      let group = groupOf(sbx + b, groups)
      let n = input.noise[noiseEnvelope][groupOf(sbx + b, bands.noise)]
      let inArea = sines.contains { $0 >= groups[group] && $0 < groups[group + 1] }
      sine.append(sines.contains(sbx + b) ? sqrt(s[b] / (1 + n)) : 0)
      noise.append(sqrt(s[b] * n / (1 + n)))
      if inArea {
        gain.append(sqrt(s[b] * n / ((1 + estimate[b]) * (1 + n))))
      } else {
        gain.append(sqrt(s[b] / ((1 + estimate[b]) * (1 + (isTransient ? 0 : n)))))
      }
    }
    guard input.configuration.limits else { return (gain, noise, sine) }
    for index in 0..<bands.limiter.count - 1 {
      let range = bands.limiter[index] - sbx..<bands.limiter[index + 1] - sbx
      let total = range.reduce(0.0) { $0 + s[$1] }
      let largest = min(
        sqrt(total / (1e-12 + range.reduce(0.0) { $0 + estimate[$1] })) * 1.41254, 1e5)
      for b in range where gain[b] > 0 {
        noise[b] = min(noise[b], noise[b] * largest / gain[b])
        gain[b] = min(gain[b], largest)
      }
      var made = 1e-12
      for b in range {
        made += estimate[b] * gain[b] * gain[b] + sine[b] * sine[b]
        if sine[b] == 0, !isTransient { made += noise[b] * noise[b] }
      }
      let boost = min(sqrt((1e-12 + total) / made), 1.584893192)
      for b in range {
        gain[b] *= boost
        noise[b] *= boost
        sine[b] *= boost
      }
    }
    return (gain, noise, sine)
  }
}
