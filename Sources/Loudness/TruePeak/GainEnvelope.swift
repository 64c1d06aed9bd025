// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// Turns required gains into a smooth gain that is never above any of them.
///
/// The minimum over the look-ahead window is released exponentially and smoothed by two
/// moving averages in a row (a triangular FIR as long as the look-ahead). All values are integers:
/// sums stay exact however long the programme is, the gain returns to exactly 1, and no result
/// depends on how the input is cut.
struct GainEnvelope {
  /// Samples around a peak over which its gain is held at full depth, on each side, so that the
  /// gain is level where interpolators look.
  static let hold = 24
  /// The output that means gain 1: the product of ``PeakGainDetector/one`` and both widths of the moving averages.
  let full: Int64
  /// Samples by which the output lags the required gains.
  let delay: Int
  private let settled: Int
  private let coefficient: Int64
  private var minimum: SlidingMinimum
  private var first: RunningSum
  private var second: RunningSum
  private var gain = PeakGainDetector.one
  private var flat: Int

  /// An envelope at `sampleRate` Hz with the look-ahead and release of `response`.
  init(sampleRate: Int, response: LimiterResponse) {
    let one = PeakGainDetector.one
    let half = response.halfWindow(at: sampleRate)
    // Two averages of `half` samples make a triangle of this length.
    let window = 2 * half - 1
    delay = window - 1 + GainEnvelope.hold
    minimum = SlidingMinimum(width: window + 2 * GainEnvelope.hold)
    first = RunningSum(width: half, value: one)
    second = RunningSum(width: half, value: one * Int64(half))
    full = one * Int64(half) * Int64(half)
    settled = 2 * half
    flat = settled
    let step = 1 - exp(-1 / (response.release * Double(sampleRate)))
    coefficient = Int64(step * Double(one))
  }

  /// Whether the gain is 1 and stays so until a required gain is below 1.
  var isIdle: Bool { flat >= settled }

  /// Replaces `count` required gains by the smooth gain in units of 1/``full``, ``delay`` later.
  mutating func run(_ gains: UnsafeMutablePointer<Int64>, count: Int) {
    let one = PeakGainDetector.one
    // Aiming 1/128 (0.07 dB) above 1 ends the release in a few time constants instead of leaving a
    // tail of inaudible reduction.
    let aim = one + one / 128
    // The caller passes over samples while it is idle, so the window's positions wouldn't fit.
    if isIdle { minimum.removeAll() }
    for index in 0..<count {
      let wanted = minimum.push(gains[index])
      let released = min(one, gain + ((aim - gain) * coefficient) >> 30)
      gain = min(wanted, released)
      flat = gain == one ? flat + 1 : 0
      gains[index] = second.push(first.push(gain))
    }
  }
}

/// Minimum of the last `width` integers, which is the ceiling while none was pushed.
///
/// Keeps the ascending minima only (Lemire 2006, "Streaming maximum-minimum filter"), so each step
/// costs a constant amount on average.
struct SlidingMinimum {
  private let values: Buffer<Int64>
  private let positions: Buffer<Int64>
  private let width: Int
  private var front = 0
  private var count = 0
  private var now: Int64 = 0

  /// A window that begins with `width` values at the ceiling.
  init(width: Int) {
    self.width = width
    values = Buffer(0, count: width + 1)
    positions = Buffer(0, count: width + 1)
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

/// Sum of the last `width` integers, free of rounding errors.
struct RunningSum {
  private let ring: Buffer<Int64>
  private var position = 0
  private var sum: Int64

  /// A window of `width` values, filled with `value`.
  init(width: Int, value: Int64) {
    ring = Buffer(value, count: width)
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
