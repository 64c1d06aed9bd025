import Platform

/// A level among the levels of loudspeakers along one axis of the room, and its share of the gain (ITU-R
/// BS.2127-1, 7.3).
struct AxisStep: Sendable, Hashable {
  /// All levels, rising.
  let levels: [Double]
  /// Which of them this is.
  let index: Int

  /// Gain at `value`: 1 at the level and beyond it where it is the last one, falling to 0 at the levels next
  /// to it with constant power.
  func gain(at value: Double) -> Double {
    let level = levels[index]
    if value == level { return 1 }
    let isAbove = value > level
    let next = isAbove ? index + 1 : index - 1
    guard levels.indices.contains(next) else { return 1 }
    let way = (value - level) / (levels[next] - level)
    return way < 1 ? cos(way * .pi / 2) : 0
  }
}
