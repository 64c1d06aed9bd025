/// Minimum of the last `width` integers, none above a known ceiling.
///
/// Keeps the ascending minima only (Lemire 2006, "Streaming maximum-minimum filter"), so each step
/// costs a constant amount on average.
struct SlidingMinimum {
  private let values: IntegerRing
  private let positions: IntegerRing
  private let width: Int
  private var front = 0
  private var count = 0
  private var now: Int64 = 0

  /// A window that begins with `width` values at the ceiling.
  init(width: Int) {
    self.width = width
    values = IntegerRing(count: width + 1, value: 0)
    positions = IntegerRing(count: width + 1, value: 0)
  }

  /// Adds a value and returns the minimum of the window that ends with it.
  mutating func push(_ value: Int64) -> Int64 {
    let values = self.values.base
    let positions = self.positions.base
    let size = width + 1
    while count > 0 {
      var back = front + count - 1
      if back >= size { back -= size }
      guard values[back] >= value else { break }
      count -= 1
    }
    var end = front + count
    if end >= size { end -= size }
    values[end] = value
    positions[end] = now
    count += 1
    if positions[front] <= now - Int64(width) {
      front += 1
      if front == size { front = 0 }
      count -= 1
    }
    now += 1
    return values[front]
  }

  /// Forgets all values, as after a window of the largest ones.
  mutating func removeAll() { count = 0 }
}
