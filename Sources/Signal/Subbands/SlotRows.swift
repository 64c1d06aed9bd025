import CAC4

/// Rows of values along time, one row for each subband or each place in a slot. The last values of earlier
/// frames stand before the current frame's slots.
final class SlotRows {
  /// Values from one row to the next.
  let stride: Int
  /// Values of earlier frames in each row.
  let history: Int
  /// Slots per frame.
  let slots: Int
  /// Number of rows.
  let rows: Int
  private let values: FixedBuffer<Float>

  /// `rows` rows of `history` + `slots` values, with room for `spare` more behind them.
  init(rows: Int, history: Int, slots: Int, spare: Int = 0) {
    self.rows = rows
    self.history = history
    self.slots = slots
    stride = (history + slots + spare + 7) & ~3
    values = FixedBuffer(0, count: rows * stride)
  }

  /// Slot 0 of row `row`; the history lies before it.
  @inline(__always)
  func row(_ row: Int) -> UnsafeMutablePointer<Float> { values.base + row * stride + history }

  /// All rows from slot 0 on.
  var all: ca_rows { from(0) }

  /// All rows from `slot` on.
  func from(_ slot: Int) -> ca_rows { ca_rows(base: row(0) + slot, stride: stride) }

  /// Makes the last slots of the frame the history of the next one.
  func advance() {
    for row in 0..<rows {
      let base = values.base + row * stride
      base.update(from: base + slots, count: history)
    }
  }

  /// Sets everything to 0.
  func clear() { values.fill(0) }
}
