// SPDX-License-Identifier: Apache-2.0

/// Path data of a curve in a box of `columns` × `height` units, in short relative coordinates.
///
/// If a curve has more steps than the box has columns, each column shows its least and greatest
/// value, so that a peak is never lost.
struct CurveTrace {
  /// Least and greatest value of each step; `nil` breaks the curve.
  let steps: [ClosedRange<Double>?]
  /// Length of a step, seconds.
  let interval: Double
  /// Whether whole units are fine enough, for small pictures.
  var isCoarse = false

  /// A curve of single values.
  init(_ values: [Double?], interval: Double) {
    self.init(
      ranges: values.map { value in value.flatMap { $0.isFinite ? $0...$0 : nil } },
      interval: interval)
  }

  /// A curve of a report.
  init(_ curve: RenderReport.Curves.Curve, interval: Double) {
    guard let lowest = curve.lowest, lowest.count == curve.highest.count else {
      self.init(curve.highest, interval: interval)
      return
    }
    self.init(
      ranges: zip(lowest, curve.highest).map { low, high in
        guard let low, let high, low.isFinite, high.isFinite else { return nil }
        return min(low, high)...max(low, high)
      }, interval: interval)
  }

  private init(ranges: [ClosedRange<Double>?], interval: Double) {
    // The values come from a file and may be of any size; no plot's scale reaches beyond ±1000 dB.
    steps = ranges.map { range in range?.clamped(to: -1000...1000) }
    self.interval = interval
  }

  /// Whether there is nothing to draw.
  var isEmpty: Bool { steps.allSatisfy { $0 == nil } }

  /// The outline: a line where each column has a single value, else a band around all values.
  /// `time` goes from 0 to `columns` units, `level` from its bottom to its top.
  func outline(time: PlotAxis, level: PlotAxis) -> (data: String, isBand: Bool) {
    let columns = columns(time)
    let isBand = columns.contains { $0.map { $0.range.lowerBound < $0.range.upperBound } ?? false }
    var data = ""
    for run in columns.split(separator: .none) {
      let points = run.compactMap { $0 }
      let upper = points.map { ($0.x, y($0.range.upperBound, level)) }
      let lower: [(Double, Double)] =
        isBand ? points.reversed().map { ($0.x, y($0.range.lowerBound, level)) } : []
      if points.count == 1, !isBand {
        // A point without neighbours would be invisible.
        data += path([(upper[0].0 - 2, upper[0].1), (upper[0].0 + 2, upper[0].1)])
      } else {
        data += path(upper + lower) + (isBand ? "Z" : "")
      }
    }
    return (data, isBand)
  }

  /// A line through the greatest value of each column: the upper edge of a band.
  func edge(time: PlotAxis, level: PlotAxis) -> String {
    var data = ""
    for run in columns(time).split(separator: .none) {
      data += path(run.compactMap { $0 }.map { ($0.x, y($0.range.upperBound, level)) })
    }
    return data
  }

  /// The area between `base`, e.g. 0 dB, and the least value of each column below it.
  func area(time: PlotAxis, level: PlotAxis, base: Double) -> String {
    var data = ""
    for run in columns(time).split(separator: .none) {
      let points = run.compactMap { $0 }
      guard let first = points.first, let last = points.last else { continue }
      let edge = points.map { ($0.x, y($0.range.lowerBound, level)) }
      let foot = level.position(base)
      data += path([(first.x, foot)] + edge + [(last.x, foot)]) + "Z"
    }
    return data
  }

  private struct Column: Equatable {
    let x: Double
    let range: ClosedRange<Double>
  }

  /// One point for each step where there are at least as many units as steps, else one for each
  /// unit.
  private func columns(_ time: PlotAxis) -> [Column?] {
    let count = max(1, Int(time.end - time.start))
    guard steps.count > count else {
      return steps.enumerated().map { index, range in
        range.map { Column(x: time.position(Double(index + 1) * interval), range: $0) }
      }
    }
    var ranges = [ClosedRange<Double>?](repeating: nil, count: count)
    for (index, range) in steps.enumerated() {
      guard let range else { continue }
      let x = time.position((Double(index) + 0.5) * interval) - time.start
      let column = x.isFinite ? min(count - 1, max(0, Int(min(x, 1e9)))) : 0
      let old = ranges[column] ?? range
      ranges[column] =
        min(old.lowerBound, range.lowerBound)...max(old.upperBound, range.upperBound)
    }
    return ranges.enumerated().map { index, range in
      range.map { Column(x: time.start + Double(index) + 0.5, range: $0) }
    }
  }

  /// Clamps values to 5 dB outside the scale: the rest of the line would be cut off anyway.
  private func y(_ value: Double, _ level: PlotAxis) -> Double {
    let (low, high) = (min(level.first, level.last), max(level.first, level.last))
    return level.position(min(max(value, low - 5), high + 5))
  }

  /// `M` with the first point, then the difference from each point to the next, in tenths.
  /// Differences are taken between rounded points, so that rounding errors don't add up.
  private func path(_ points: [(Double, Double)]) -> String {
    var data = ""
    var old: (x: Int, y: Int)?
    func add(_ tenths: Int) {
      let text = CurveTrace.number(tenths)
      let needsSpace = data.utf8.last.map { $0 < UInt8(ascii: "A") } ?? false
      data += needsSpace && !text.hasPrefix("-") ? " " + text : text
    }
    for (x, y) in points {
      let new = (x: tenths(x), y: tenths(y))
      if old == nil { data += "M" }
      add(new.x - (old?.x ?? 0))
      add(new.y - (old?.y ?? 0))
      if old == nil { data += "l" }
      old = new
    }
    return data
  }

  /// The bound keeps any number within an `Int`; points that far away are never visible.
  private func tenths(_ value: Double) -> Int {
    let value = value.isNaN ? 0 : max(-1e6, min(1e6, value))
    return isCoarse ? Int(value.rounded()) * 10 : Int((value * 10).rounded())
  }

  private static func number(_ tenths: Int) -> String {
    let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
    let sign = tenths < 0 ? "-" : ""
    guard rest > 0 else { return whole == 0 ? "0" : sign + String(whole) }
    return sign + (whole == 0 ? "" : String(whole)) + "." + String(rest)
  }
}
