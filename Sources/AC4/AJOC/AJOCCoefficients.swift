import Signal

/// Rows of coefficients, one for each subband, and how they move.
final class AJOCCoefficients {
  private let values: FixedBuffer<Float>
  /// What a slot of the ramp adds.
  private let steps: FixedBuffer<Float>
  /// What the ramp leads to.
  private let goals: FixedBuffer<Float>
  /// Whether a row has a coefficient that isn't 0, or that moves.
  private let isActive: FixedBuffer<Bool>

  /// `rows` rows of 0.
  init(rows: Int) {
    values = FixedBuffer(0, count: rows * QMF.bands)
    steps = FixedBuffer(0, count: rows * QMF.bands)
    goals = FixedBuffer(0, count: rows * QMF.bands)
    isActive = FixedBuffer(false, count: rows)
  }

  /// Whether a row is heard before the next data point.
  func isActive(_ row: Int) -> Bool { isActive.base[row] }

  /// Forgets everything.
  func reset() {
    values.fill(0)
    steps.fill(0)
    goals.fill(0)
    isActive.fill(false)
  }

  /// Adds `source`, times the coefficients of a row, to `target` slot by slot, and moves the row on behind the frame.
  /// - Parameters:
  ///   - targets: values of each data point for all subbands, one point after the other; `nil` for 0.
  ///   - source: what is added; `nil` for silence.
  /// - Returns: whether anything was added.
  @discardableResult func apply(
    _ row: Int, _ ramp: AJOCRamp, targets: UnsafePointer<Float>?, _ source: SubbandFrame?,
    to target: SubbandFrame
  ) -> Bool {
    guard targets != nil || isActive.base[row] else { return false }
    let place = row * QMF.bands
    let (values, steps) = (values.base + place, steps.base + place)
    for index in 0..<ramp.count {
      let stretch = ramp.stretches.base[index]
      if let source {
        let range = stretch.first..<stretch.end
        let moving = stretch.isMoving ? UnsafePointer(steps) : nil
        target.real.add(source.real, values, moving, slots: range)
        target.imaginary.add(source.imaginary, values, moving, slots: range)
      }
      let next = stretch.point < 0 ? nil : targets.map { $0 + stretch.point * QMF.bands }
      pass(stretch, place, next)
    }
    var isActive = false
    for subband in 0..<QMF.bands {
      isActive = isActive || values[subband] != 0 || steps[subband] != 0
    }
    self.isActive.base[row] = isActive
    return source != nil
  }

  /// Moves the coefficients from `place` on behind a stretch, and off to `next` where a data point begins there;
  /// `nil` is 0.
  private func pass(
    _ stretch: AJOCRamp.Stretch, _ place: Int, _ next: UnsafePointer<Float>?
  ) {
    let (values, steps) = (values.base + place, steps.base + place)
    let goals = goals.base + place
    if stretch.arrives {
      // The goal itself: steps add up to it but for rounding.
      values.update(from: goals, count: QMF.bands)
      steps.update(repeating: 0, count: QMF.bands)
    } else if stretch.isMoving {
      let count = Float(stretch.count)
      for subband in 0..<QMF.bands { values[subband] += steps[subband] * count }
    }
    guard stretch.point >= 0 else { return }
    if let next {
      goals.update(from: next, count: QMF.bands)
    } else {
      goals.update(repeating: 0, count: QMF.bands)
    }
    let length = Float(stretch.length)
    for subband in 0..<QMF.bands { steps[subband] = (goals[subband] - values[subband]) / length }
  }
}
