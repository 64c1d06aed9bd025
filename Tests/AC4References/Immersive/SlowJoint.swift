// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import AC4

/// Joint channel coding of one side by the table of TS 103 190-2, 5.6.3.5, over a whole signal in double precision.
struct SlowJoint {
  typealias Signal = SlowCoupling.Signal

  /// One frame's values of the side: for each set alpha, beta, two dry and three wet ones by band, dequantised.
  struct Frame {
    var hasWideFront: Bool
    var bandOfSubband: [UInt8]
    var isSteep: Bool
    var slots: [Int]
    var values: [[[Double]]]
  }

  let slots: Int
  let frames: [Frame]

  /// Coefficients that aren't 0 of a band: their numbers and values. 0 to 9 are d, 10 to 24 are w.
  private static func coefficients(
    _ frame: Frame, _ set: Int, _ subband: Int
  ) -> [Int: Double] {
    let band = Int(frame.bandOfSubband[subband])
    let v = frame.values[set].map { $0[band] }
    let (alpha, beta, dry1, dry2) = (v[0], v[1], v[2], v[3])
    let (wet1, wet2, wet3) = (v[4], v[5], v[6])
    let h = 1 / 2.0.squareRoot()
    if !frame.hasWideFront {
      return [
        0: (1 + alpha) / 2, 3: (1 - alpha) / 2, 6: dry1, 7: dry2, 9: 1 - dry1 - dry2,
        10 + 0: beta / 2, 10 + 3: -beta / 2,
        10 + 6: h * (wet1 + wet3), 10 + 7: -h * wet3, 10 + 9: -h * wet1,
        10 + 11: h * (wet3 + wet2), 10 + 12: -h * wet2, 10 + 14: -h * wet3,
      ]
    }
    return [
      0: dry1, 1: dry2, 2: 1 - dry1 - dry2, 8: (1 + alpha) / 2, 9: (1 - alpha) / 2,
      10 + 13: beta / 2, 10 + 14: -beta / 2,
      10 + 0: h * (wet1 + wet3), 10 + 1: -h * wet3, 10 + 2: -h * wet1,
      10 + 5: h * (wet3 + wet2), 10 + 6: -h * wet2, 10 + 7: -h * wet3,
    ]
  }

  /// A coefficient in a slot of the whole signal.
  private func coefficient(_ index: Int, _ time: Int, _ subband: Int) -> Double {
    let (number, at) = (time / slots, time % slots)
    let frame = frames[number]
    let last = frame.values.count - 1
    let own = (0...last).map { SlowJoint.coefficients(frame, $0, subband)[index] ?? 0 }
    var before = 0.0
    if number > 0 {
      let previous = frames[number - 1]
      before =
        SlowJoint.coefficients(previous, previous.values.count - 1, subband)[index] ?? 0
    }
    if frame.isSteep {
      if at < frame.slots[0] { return before }
      return last == 1 && at >= frame.slots[1] ? own[1] : own[0]
    }
    if last == 0 { return before + Double(at + 1) * (own[0] - before) / Double(slots) }
    let half = slots / 2
    if at < half { return before + Double(at + 1) * (own[0] - before) / Double(half) }
    return own[0] + Double(at - half + 1) * (own[1] - own[0]) / Double(slots - half)
  }

  /// Front, surround, back, top in front and top behind.
  func channels(_ front: Signal, _ surround: Signal) -> [Signal] {
    let scale = 2 + 1 / 2.0.squareRoot()
    let xa = front.map { $0.map { scale * $0 } }
    let xb = surround.map { $0.map { scale * $0 } }
    var mixed = xa
    for time in xa.indices {
      let number = time / slots
      let new = frames[number].hasWideFront ? 0.0 : 1
      let old = number == 0 ? new : frames[number - 1].hasWideFront ? 0.0 : 1
      let g = old + (new - old) * Double(time % slots + 1) / Double(slots)
      for subband in 0..<64 {
        mixed[time][subband] = g * xb[time][subband] + (1 - g) * xa[time][subband]
      }
    }
    let y = [
      SlowCoupling.decorrelated(xa, 0), SlowCoupling.decorrelated(mixed, 2),
      SlowCoupling.decorrelated(xb, 1),
    ]
    return (0..<5).map { o in
      xa.indices.map { time in
        (0..<64).map { subband in
          func c(_ index: Int) -> Double { coefficient(index, time, subband) }
          var z = c(o) * xa[time][subband] + c(o + 5) * xb[time][subband]
          z += c(10 + o) * y[0][time][subband] + c(15 + o) * y[1][time][subband]
          z += c(20 + o) * y[2][time][subband]
          return o == 0 ? z : 2.0.squareRoot() * z
        }
      }
    }
  }
}
