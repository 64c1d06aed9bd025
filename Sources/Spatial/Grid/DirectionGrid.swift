// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The measured places on the sphere, duplicates merged and, for symmetric sets, mirrored.
///
/// In a symmetric grid every measurement stands at its place and, ears swapped, at the mirrored
/// place; where both sides were measured a point has both as members and so is their average.
struct DirectionGrid: Sendable {
  /// The points, from the bottom to the top.
  let points: [GridPoint]
  /// Whether the right half mirrors the left half.
  let isSymmetric: Bool

  /// Part of the measurements that have another one at the mirrored place, 0…1.
  let mirroredShare: Double

  /// Places closer than this count as one (0.1°, in radians).
  private static let sameAngle = 0.1 * Double.pi / 180

  /// The grid of these directions. With `hemisphere` they are one half of a symmetric set. Any
  /// other set counts as symmetric when `isSymmetrised` allows it and at least half its directions
  /// have a measured mirror image.
  init(directions: [Direction], hemisphere: Bool, isSymmetrised: Bool = true) {
    let plain = directions.enumerated().map { index, direction in
      GridPoint(
        position: UnitVector.of(direction),
        members: [GridPoint.Member(measurement: index, swapped: false)])
    }
    let mirrored = plain.map { point in
      GridPoint(
        position: point.position * SIMD3(1, -1, 1),
        members: point.members.map { .init(measurement: $0.measurement, swapped: true) })
    }
    let merged = DirectionGrid.merge(plain + mirrored)
    let paired = merged.reduce(0) { count, point in
      let own = point.members.filter { !$0.swapped }.count
      return count + (own < point.members.count ? own : 0)
    }
    mirroredShare = Double(paired) / Double(max(1, directions.count))
    isSymmetric = hemisphere || (isSymmetrised && mirroredShare >= 0.5)
    points = isSymmetric ? merged : DirectionGrid.merge(plain)
  }

  /// Joins points at the same place; the result is ordered by height.
  private static func merge(_ items: [GridPoint]) -> [GridPoint] {
    let sorted = items.enumerated()
      .sorted { ($0.element.position.z, $0.offset) < ($1.element.position.z, $1.offset) }
      .map(\.element)
    let closest = 1 - sameAngle * sameAngle / 2
    var taken = [Bool](repeating: false, count: sorted.count)
    var merged: [GridPoint] = []
    for index in sorted.indices where !taken[index] {
      var point = sorted[index]
      var next = index + 1
      while next < sorted.count, sorted[next].position.z - point.position.z < sameAngle {
        if !taken[next], UnitVector.dot(sorted[next].position, point.position) > closest {
          point.members += sorted[next].members
          taken[next] = true
        }
        next += 1
      }
      merged.append(point)
    }
    return merged
  }

  /// Indices of the `count` points nearest to `place`, nearest first.
  func nearest(_ count: Int, to place: SIMD3<Double>) -> [Int] {
    var best: [(closeness: Double, index: Int)] = []
    for (index, point) in points.enumerated() {
      let closeness = UnitVector.dot(point.position, place)
      if best.count == count, let last = best.last, closeness <= last.closeness { continue }
      let slot = best.firstIndex { $0.closeness < closeness } ?? best.count
      best.insert((closeness, index), at: slot)
      if best.count > count { best.removeLast() }
    }
    return best.map(\.index)
  }

  /// Share of the sphere nearest to each point (sums to 1), counted on a uniform lattice.
  ///
  /// Lattice places further than `reach` radians from every point were not measured and don't
  /// count; without this the lowest ring of a set would stand for all that lies below it.
  func areas(reach: Double = 0.2) -> [Double] {
    let heights = points.map { $0.position.z }
    let positions = points.map(\.position)
    var hits = [Double](repeating: 0, count: points.count)
    var start = points.count
    for place in UnitVector.lattice(min(30000, 4 * points.count)) {
      while start > 0, heights[start - 1] >= place.z { start -= 1 }
      let (index, distance) = DirectionGrid.nearest(
        place, from: start, heights: heights, positions: positions)
      if distance < reach * reach { hits[index] += 1 }
    }
    let total = hits.reduce(0, +)
    guard total > 0 else { return hits.map { _ in 1 / Double(points.count) } }
    return hits.map { $0 / total }
  }

  /// Nearest of height-sorted points and its squared distance; `start` is the first not below.
  private static func nearest(
    _ place: SIMD3<Double>, from start: Int, heights: [Double], positions: [SIMD3<Double>]
  ) -> (index: Int, distance: Double) {
    var best = (index: 0, distance: Double.infinity)
    var up = start
    var down = start - 1
    while true {
      let above = up < heights.count ? heights[up] - place.z : .infinity
      let below = down >= 0 ? place.z - heights[down] : .infinity
      let gap = min(above, below)
      // Points further off in height alone can't be nearer.
      if gap == .infinity || gap * gap > best.distance { return best }
      let index = above <= below ? up : down
      if above <= below { up += 1 } else { down -= 1 }
      let offset = positions[index] - place
      let distance = UnitVector.dot(offset, offset)
      if distance < best.distance { best = (index, distance) }
    }
  }
}

/// One place of the measured grid and the measurements that describe it.
struct GridPoint: Sendable {
  /// A measurement's part in a grid point.
  struct Member: Sendable, Hashable {
    /// Index of the measurement.
    var measurement: Int
    /// Whether the ears change places (the measurement was made at the mirrored place).
    var swapped: Bool
  }

  /// Unit vector.
  var position: SIMD3<Double>
  /// Measurements of this place; all count the same.
  var members: [Member]
}
