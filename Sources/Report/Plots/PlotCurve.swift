/// The outline of a curve: a line, or a band of minima and maxima where it has more points than the
/// plot has columns of pixels.
struct PlotCurve {
  /// Values at the end of each step; `nil` breaks the curve.
  let values: [Double?]
  /// Length of a step, seconds.
  let interval: Double
  let time: PlotAxis
  let level: PlotAxis

  /// Whether the outline encloses an area that is to be filled.
  var isBand: Bool { Double(values.count) > 2 * (time.end - time.start) }

  /// Path data in pixels.
  var outline: String { isBand ? band : line }

  private var line: String {
    var data = ""
    var run: [String] = []
    func close() {
      // A point without neighbours would be invisible.
      if run.count == 1 { data += "M" + run[0] + "m-4 0h8" }
      if run.count > 1 { data += "M" + run[0] + "L" + run.dropFirst().joined(separator: " ") }
      run = []
    }
    for (index, value) in values.enumerated() {
      if let value, value.isFinite { run.append(point(x(index), y(value))) } else { close() }
    }
    close()
    return data
  }

  private var band: String {
    var data = ""
    var upper: [String] = []
    var lower: [String] = []
    func close() {
      if let first = upper.first {
        let rest = upper.dropFirst() + lower.reversed()
        data += "M" + first + "L" + rest.joined(separator: " ") + "Z"
      }
      upper = []
      lower = []
    }
    for (index, extremes) in columns().enumerated() {
      guard let extremes else {
        close()
        continue
      }
      let middle = time.start + Double(index) + 0.5
      upper.append(point(middle, y(extremes.upperBound)))
      lower.append(point(middle, y(extremes.lowerBound)))
    }
    close()
    return data
  }

  /// Least and greatest value of each column of pixels.
  private func columns() -> [ClosedRange<Double>?] {
    let count = max(1, Int(time.end - time.start))
    var result = [ClosedRange<Double>?](repeating: nil, count: count)
    for (index, value) in values.enumerated() {
      guard let value, value.isFinite else { continue }
      let column = min(count - 1, max(0, Int(x(index) - time.start)))
      let old = result[column] ?? value...value
      result[column] = min(old.lowerBound, value)...max(old.upperBound, value)
    }
    return result
  }

  private func x(_ index: Int) -> Double { time.position(Double(index + 1) * interval) }

  /// Clamps values to 5 LU below the scale: the rest of the line would be cut off anyway.
  private func y(_ value: Double) -> Double { level.position(max(value, level.first - 5)) }

  private func point(_ x: Double, _ y: Double) -> String {
    SVGText.coordinate(x) + " " + SVGText.coordinate(y)
  }
}
