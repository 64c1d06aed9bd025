import Platform
import Signal

/// Corrects onsets of single measurements that disagree with those of their neighbours.
struct OnsetMender {
  private let grid: DirectionGrid
  private let rate: Int
  /// Grid point of each measurement that isn't swapped there.
  private let points: [Int: Int]

  /// Neighbours that are asked.
  private static let neighbours = 6
  /// Smallest correction, in seconds: half a sample at 48 kHz.
  private static let least = 0.5 / 48000
  /// How far neighbours that agree may lie apart, as a part of the correction.
  private static let spread = 0.5

  /// A mender of the measurements that stand in `grid`, at `rate` Hz.
  init(_ grid: DirectionGrid, rate: Int) {
    self.grid = grid
    self.rate = rate
    var points: [Int: Int] = [:]
    for (index, point) in grid.points.enumerated() {
      for member in point.members where !member.swapped { points[member.measurement] = index }
    }
    self.points = points
  }

  /// Both ears of `measurement`; `found` gives those of any, aligned by their own onsets.
  func mended(
    _ measurement: Int, _ fft: DoubleFFT, found: (Int) -> [AlignedResponse]
  ) -> [AlignedResponse] {
    var ears = found(measurement)
    guard let point = points[measurement] else { return ears }
    let near = grid.nearest(OnsetMender.neighbours + 1, to: grid.points[point].position)
      .filter { $0 != point }.compactMap { grid.points[$0].members.first }
    for ear in 0..<2 {
      let lags = near.map { member -> Double in
        let other = found(member.measurement)[member.swapped ? 1 - ear : ear]
        return CorrelationPeak.lag(of: ears[ear].spectrum, behind: other.spectrum, fft)
      }.sorted()
      guard let lag = correction(lags) else { continue }
      ears[ear].spectrum.shift(by: -lag)
      ears[ear].delay += lag
    }
    return ears
  }

  /// What most of `lags`, ascending, agree on; `nil` when that is small or they disagree.
  private func correction(_ lags: [Double]) -> Double? {
    guard lags.count >= 3 else { return nil }
    let median = (lags[(lags.count - 1) / 2] + lags[lags.count / 2]) / 2
    guard median.magnitude >= OnsetMender.least * Double(rate) else { return nil }
    let agreeing = lags.filter { ($0 - median).magnitude <= OnsetMender.spread * median.magnitude }
    return agreeing.count * 3 >= lags.count * 2 ? median : nil
  }
}
