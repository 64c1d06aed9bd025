/// Sum of the last `width` integers, free of rounding errors.
struct RunningSum {
  private let ring: IntegerRing
  private var position = 0
  private var sum: Int64

  /// A window of `width` values, filled with `value`.
  init(width: Int, value: Int64) {
    ring = IntegerRing(count: width, value: value)
    sum = value * Int64(width)
  }

  /// Adds a value and returns the sum of the window that ends with it.
  mutating func push(_ value: Int64) -> Int64 {
    let values = ring.base
    sum += value - values[position]
    values[position] = value
    position += 1
    if position == ring.count { position = 0 }
    return sum
  }
}
