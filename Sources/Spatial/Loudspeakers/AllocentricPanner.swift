// SPDX-License-Identifier: Apache-2.0
import Platform

/// Pans a point of the room to the loudspeakers around it: planes of equal Z, rows of equal Y in a plane,
/// and loudspeakers by X in a row (ITU-R BS.2127-1, 7.3).
struct AllocentricPanner: Sendable {
  /// Numbers of the steps that a loudspeaker has along the axes.
  struct Member: Sendable {
    /// Its step among ``AllocentricPanner/columns``.
    let column: Int
    /// Its step among ``AllocentricPanner/rows``.
    let row: Int
    /// Its step among ``AllocentricPanner/planes``.
    let plane: Int
  }

  /// Different steps along X.
  let columns: [AxisStep]
  /// Different steps along Y.
  let rows: [AxisStep]
  /// Different steps along Z.
  let planes: [AxisStep]
  /// The loudspeakers' steps.
  let members: [Member]

  /// A panner for loudspeakers at `corners` of the room, ±1.
  init(_ corners: [SIMD3<Double>]) {
    var (columns, rows, planes) = ([AxisStep](), [AxisStep](), [AxisStep]())
    members = corners.map { corner in
      let plane = corners.filter { $0.z == corner.z }
      let row = plane.filter { $0.y == corner.y }
      return Member(
        column: AllocentricPanner.step(of: corner.x, among: row.map(\.x), in: &columns),
        row: AllocentricPanner.step(of: corner.y, among: plane.map(\.y), in: &rows),
        plane: AllocentricPanner.step(of: corner.z, among: corners.map(\.z), in: &planes))
    }
    (self.columns, self.rows, self.planes) = (columns, rows, planes)
  }

  /// Gains for a point; their power is 1.
  func gains(_ point: SIMD3<Double>) -> [Double] {
    let x = columns.map { $0.gain(at: point.x) }
    let y = rows.map { $0.gain(at: point.y) }
    let z = planes.map { $0.gain(at: point.z) }
    return members.map { x[$0.column] * y[$0.row] * z[$0.plane] }
  }

  /// Number of a step in `known`, where it is added if it is new.
  private static func step(
    of level: Double, among levels: [Double], in known: inout [AxisStep]
  ) -> Int {
    let sorted = Set(levels).sorted()
    let step = AxisStep(levels: sorted, index: sorted.firstIndex(of: level) ?? 0)
    if let place = known.firstIndex(of: step) { return place }
    known.append(step)
    return known.count - 1
  }
}

/// A level among the levels of loudspeakers along one axis of the room, and its share of the gain (ITU-R
/// BS.2127-1, 7.3).
struct AxisStep: Sendable, Hashable {
  /// All levels, rising.
  let levels: [Double]
  /// Index of this level among them.
  let index: Int

  /// Gain at `value`: 1 at the level and beyond it where it is the last one, falling to 0 at the levels next
  /// to it with constant power.
  func gain(at value: Double) -> Double {
    let level = levels[index]
    if value == level { return 1 }
    let isAbove = value > level
    let next = isAbove ? index + 1 : index - 1
    guard levels.indices.contains(next) else { return 1 }
    let way = (value - level) / (levels[next] - level)
    return way < 1 ? cos(way * .pi / 2) : 0
  }
}

/// Pans an object of a size in the room (ITU-R BS.2127-1, 7.3).
struct CartesianExtentPanner: Sendable {
  /// The panner of points.
  let panner: AllocentricPanner
  private let x: AxisSpread
  private let y: AxisSpread
  private let z: AxisSpread
  /// Number of axes along which the loudspeakers differ, from X to Z.
  private let dimensions: Int
  private let isOneLine: Bool
  private let isOnePlane: Bool

  /// A panner for loudspeakers at `corners` of the room, ±1.
  init(_ corners: [SIMD3<Double>]) {
    panner = AllocentricPanner(corners)
    let levels = [
      Set(corners.map(\.x)).count, Set(corners.map(\.y)).count, Set(corners.map(\.z)).count,
    ]
    x = AxisSpread(panner.columns, count: 40, from: -1, isVertical: false)
    y = AxisSpread(panner.rows, count: 40, from: -1, isVertical: false)
    // Without a lower plane, only the upper half of the room is sampled.
    z =
      levels[2] >= 3
      ? AxisSpread(panner.planes, count: 40, from: -1, isVertical: true)
      : AxisSpread(panner.planes, count: 20, from: 0, isVertical: true)
    dimensions = levels.filter { $0 > 1 }.count
    isOnePlane = levels[2] == 1
    isOneLine = isOnePlane && levels[1] == 1
  }

  /// Gains for an object at `position`, ±1, whose sizes are shares of the room, 0…1.
  func gains(
    at position: SIMD3<Double>, width: Double, height: Double, depth: Double
  ) -> [Double] {
    guard width != 0 || height != 0 || depth != 0 else { return panner.gains(position) }
    // ITU-R BS.2127 hands height to Y and depth to Z here, although BS.2076 has them the other way round.
    let sizes = SIMD3(x.size(of: width), y.size(of: height), z.size(of: depth))
    var centre = position
    if z.points[0] == 0 { centre.z = max(0, centre.z) }
    let size = effective(sizes)
    let spread = spread(centre, sizes, size)
    guard size < 0.2 else { return spread }
    let turn = size * .pi / 0.4
    let point = panner.gains(centre)
    return GainVector.normalised(
      zip(point, spread).map { cos(turn) * $0 + sin(turn) * $1 })
  }

