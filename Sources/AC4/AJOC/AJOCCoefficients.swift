// SPDX-License-Identifier: Apache-2.0
import Signal

/// Rows of coefficients, one for each subband, and how they move.
final class AJOCCoefficients {
  private let values: Buffer<Float>
  /// Addends of a slot of the ramp.
  private let steps: Buffer<Float>
  /// Goals of the ramp.
  private let goals: Buffer<Float>
  /// Whether a row has a coefficient that isn't 0, or that moves.
  private let isActive: Buffer<Bool>

  /// `rows` rows of 0.
  init(rows: Int) {
    values = Buffer(0, count: rows * QMF.bands)
    steps = Buffer(0, count: rows * QMF.bands)
    goals = Buffer(0, count: rows * QMF.bands)
    isActive = Buffer(false, count: rows)
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

/// The dequantised values of one row of an object at the data points of a frame.
final class AJOCRow {
  /// Values of each data point for all subbands, one point after the other.
  let targets = Buffer<Float>(0, count: AJOCFrame.mostPoints * QMF.bands)
  /// `AJOCTables.maps`: the band of each subband.
  let maps = Buffer<UInt8>(AJOCTables.maps, or: 0)

  /// Dequantises a row of `object`, times `gain`; answers whether anything isn't 0. Otherwise ``targets`` is as before.
  func fill(
    _ frame: AJOCFrame, _ object: Int, _ row: Int, isWet: Bool, gain: Float
  ) -> Bool {
    let form = frame.objects.base[object]
    guard form.isPresent else { return false }
    let center = AJOCFrame.center(isWet: isWet, isCoarse: form.isCoarse)
    guard AJOCRow.isHeard(frame, object, row, center) else { return false }
    let step = AJOCTables.steps[form.isCoarse ? 1 : 0] * gain
    for point in 0..<frame.pointCount {
      let values = frame.row(object, point, row)
      let target = targets.base + point * QMF.bands
      for subband in 0..<QMF.bands {
        let band = Int(maps.base[form.bandCode * QMF.bands + subband])
        target[subband] = Float(Int(values[band]) - center) * step
      }
    }
    return true
  }

  /// Whether any value of a row isn't 0.
  private static func isHeard(
    _ frame: AJOCFrame, _ object: Int, _ row: Int, _ center: Int
  ) -> Bool {
    let bands = frame.objects.base[object].bands
    for point in 0..<frame.pointCount {
      let values = frame.row(object, point, row)
      for band in 0..<bands where Int(values[band]) != center { return true }
    }
    return false
  }
}

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
  let stretches = Buffer<Stretch>(Stretch(), count: most)

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
