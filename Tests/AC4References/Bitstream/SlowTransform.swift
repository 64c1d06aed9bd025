// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The inverse transform of AC-4's audio spectral front end by its definition.
enum SlowTransform {
  /// Inverse transforms with windows laid out on one time axis, in double precision; two frames
  /// longer than the stream, since its last blocks reach beyond it.
  static func formula(
    _ frames: [SyntheticStream.Frame], _ channel: Int, _ frameLength: Int, parts: Int = 1
  ) -> [Double] {
    // The first block overlaps with silence of one codec frame.
    let codecLength = frameLength / parts
    var blocks: [(border: Int, length: Int, lines: ArraySlice<Double>)] = []
    for (number, frame) in frames.enumerated() {
      var at = 0
      for length in frame.windows[channel] {
        blocks.append(
          (
            number * frameLength + codecLength / 2 + at, length,
            frame.lines[channel][at..<at + length]
          ))
        at += length
      }
    }
    var output = [Double](repeating: 0, count: (frames.count + 2) * frameLength)
    for (place, block) in blocks.enumerated() {
      let before = place == 0 ? codecLength : blocks[place - 1].length
      let after = place == blocks.count - 1 ? codecLength : blocks[place + 1].length
      let samples = inverse(Array(block.lines))
      for (time, sample) in samples.enumerated() {
        let at = block.border - block.length / 2 + time
        let rise = window(at - block.border, min(before, block.length))
        let fall = window(block.border + block.length - 1 - at, min(after, block.length))
        output[at] += sample * rise * fall / 32768
      }
    }
    return output
  }

  /// A slope of `length` samples centred on 0: 0 before it, 1 after it.
  private static func window(_ offset: Int, _ length: Int) -> Double {
    let place = offset + length / 2
    if place < 0 { return 0 }
    return place >= length ? 1 : slopes[length]?[place] ?? 0
  }

  /// Kaiser-Bessel-derived slopes by their definition.
  private static let slopes: [Int: [Double]] = {
    let alphas: [(Double, [Int])] = [
      (3, [2048, 1920, 1536]), (4, [1024, 960, 768]), (4.5, [512, 480, 384]),
      (5, [256, 240, 192]), (6, [128, 120, 96]),
    ]
    var slopes: [Int: [Double]] = [:]
    for (alpha, lengths) in alphas {
      for length in lengths {
        let kernel = (0...length).map { index -> Double in
          let argument =
            Double.pi * alpha * sqrt(max(0, 1 - pow(2 * Double(index) / Double(length) - 1, 2)))
          var sum = 1.0
          var term = 1.0
          for order in 1..<80 {
            term *= pow(argument / 2 / Double(order), 2)
            sum += term
          }
          return sum
        }
        let total = kernel.reduce(0, +)
        var sum = 0.0
        slopes[length] = kernel.dropLast().map { value in
          sum += value
          return sqrt(sum / total)
        }
      }
    }
    return slopes
  }()

  private static func inverse(_ lines: [Double]) -> [Double] {
    let count = lines.count
    let table = (0..<8 * count).map { cos(.pi / Double(4 * count) * Double($0)) }
    let used = lines.indices.filter { lines[$0] != 0 }
    return (0..<2 * count).map { time in
      var sum = 0.0
      for line in used {
        sum += lines[line] * table[(2 * time + 1 + count) * (2 * line + 1) % (8 * count)]
      }
      return sum / Double(count)
    }
  }
}
