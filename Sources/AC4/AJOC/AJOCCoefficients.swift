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
  func apply(
    _ row: Int, _ ramp: AJOCRamp, targets: UnsafePointer<Float>?, _ source: SubbandFrame?,
    to target: SubbandFrame
  ) {
    guard targets != nil || isActive.base[row] else { return }
    let place = row * QMF.bands
    var isActive = false
    for subband in 0..<QMF.bands {
      var motion = Motion(
        value: values.base[place + subband], step: steps.base[place + subband],
        goal: goals.base[place + subband])
      for index in 0..<ramp.count {
        let stretch = ramp.stretches.base[index]
        if let source, motion.isHeard {
          motion.add(stretch, source.real.row(subband), to: target.real.row(subband))
          motion.add(stretch, source.imaginary.row(subband), to: target.imaginary.row(subband))
        }
        motion.pass(stretch, targets.map { $0[max(0, stretch.point) * QMF.bands + subband] } ?? 0)
      }
      values.base[place + subband] = motion.value
      steps.base[place + subband] = motion.step
      goals.base[place + subband] = motion.goal
      isActive = isActive || motion.isHeard
    }
    self.isActive.base[row] = isActive
  }

  /// One coefficient on its way.
  private struct Motion {
    var value: Float
    var step: Float
    var goal: Float

    var isHeard: Bool { value != 0 || step != 0 }

    /// Adds the slots of a stretch. A slot in which the coefficient moves has the value behind its step.
    @inline(__always)
    func add(
      _ stretch: AJOCRamp.Stretch, _ source: UnsafePointer<Float>,
      to target: UnsafeMutablePointer<Float>
    ) {
      let (first, end) = (stretch.first, stretch.end)
      guard stretch.isMoving, step != 0 else {
        for slot in first..<end { target[slot] += value * source[slot] }
        return
      }
      for slot in first..<end {
        target[slot] += (value + step * Float(slot - first + 1)) * source[slot]
      }
    }

    /// Moves on behind a stretch, and off to `next` where a data point begins there.
    @inline(__always)
    mutating func pass(_ stretch: AJOCRamp.Stretch, _ next: Float) {
      if stretch.arrives {
        // The goal itself: steps add up to it but for rounding.
        (value, step) = (goal, 0)
      } else if stretch.isMoving {
        value += step * Float(stretch.count)
      }
      guard stretch.point >= 0 else { return }
      goal = next
      step = (next - value) / Float(stretch.length)
    }
  }
}
