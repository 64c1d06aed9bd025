import Platform

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
