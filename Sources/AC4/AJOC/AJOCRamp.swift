import Signal

/// The stretches of a frame in which the coefficients of joint object coding rest or move evenly
/// (TS 103 190-2, 5.7.3.5).
///
/// All coefficients of a substream share one ramp: behind the slot of a data point they begin to move to its values, and the
/// ramp may run on into later frames. A later data point takes over where the ramp stands.
struct AJOCRamp {
  /// A stretch of slots.
  struct Stretch {
    /// Its first slot.
    var first = 0
    /// The slot behind its last.
    var end = 0
    /// Whether coefficients move in each of its slots.
    var isMoving = false
    /// Whether they arrive with its last slot.
    var arrives = false
    /// The data point that begins behind it; below 0 for none.
    var point = -1
    /// Slots of that data point's ramp.
    var length = 1

    /// Its slots.
    var count: Int { end - first }
  }

  /// A ramp may end, and each data point may begin one that ends, in the frame.
  private static let most = 2 * AJOCFrame.mostPoints + 2

  /// Stretches of the current frame.
  private(set) var count = 0
  /// The stretches, ``count`` of them.
  let stretches = FixedBuffer<Stretch>(Stretch(), count: most)

  /// Slots of the ramp that are left.
  private var left = 0

  /// Plans a frame of `slots` slots; `nil` is one that couldn't be read, in which a ramp runs on.
  mutating func plan(_ frame: AJOCFrame?, slots: Int) {
    count = 0
    var position = 0
    while position < slots {
      var stretch = Stretch()
      stretch.isMoving = left > 0
      var end = left > 0 ? min(slots, position + left) : slots
      if let next = AJOCRamp.point(frame, from: position), next.start < end {
        end = next.start + 1
        (stretch.point, stretch.length) = (next.index, next.length)
      }
      (stretch.first, stretch.end) = (position, end)
      if stretch.isMoving {
        left -= stretch.count
        stretch.arrives = left == 0
      }
      if stretch.point >= 0 { left = stretch.length }
      stretches.base[count] = stretch
      count += 1
      position = end
    }
  }

  /// Forgets a ramp.
  mutating func reset() { left = 0 }

  /// The first data point at slot `from` or later; of two at the same slot the later one.
  private static func point(
    _ frame: AJOCFrame?, from position: Int
  ) -> (index: Int, start: Int, length: Int)? {
    guard let frame else { return nil }
    var found: (index: Int, start: Int, length: Int)?
    for index in 0..<frame.pointCount {
      let point = frame.points.base[index]
      guard point.start >= position, point.start <= found?.start ?? point.start else { continue }
      found = (index, point.start, point.length)
    }
    return found
  }
}
