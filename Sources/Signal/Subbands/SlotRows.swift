import CSignal

/// Rows of values along time, one row for each subband or each place in a slot. The last values of earlier
/// frames stand before the current frame's slots.
public final class SlotRows {
  /// Values from one row to the next.
  public let stride: Int
  /// Values of earlier frames in each row.
  public let history: Int
  /// Slots per frame.
  public let slots: Int
  /// Number of rows.
  public let rows: Int
  @usableFromInline let values: FixedBuffer<Float>

  /// `rows` rows of `history` + `slots` values, with room for `spare` more behind them.
  public init(rows: Int, history: Int, slots: Int, spare: Int = 0) {
    self.rows = rows
    self.history = history
    self.slots = slots
    stride = (history + slots + spare + 7) & ~3
    values = FixedBuffer(0, count: rows * stride)
  }

  /// Slot 0 of row `row`; the history lies before it.
  @inlinable @inline(__always)
  public func row(_ row: Int) -> UnsafeMutablePointer<Float> {
    values.base + row * stride + history
  }

  /// All rows from slot 0 on.
  var all: sg_rows { from(0) }

  /// All rows from `slot` on.
  func from(_ slot: Int) -> sg_rows { sg_rows(base: row(0) + slot, stride: stride) }

  /// Makes the last slots of the frame, and `beyond` slots that lie behind it, the history and the first slots of the
  /// next one.
  public func advance(beyond: Int = 0) {
    sg_advance_rows(from(beyond), rows, slots, history + beyond)
  }

  /// Adds the slots of `range` of `source`, times a factor of each row: that of the n-th of these slots, from 1 on, is
  /// the row's value and n times its step; without `steps` it is the value. Both have 64 rows.
  package func add(
    _ source: SlotRows, _ values: UnsafePointer<Float>, _ steps: UnsafePointer<Float>?,
    slots range: Range<Int>
  ) {
    sg_add_rows(source.all, values, steps, range.lowerBound, range.upperBound, all)
  }

  /// Moves all values `count` slots to the past; those that leave the history are lost, and the last `count`
  /// slots keep what they hold.
  package func moveBack(by count: Int) {
    for row in 0..<rows {
      let base = values.base + row * stride
      base.update(from: base + count, count: history + slots - count)
    }
  }

  /// Writes the energies of rows `range` in `count` slots from `slot` on, the sums of the squared magnitudes
  /// in order of time, to `energies` from place `range.lowerBound` on. These rows are the real parts.
  package func energies(
    _ imaginary: SlotRows, rows range: Range<Int>, from slot: Int, count: Int,
    into energies: UnsafeMutablePointer<Float>
  ) {
    sg_energies(
      from(slot), imaginary.from(slot), range.lowerBound, range.upperBound, count, energies)
  }

  /// Sets everything to 0.
  public func clear() { values.fill(0) }
}
