// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import AC4

/// Advanced coupling by the steps of TS 103 190-1, 5.7.7, over a whole signal in double precision.
struct SlowCoupling {
  typealias Complex = SIMD2<Double>
  /// Slot by slot the values of the subbands.
  typealias Signal = [[Complex]]

  /// One frame's parameters: for each set and row the values of the bands.
  struct Frame {
    var configuration: ACPLConfiguration
    var isSteep: Bool
    var slots: [Int]
    var values: [[[Int]]]

    /// The dequantised value of a row in a subband.
    func value(_ set: Int, _ row: Int, _ subband: Int) -> Double {
      let band = Int(configuration.bandOfSubband[subband])
      guard band >= configuration.firstBand else { return 0 }
      let isCoarse = configuration.isCoarse
      let rows = values[set]
      let isWide = rows.count > 2
      let alphas = isWide ? 2 : 1
      switch row {
      case 0..<alphas:
        let table = isCoarse ? ACPLTables.alphaCoarse : ACPLTables.alphaFine
        return Double(table[rows[row][band]])
      case alphas..<2 * alphas:
        let column = isCoarse ? ACPLTables.columnCoarse : ACPLTables.columnFine
        let table = isCoarse ? ACPLTables.betaCoarse : ACPLTables.betaFine
        let width = isCoarse ? 5 : 9
        return Double(table[rows[row][band] * width + column[rows[row - alphas][band]]])
      case 4: return Double(rows[row][band]) * (isCoarse ? 0.25 : 0.125)
      default:
        return Double(rows[row][band]) * (configuration.isGammaCoarse ? 3276 : 1638) / 16384
      }
    }
  }

  let slots: Int
  let frames: [Frame]

  /// The value of `expression` of a frame's rows in a slot of the whole signal, interpolated.
  func interpolated(
    _ time: Int, _ subband: Int, _ expression: (_ value: (Int) -> Double) -> Double
  ) -> Double {
    let number = time / slots
    let at = time % slots
    let frame = frames[number]
    let last = frame.values.count - 1
    let values = (0...last).map { set in expression { frame.value(set, $0, subband) } }
    let before: Double
    if number == 0 {
      before = 0
    } else {
      let previous = frames[number - 1]
      before = expression { previous.value(previous.values.count - 1, $0, subband) }
    }
    if frame.isSteep {
      if at < frame.slots[0] { return before }
      return last == 1 && at >= frame.slots[1] ? values[1] : values[0]
    }
    if last == 0 { return before + Double(at + 1) * (values[0] - before) / Double(slots) }
    let half = slots / 2
    if at < half { return before + Double(at + 1) * (values[0] - before) / Double(half) }
    return values[0]
      + Double(at - half + 1) * (values[1] - values[0]) / Double(slots - half)
  }

  /// The decorrelated and ducked signal.
  static func decorrelated(_ input: Signal, _ index: Int) -> Signal {
    var output = input
    for subband in 0..<64 {
      let region = subband < 7 ? 0 : subband < 23 ? 1 : 2
      let order = [7, 4, 2][region]
      let delay = [7, 10, 12][region]
      let table = [ACPLTables.filters0, ACPLTables.filters1, ACPLTables.filters2][region]
      let a = (0...order).map { Double(table[index * (order + 1) + $0]) }
      for time in input.indices {
        var sum = Complex.zero
        for tap in 0...order where time - tap - delay >= 0 {
          sum += a[order - tap] * input[time - tap - delay][subband]
        }
        for tap in 1...order where time >= tap { sum -= a[tap] * output[time - tap][subband] }
        output[time][subband] = sum
      }
    }
    return ducked(output)
  }

