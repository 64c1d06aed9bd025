// SPDX-License-Identifier: Apache-2.0
import Signal
import TestSupport

@testable import AC4

/// Writes `ajoc()` with random settings and values, and knows what they are.
struct SyntheticObjects {
  /// Values that may occur.
  struct Choice {
    var bandCodes = Array(0...7)
    var resolutions = [false, true]
    var decorrelators = 0...7
    var pointCounts = [0, 1, 2]
    var lengths = 1...64
    /// Whether objects may be absent, and rows of others.
    var hasGaps = true
  }

  let inputs: Int
  let count: Int
  let slots: Int
  let choice: Choice
  /// Rows that were written as differences over time, and over frequency.
  private(set) var written = (time: 0, frequency: 0)

  /// An object's last data point, which differences over time refer to; `nil` before the first.
  private var last: [SlowObjects.Values?]
  /// Whether the object was absent, so that everything counts as 0.
  private var wasAbsent: [Bool]

  init(inputs: Int, objects: Int, slots: Int, _ choice: Choice = Choice()) {
    (self.inputs, count, self.slots, self.choice) = (inputs, objects, slots, choice)
    last = Array(repeating: nil, count: objects)
    wasAbsent = Array(repeating: false, count: objects)
  }

  /// Writes the next frame.
  mutating func write(_ bits: inout BitWriter, _ noise: inout SeededNoise) -> SlowObjects.Frame {
    let frame = makeFrame(&noise)
    bits.write(frame.decorrelators, 3)
    for index in 0..<frame.decorrelators { bits.write(frame.enabled[index]) }
    for object in frame.objects { bits.write(object != nil) }
    bits.write(frame.points.count, 2)
    for point in frame.points {
      bits.write(point.start, 5)
      bits.write(point.length - 1, 6)
    }
    let lacksTime = Bool.random(using: &noise)
    if frame.points.isEmpty {
      bits.write(lacksTime)
      return frame
    }
    var sent = frame.objects.map { _ in [Bool]() }
    for (number, values) in frame.objects.enumerated() {
      guard let values else { continue }
      sent[number] = writeForm(values, frame, &bits, &noise)
    }
    bits.write(lacksTime)
    for (number, values) in frame.objects.enumerated() {
      if let values {
        write(values, number, frame, sent[number], lacksTime, &bits, &noise)
        last[number] = values
        wasAbsent[number] = false
      } else {
        wasAbsent[number] = true
      }
    }
    return frame
  }

  private func makeFrame(_ noise: inout SeededNoise) -> SlowObjects.Frame {
    let decorrelators = Int.random(in: choice.decorrelators, using: &noise)
    let enabled = (0..<7).map { $0 < decorrelators && Int.random(in: 0..<4, using: &noise) > 0 }
    let points = (0..<(choice.pointCounts.randomElement(using: &noise) ?? 0)).map { _ in
      (
        start: Int.random(in: 0..<slots, using: &noise),
        length: Int.random(in: choice.lengths, using: &noise)
      )
    }.sorted { $0.start < $1.start }
    var frame = SlowObjects.Frame(
      decorrelators: decorrelators, enabled: enabled, points: points, objects: [],
      gains: Array(repeating: 1, count: count))
    for number in 0..<count {
      let isAbsent = choice.hasGaps && Int.random(in: 0..<5, using: &noise) == 0
      frame.objects.append(isAbsent ? nil : makeValues(number, frame, &noise))
    }
    return frame
  }

  private func makeValues(
    _ number: Int, _ frame: SlowObjects.Frame, _ noise: inout SeededNoise
  ) -> SlowObjects.Values {
    // An object mostly keeps its form, because differences over time need that.
    var (code, isCoarse) = (
      choice.bandCodes.randomElement(using: &noise) ?? 0,
      choice.resolutions.randomElement(using: &noise) ?? true
    )
    if let last = last[number], Int.random(in: 0..<4, using: &noise) > 0 {
      (code, isCoarse) = (last.bandCode, last.isCoarse)
    }
    let bands = [23, 15, 12, 9, 7, 5, 3, 1][code]
    func rows(_ count: Int, _ center: Int) -> [[[Int]]] {
      frame.points.map { _ in
        (0..<count).map { row in
          // Some rows hold nothing, so that they can be left out.
          let isEmpty = choice.hasGaps && Int.random(in: 0..<3, using: &noise) == 0
          return (0..<bands).map { _ in
            isEmpty ? center : Int.random(in: 0...2 * center, using: &noise)
          }
        }
      }
    }
    return SlowObjects.Values(
      bandCode: code, isCoarse: isCoarse, dry: rows(inputs, isCoarse ? 25 : 50),
      wet: rows(frame.decorrelators, isCoarse ? 10 : 20))
  }