  /// One size for all axes along which there are loudspeakers.
  private func effective(_ sizes: SIMD3<Double>) -> Double {
    if isOneLine { return sizes.x }
    if isOnePlane { return 0.75 * max(sizes.x, sizes.y) + 0.25 * min(sizes.x, sizes.y) }
    let sorted = [sizes.x, sizes.y, sizes.z].sorted()
    return (6 * sorted[2] + 2 * sorted[1] + sorted[0]) / 9
  }

  private func spread(
    _ centre: SIMD3<Double>, _ sizes: SIMD3<Double>, _ size: Double
  ) -> [Double] {
    let exponent = size <= 0.5 ? 6 : 6 - 4 * (size - 0.5) / 2.3
    let columns = x.shares(around: centre.x, size: sizes.x, exponent: exponent)
    let rows = y.shares(around: centre.y, size: sizes.y, exponent: exponent)
    let planes = z.shares(around: centre.z, size: sizes.z, exponent: exponent)
    var inside = panner.members.map {
      columns[$0.column].sum * rows[$0.row].sum * planes[$0.plane].sum
    }
    let norm = GainVector.norm(inside)
    inside = norm > 1e-16 ? inside.map { $0 / norm } : inside.map { _ in 0 }
    let share = insideShare(centre, sizes)
    return GainVector.normalised(
      zip(panner.members, inside).map { member, inside in
        let (x, y, z) = (columns[member.column], rows[member.row], planes[member.plane])
        let bounds = x.bounds * y.sum * z.sum + x.sum * y.bounds * z.sum + x.sum * y.sum * z.bounds
        return pow(bounds + share * inside, 1 / exponent)
      })
  }

  /// How much the inside counts against the walls.
  private func insideShare(_ centre: SIMD3<Double>, _ sizes: SIMD3<Double>) -> Double {
    let reach = (0..<dimensions).map { min(centre[$0] + 1, 1 - centre[$0]) }.min() ?? 0
    let factors = (0..<dimensions).map { axis -> Double in
      let size = sizes[axis]
      if reach >= 2 * size, reach >= 0.4 {
        return cbrt(pow(max(2 * size, 0.4), 3) / (0.32 * size))
      }
      return cbrt(reach / 2 * pow(reach / 0.4, 2))
    }
    return pow(factors.reduce(1, *), 3 / Double(max(1, dimensions)))
  }
}

/// How an extent along one axis of the room reaches the loudspeakers' steps (ITU-R BS.2127-1, 7.3).
struct AxisSpread: Sendable {
  /// The share of a step.
  struct Share {
    /// Of the whole extent.
    var sum: Double
    /// Of both ends of the axis.
    var bounds: Double
  }

  /// Sums below this are silence.
  private static let least = pow(10, -6.5)

  /// Points along the axis.
  let points: [Double]
  private let taper: [Double]
  /// Gains of the steps at the points, step by step.
  private let gains: [Double]
  private let steps: Int
  private let isVertical: Bool

  /// Samples `steps` at `count` points from `first` to 1; `isVertical` for Z.
  init(_ steps: [AxisStep], count: Int, from first: Double, isVertical: Bool) {
    let points = (0..<count).map { first + (1 - first) * Double($0) / Double(count - 1) }
    self.points = points
    self.steps = steps.count
    self.isVertical = isVertical
    taper = points.map { isVertical ? cos($0 * 3 * .pi / 7) : 1 }
    gains = steps.flatMap { step in points.map { step.gain(at: $0) } }
  }

  /// The extent's size in the formulas for a share of the room, 0…1; no smaller than two points apart.
  func size(of share: Double) -> Double {
    let table = [(0.0, 0.0), (0.2, 0.3), (0.5, 1.0), (0.75, 1.8), (1.0, 2.8)].map { (x: $0, y: $1) }
    return max(RoomGeometry.interpolate(min(share, 1), table), 2 / Double(points.count - 1))
  }

  /// Shares of all steps in an extent of `size` around `centre`, to the power of `exponent`.
  func shares(around centre: Double, size: Double, exponent: Double) -> [Share] {
    let width = isVertical ? size : 2 * size
    let weights = zip(points, taper).map { point, taper in
      let offset = 1.5 * (point - centre) / width
      let square = offset * offset
      return pow(10, -min(square * square, 6.5)) * taper
    }
    return (0..<steps).map { step in
      let first = step * points.count
      var share = Share(sum: 0, bounds: 0)
      for (index, weight) in weights.enumerated() {
        let value = AxisSpread.power(gains[first + index] * weight, exponent)
        share.sum += value
        if index == 0 || index == weights.count - 1 { share.bounds += value }
      }
      if share.sum < AxisSpread.least { share.sum = 0 }
      return share
    }
  }

  private static func power(_ value: Double, _ exponent: Double) -> Double {
    // Most extents have the exponent 6, for which products are faster.
    guard exponent == 6 else { return value > 0 ? pow(value, exponent) : 0 }
    let square = value * value
    return square * square * square
  }
}
