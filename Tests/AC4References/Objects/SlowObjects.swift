// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import AC4

/// Joint object coding by the steps of TS 103 190-2, 5.7.3, slot by slot over a whole signal in double precision.
struct SlowObjects {
  typealias Complex = SIMD2<Double>
  typealias Signal = SlowCoupling.Signal

  /// A frame's data on an object: for each data point, row and band the value before dequantisation.
  struct Values {
    var bandCode: Int
    var isCoarse: Bool
    var dry: [[[Int]]]
    var wet: [[[Int]]]

    /// The dequantised value of a row in a subband.
    func value(_ rows: [[[Int]]], _ point: Int, _ row: Int, _ subband: Int, isWet: Bool) -> Double {
      let levels = isWet ? (isCoarse ? 21 : 41) : (isCoarse ? 51 : 101)
      let band = Int(AJOCTables.maps[bandCode * 64 + subband])
      let step = isCoarse ? 0.2001953125 : 0.10009765625
      return Double(rows[point][row][band] - (levels - 1) / 2) * step
    }
  }

  /// Data of a frame.
  struct Frame {
    var decorrelators: Int
    var enabled: [Bool]
    var points: [(start: Int, length: Int)]
    /// Data on each object; `nil` for one that is absent.
    var objects: [Values?]
    /// Gain of each object's sound, from dialogue enhancement.
    var gains: [Double]
  }

  /// A coefficient of one subband on its way.
  private struct Coefficient {
    var value = 0.0
    var step = 0.0
  }

  let slots: Int
  let inputs: Int
  let frames: [Frame]

  /// The objects that frames make of the inputs.
  func objects(_ signals: [Signal]) -> [Signal] {
    let count = frames[0].objects.count
    let wet = decorrelated(signals)
    return (0..<count).map { object in
      let dry = (0..<inputs).map { input in
        ramped { frame, point, subband in
          guard let values = frame.objects[object] else { return 0 }
          return frame.gains[object]
            * values.value(values.dry, point, input, subband, isWet: false)
        }
      }
      let wetter = (0..<7).map { row in
        ramped { frame, point, subband in
          guard row < frame.decorrelators, let values = frame.objects[object] else { return 0 }
          return frame.gains[object] * values.value(values.wet, point, row, subband, isWet: true)
        }
      }
      return sum(zip(dry, signals) + zip(wetter, wet))
    }
  }

  /// Output of the decorrelators for their sums; silence in frames in which they are off.
  private func decorrelated(_ signals: [Signal]) -> [Signal] {
    (0..<7).map { index in
      let sends = (0..<inputs).map { input in
        ramped { frame, point, subband in
          guard index < frame.decorrelators else { return 0 }
          return frame.objects.reduce(0.0) { sum, values in
            guard let values else { return sum }
            return sum
              + abs(values.value(values.wet, point, index, subband, isWet: true))
              * values.value(values.dry, point, input, subband, isWet: false)
          }
        }
      }
      let sent = sum(Array(zip(sends, signals)))
      var result = Signal(repeating: [Complex](repeating: .zero, count: 64), count: sent.count)
      // Each stretch in which it is on begins with an empty filter.
      var first: Int?
      for number in 0...frames.count {
        let isOn = number < frames.count && frames[number].enabled[index]
        if isOn { first = first ?? number }
        guard !isOn, let start = first else { continue }
        let range = start * slots..<number * slots
        let kind = [0, 2, 1, 0, 2, 1, 0][index]
        result.replaceSubrange(range, with: SlowCoupling.decorrelated(Array(sent[range]), kind))
        first = nil
      }
      return result
    }
  }

  private func sum(_ parts: [([[Double]], Signal)]) -> Signal {
    (0..<frames.count * slots).map { time in
      (0..<64).map { subband in
        parts.reduce(Complex.zero) { $0 + $1.0[time][subband] * $1.1[time][subband] }
      }
    }
  }

  /// A row of coefficients in every slot and subband, from what it shall be at each data point.
  private func ramped(_ target: (Frame, _ point: Int, _ subband: Int) -> Double) -> [[Double]] {
    var row = [Coefficient](repeating: Coefficient(), count: 64)
    var (current, end) = (0, 0)
    var result: [[Double]] = []
    for frame in frames {
      for slot in 0..<slots {
        if current < end {
          for subband in 0..<64 { row[subband].value += row[subband].step }
          current += 1
        }
        result.append(row.map(\.value))
        for (index, point) in frame.points.enumerated() where point.start == slot {
          for subband in 0..<64 {
            row[subband].step =
              (target(frame, index, subband) - row[subband].value) / Double(point.length)
          }
          (current, end) = (0, point.length)
        }
      }
    }
    return result
  }

  private func zip(_ rows: [[[Double]]], _ signals: [Signal]) -> [([[Double]], Signal)] {
    Array(Swift.zip(rows, signals))
  }
}