  private func isEmpty(_ row: [Int], _ center: Int) -> Bool { row.allSatisfy { $0 == center } }

  /// Bands, resolution and which rows are sent; answers the latter, dry ones first.
  private func writeForm(
    _ values: SlowObjects.Values, _ frame: SlowObjects.Frame, _ bits: inout BitWriter,
    _ noise: inout SeededNoise
  ) -> [Bool] {
    bits.write(values.bandCode, 3)
    bits.write(values.isCoarse)
    func holds(_ rows: [[[Int]]], _ row: Int, _ center: Int) -> Bool {
      rows.contains { !isEmpty($0[row], center) }
    }
    let dry = (0..<inputs).map { holds(values.dry, $0, values.isCoarse ? 25 : 50) }
    let wet = (0..<frame.decorrelators).map { holds(values.wet, $0, values.isCoarse ? 10 : 20) }
    // Rows of decorrelators that are off can't be marked as sent.
    let isPossible = !wet.indices.contains { wet[$0] && !frame.enabled[$0] }
    let isSparse = isPossible && Bool.random(using: &noise)
    bits.write(isSparse)
    guard isSparse else { return Array(repeating: true, count: inputs + frame.decorrelators) }
    for flag in dry { bits.write(flag) }
    for (index, flag) in wet.enumerated() where frame.enabled[index] { bits.write(flag) }
    return dry + wet
  }

  private mutating func write(
    _ values: SlowObjects.Values, _ number: Int, _ frame: SlowObjects.Frame, _ sent: [Bool],
    _ lacksTime: Bool, _ bits: inout BitWriter, _ noise: inout SeededNoise
  ) {
    for point in frame.points.indices {
      for row in 0..<inputs + frame.decorrelators where sent[row] {
        let isWet = row >= inputs
        let place = isWet ? row - inputs : row
        let own = isWet ? values.wet[point][place] : values.dry[point][place]
        let before = reference(values, number, point, place, isWet)
        var isTime = false
        if point > 0 || !lacksTime {
          isTime = before != nil && Bool.random(using: &noise)
          bits.write(isTime)
        }
        if isTime, let before {
          written.time += 1
          let code = SyntheticObjects.code(isWet, values.isCoarse, 2)
          for (value, old) in Swift.zip(own, before) { Track.write(value - old, code, &bits) }
        } else {
          written.frequency += 1
          writeOverFrequency(own, isWet, values.isCoarse, &bits)
        }
      }
    }
  }

  /// The values that differences over time refer to; `nil` where there can't be any.
  private func reference(
    _ values: SlowObjects.Values, _ number: Int, _ point: Int, _ place: Int, _ isWet: Bool
  ) -> [Int]? {
    if point > 0 { return isWet ? values.wet[point - 1][place] : values.dry[point - 1][place] }
    let center = isWet ? (values.isCoarse ? 10 : 20) : (values.isCoarse ? 25 : 50)
    let nothing = Array(repeating: center, count: values.dry[0][0].count)
    if wasAbsent[number] { return nothing }
    guard let last = last[number], last.bandCode == values.bandCode,
      last.isCoarse == values.isCoarse
    else { return nil }
    let rows = isWet ? last.wet[last.wet.count - 1] : last.dry[last.dry.count - 1]
    return place < rows.count ? rows[place] : nothing
  }

  /// Sums wrap around, so every difference can be written as a value from 0 on.
  private func writeOverFrequency(
    _ row: [Int], _ isWet: Bool, _ isCoarse: Bool, _ bits: inout BitWriter
  ) {
    let levels = isWet ? (isCoarse ? 21 : 41) : (isCoarse ? 51 : 101)
    Track.write(row[0], SyntheticObjects.code(isWet, isCoarse, 0), &bits)
    for (before, value) in Swift.zip(row, row.dropFirst()) {
      Track.write(
        (value - before + levels) % levels, SyntheticObjects.code(isWet, isCoarse, 1), &bits)
    }
  }

  /// The code of first values (0), of differences over frequency (1) or over time (2).
  static func code(_ isWet: Bool, _ isCoarse: Bool, _ kind: Int) -> HuffmanCode {
    typealias Books = ObjectCodebooks
    let all = [
      [Books.ajocDryFineF0, Books.ajocDryFineDf, Books.ajocDryFineDt],
      [Books.ajocDryCoarseF0, Books.ajocDryCoarseDf, Books.ajocDryCoarseDt],
      [Books.ajocWetFineF0, Books.ajocWetFineDf, Books.ajocWetFineDt],
      [Books.ajocWetCoarseF0, Books.ajocWetCoarseDf, Books.ajocWetCoarseDt],
    ]
    return all[(isWet ? 2 : 0) + (isCoarse ? 1 : 0)][kind]
  }
}