  private static func ducked(_ input: Signal) -> Signal {
    var output = input
    var peak = [Double](repeating: 0, count: 15)
    var smooth = peak
    var difference = peak
    for time in input.indices {
      for band in 0..<15 {
        let subbands = (0..<64).filter { ACPLTables.bands15[$0] == band }
        let energy = subbands.reduce(0.0) {
          $0 + input[time][$1].x * input[time][$1].x + input[time][$1].y * input[time][$1].y
        }
        peak[band] = max(0.76592833836465 * peak[band], energy)
        smooth[band] = 0.75 * smooth[band] + 0.25 * energy
        difference[band] = 0.75 * difference[band] + 0.25 * (peak[band] - energy)
        guard 1.5 * difference[band] > smooth[band] else { continue }
        let gain = smooth[band] / (1.5 * (difference[band] + 1e-9))
        for subband in subbands { output[time][subband] *= gain }
      }
    }
    return output
  }

  /// Two channels from a carrier and what is coded beside it.
  func pair(_ carrier: Signal, _ other: Signal, decorrelator: Int) -> [Signal] {
    let doubled = carrier.map { $0.map { 2 * $0 } }
    let wet = SlowCoupling.decorrelated(doubled, decorrelator)
    var result = [carrier, carrier]
    for time in carrier.indices {
      let first = frames[time / slots].configuration.firstSubband
      for subband in 0..<64 {
        let x0 = doubled[time][subband]
        let x1 = 2 * other[time][subband]
        if subband < first {
          result[0][time][subband] = 0.5 * (x0 + x1)
          result[1][time][subband] = 0.5 * (x0 - x1)
        } else {
          let alpha = interpolated(time, subband) { $0(0) }
          let beta = interpolated(time, subband) { $0(1) }
          let y = wet[time][subband]
          result[0][time][subband] = 0.5 * (x0 * (1 + alpha) + y * beta)
          result[1][time][subband] = 0.5 * (x0 * (1 - alpha) - y * beta)
        }
      }
    }
    return result
  }

  /// Left, left surround, right, right surround and centre from two carriers.
  func wide(_ left: Signal, _ right: Signal) -> [Signal] {
    let scale = 1 + 2 * 0.5.squareRoot()
    let root = 2.0.squareRoot()
    var inputs = [left, left, left]
    for time in left.indices {
      for subband in 0..<64 {
        let l = scale * left[time][subband]
        let r = scale * right[time][subband]
        let g = (0..<6).map { row in interpolated(time, subband) { $0(5 + row) } }
        inputs[0][time][subband] = g[0] * l + g[1] * r
        inputs[1][time][subband] = g[2] * l + g[3] * r
        inputs[2][time][subband] =
          interpolated(time, subband) { $0(5) + $0(7) + $0(9) } * l
          + interpolated(time, subband) { $0(6) + $0(8) + $0(10) } * r
      }
    }
    let wet = inputs.enumerated().map { SlowCoupling.decorrelated($1, $0) }
    var result = [Signal](repeating: left, count: 5)
    for time in left.indices {
      for subband in 0..<64 {
        let l = scale * left[time][subband]
        let r = scale * right[time][subband]
        func at(_ expression: @escaping ((Int) -> Double) -> Double) -> Double {
          interpolated(time, subband, expression)
        }
        let y = wet.map { $0[time][subband] }
        for side in 0..<2 {
          let (gl, gr) = (5 + 2 * side, 6 + 2 * side)
          let base0 = l * at { $0(gl) + $0(gl) * $0(side) } + r * at { $0(gr) + $0(gr) * $0(side) }
          let base1 = l * at { $0(gl) - $0(gl) * $0(side) } + r * at { $0(gr) - $0(gr) * $0(side) }
          let own = y[side] * at { $0(2 + side) }
          let plus = y[2] * at { $0(4) + $0(4) * $0(side) } / 4
          let minus = y[2] * at { $0(4) - $0(4) * $0(side) } / 4
          result[2 * side][time][subband] = 0.5 * (base0 + own) + plus
          result[2 * side + 1][time][subband] = root * (0.5 * (base1 - own) + minus)
        }
        result[4][time][subband] =
          root * (l * at { $0(9) } + r * at { $0(10) } - 0.5 * y[2] * at { $0(4) })
      }
    }
    return result
  }
}
