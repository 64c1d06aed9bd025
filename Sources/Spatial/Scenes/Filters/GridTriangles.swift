/// Finds the grid points around a direction and their weights as ``GridInterpolation`` does, but keeps
/// the triangles that it has found, because a search takes longer than all else about a moving voice.
///
/// Each triangle is cut into four by the middles of its edges, so that what is mixed is nearer.
final class GridTriangles {
  /// Three nodes around a direction; their weights sum to 1.
  struct Shares {
    var triangle: Triangle
    /// Corners 0…2 of the triangle, or the middles 3…5 of its edges 0–1, 1–2 and 2–0.
    var nodes: SIMD3<Int>
    var weights: SIMD3<Double>
  }

  /// A triangle: its corners, and three vectors whose products with a place are its weights.
  final class Triangle {
    /// Grid points.
    let corners: SIMD3<Int>
    /// What ``GridSpectra`` knows of its nodes.
    var nodes = [GridSpectra.Node?](repeating: nil, count: 6)
    fileprivate let duals: [SIMD3<Double>]

    fileprivate init(corners: SIMD3<Int>, duals: [SIMD3<Double>]) {
      self.corners = corners
      self.duals = duals
    }
  }

  /// Triangles that places in a cell of some 1.5° were found in.
  private final class Cell {
    var triangles: [Triangle] = []
    var reachesOutside = false
  }

  /// Cells in a row.
  private static let side = 129

  private let grid: DirectionGrid
  /// Cells of the upper and the lower half by their place in the plane.
  private var cells = [Cell?](repeating: nil, count: 2 * side * side)
  /// Triangles without an area: edges of the measured region, by their points.
  private var edges: [SIMD2<Int>: Triangle] = [:]

  /// A finder for points of `grid`.
  init(_ grid: DirectionGrid) { self.grid = grid }

  /// The shares that describe `place` of the unit sphere.
  func shares(of place: SIMD3<Double>) -> Shares {
    let key = GridTriangles.cell(of: place)
    if let cell = cells[key] {
      for triangle in cell.triangles {
        if let found = GridTriangles.shares(of: place, in: triangle) { return found }
      }
      if cell.reachesOutside { return edge(place) }
    }
    let cell = cells[key] ?? Cell()
    cells[key] = cell
    guard let triangle = search(place), let found = GridTriangles.shares(of: place, in: triangle)
    else {
      cell.reachesOutside = true
      return edge(place)
    }
    cell.triangles.append(triangle)
    return found
  }

  /// The cell of a place: the sphere as an octahedron, seen from above or from below.
  private static func cell(of place: SIMD3<Double>) -> Int {
    let scale = 64 / (place.x.magnitude + place.y.magnitude + place.z.magnitude)
    let x = Int(place.x * scale + 64)
    let y = Int(place.y * scale + 64)
    return ((place.z < 0 ? side : 0) + x) * side + y
  }

  private static func shares(of place: SIMD3<Double>, in triangle: Triangle) -> Shares? {
    let weights = SIMD3(
      UnitVector.dot(triangle.duals[0], place), UnitVector.dot(triangle.duals[1], place),
      UnitVector.dot(triangle.duals[2], place))
    guard weights.min() >= -1e-9 else { return nil }
    return split(triangle, weights / (weights.x + weights.y + weights.z))
  }

  /// The shares in the quarter of the triangle that these weights of its corners lie in.
  private static func split(_ triangle: Triangle, _ weights: SIMD3<Double>) -> Shares {
    let twice = 2 * weights
    for corner in 0..<3 where twice[corner] >= 1 {
      let (next, last) = ((corner + 1) % 3, (corner + 2) % 3)
      return Shares(
        triangle: triangle, nodes: SIMD3(corner, 3 + corner, 3 + last),
        weights: SIMD3(twice[corner] - 1, twice[next], twice[last]))
    }
    let rest = 1 - twice
    return Shares(
      triangle: triangle, nodes: SIMD3(3, 4, 5), weights: SIMD3(rest.z, rest.x, rest.y))
  }

  private func search(_ place: SIMD3<Double>) -> Triangle? {
    guard let corners = GridInterpolation.corners(around: place, in: grid) else { return nil }
    let (a, b, c) = (position(corners[0]), position(corners[1]), position(corners[2]))
    let volume = UnitVector.dot(UnitVector.cross(a, b), c)
    return Triangle(
      corners: SIMD3(corners[0], corners[1], corners[2]),
      duals: [
        UnitVector.cross(b, c) / volume, UnitVector.cross(c, a) / volume,
        UnitVector.cross(a, b) / volume,
      ])
  }

  private func edge(_ place: SIMD3<Double>) -> Shares {
    let shares = GridInterpolation.edge(place, in: grid)
    let first = shares.first ?? .init(point: 0, weight: 1)
    let second = shares.count > 1 ? shares[1] : .init(point: first.point, weight: 0)
    let key = SIMD2(first.point, second.point)
    let triangle =
      edges[key]
      ?? Triangle(corners: SIMD3(first.point, second.point, second.point), duals: [])
    edges[key] = triangle
    return GridTriangles.split(triangle, SIMD3(first.weight, second.weight, 0))
  }

  private func position(_ point: Int) -> SIMD3<Double> { grid.points[point].position }
}
