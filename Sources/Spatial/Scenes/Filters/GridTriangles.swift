import Platform

/// Finds the grid points around a direction and their weights as ``GridInterpolation`` does, but keeps
/// the triangles that it has found, because a search takes longer than all else about a moving voice.
final class GridTriangles {
  /// Up to three grid points; the weights of those that don't count are 0.
  struct Shares {
    var points = SIMD3<Int>(repeating: 0)
    var weights = SIMD3<Double>(repeating: 0)
  }

  /// A triangle: its corners, and three vectors whose products with a place are its weights.
  private struct Triangle {
    let corners: SIMD3<Int>
    let a: SIMD3<Double>
    let b: SIMD3<Double>
    let c: SIMD3<Double>
  }

  /// Triangles that places in a cell of one degree were found in.
  private struct Cell {
    var triangles: [Triangle] = []
    var reachesOutside = false
  }

  private let grid: DirectionGrid
  private var cells: [Int: Cell] = [:]

  /// A finder for points of `grid`.
  init(_ grid: DirectionGrid) { self.grid = grid }

  /// The shares that describe `place` of the unit sphere.
  func shares(of place: SIMD3<Double>) -> Shares {
    let degrees = 180 / Double.pi
    let azimuth = Int((atan2(place.y, place.x) * degrees).rounded(.down)) + 180
    let height = Int((asin(min(1, max(-1, place.z))) * degrees).rounded(.down)) + 90
    let key = height * 361 + azimuth
    if let cell = cells[key] {
      for triangle in cell.triangles {
        if let found = GridTriangles.shares(of: place, in: triangle) { return found }
      }
      if cell.reachesOutside { return edge(place) }
    }
    guard let triangle = search(place), let found = GridTriangles.shares(of: place, in: triangle)
    else {
      cells[key, default: Cell()].reachesOutside = true
      return edge(place)
    }
    cells[key, default: Cell()].triangles.append(triangle)
    return found
  }

  private static func shares(of place: SIMD3<Double>, in triangle: Triangle) -> Shares? {
    let weights = SIMD3(
      UnitVector.dot(triangle.a, place), UnitVector.dot(triangle.b, place),
      UnitVector.dot(triangle.c, place))
    guard weights.min() >= -1e-9 else { return nil }
    return Shares(points: triangle.corners, weights: weights / (weights.x + weights.y + weights.z))
  }

  private func search(_ place: SIMD3<Double>) -> Triangle? {
    guard let corners = GridInterpolation.corners(around: place, in: grid) else { return nil }
    let (a, b, c) = (position(corners[0]), position(corners[1]), position(corners[2]))
    let volume = UnitVector.dot(UnitVector.cross(a, b), c)
    return Triangle(
      corners: SIMD3(corners[0], corners[1], corners[2]), a: UnitVector.cross(b, c) / volume,
      b: UnitVector.cross(c, a) / volume, c: UnitVector.cross(a, b) / volume)
  }

  private func edge(_ place: SIMD3<Double>) -> Shares {
    var shares = Shares()
    for (index, share) in GridInterpolation.edge(place, in: grid).prefix(2).enumerated() {
      shares.points[index] = share.point
      shares.weights[index] = share.weight
    }
    return shares
  }

  private func position(_ point: Int) -> SIMD3<Double> { grid.points[point].position }
}
