// SPDX-License-Identifier: Apache-2.0

/// Weights of grid points for a wanted direction.
enum GridInterpolation {
  /// A grid point and its weight; the weights of one direction sum to 1.
  struct Share: Equatable {
    var point: Int
    var weight: Double
  }

  /// The shares that describe `place`: the point itself when it was measured there, else the
  /// tightest triangle around it, else (outside the measured region) the nearest edge or point.
  static func shares(of place: SIMD3<Double>, in grid: DirectionGrid) -> [Share] {
    for count in [16, 48, 96] {
      let near = grid.nearest(min(count, grid.points.count), to: place)
      let vectors = near.map { grid.points[$0].position }
      if let first = vectors.first, UnitVector.dot(first - place, first - place) < 1e-9 {
        return [Share(point: near[0], weight: 1)]
      }
      if let found = triangle(place, vectors) {
        return zip(found.corners, found.weights)
          .map { Share(point: near[$0], weight: $1) }.filter { $0.weight > 1e-9 }
      }
      if count >= grid.points.count { break }
    }
    return edge(place, in: grid)
  }

  /// The grid points of the triangle around `place` by which ``shares(of:in:)`` describes it; `nil`
  /// outside the measured region.
  static func corners(around place: SIMD3<Double>, in grid: DirectionGrid) -> [Int]? {
    for count in [16, 48, 96] {
      let near = grid.nearest(min(count, grid.points.count), to: place)
      if let found = triangle(place, near.map { grid.points[$0].position }) {
        return found.corners.map { near[$0] }
      }
      if count >= grid.points.count { break }
    }
    return nil
  }

  /// The containing triangle of the spherical Delaunay triangulation of `vectors`.
  ///
  /// Writing `place` as a positive sum of three vectors, the Delaunay triangle is the face of the
  /// convex hull, that is the one with the smallest sum of weights.
  private static func triangle(
    _ place: SIMD3<Double>, _ vectors: [SIMD3<Double>]
  ) -> (corners: [Int], weights: [Double])? {
    var best = Double.infinity
    var found: (corners: [Int], weights: [Double])?
    for a in 0..<vectors.count {
      for b in (a + 1)..<max(a + 1, vectors.count) {
        let normal = UnitVector.cross(vectors[a], vectors[b])
        let height = UnitVector.dot(normal, place)
        for c in (b + 1)..<max(b + 1, vectors.count) {
          let volume = UnitVector.dot(normal, vectors[c])
          guard volume.magnitude > 1e-9 else { continue }
          let wc = height / volume
          let wa =
            UnitVector.dot(UnitVector.cross(vectors[b], vectors[c]), place) / volume
          let wb =
            UnitVector.dot(UnitVector.cross(vectors[c], vectors[a]), place) / volume
          let sum = wa + wb + wc
          guard wa >= -1e-9, wb >= -1e-9, wc >= -1e-9, sum < best - 1e-9 else { continue }
          best = sum
          found = ([a, b, c], [wa / sum, wb / sum, wc / sum])
        }
      }
    }
    // Three points half a sphere apart can "contain" anything; such a face isn't a neighbourhood.
    return best < 1.6 ? found : nil
  }

  /// The nearest place on any edge between near points.
  static func edge(_ place: SIMD3<Double>, in grid: DirectionGrid) -> [Share] {
    let near = grid.nearest(min(16, grid.points.count), to: place)
    guard let first = near.first else { return [] }
    var best = -1.0
    var shares = [Share(point: first, weight: 1)]
    for a in near {
      for b in near where b != a {
        let from = grid.points[a].position
        let along = grid.points[b].position - from
        let length = UnitVector.dot(along, along)
        let part = min(1, max(0, UnitVector.dot(place - from, along) / length))
        let spot = from + along * part
        let closeness = UnitVector.dot(spot, place) / UnitVector.dot(spot, spot).squareRoot()
        guard closeness > best + 1e-12 else { continue }
        best = closeness
        shares = [Share(point: a, weight: 1 - part), Share(point: b, weight: part)]
      }
    }
    return shares.filter { $0.weight > 1e-9 }
  }
}

/// Finds the grid points around a direction and their weights as ``GridInterpolation`` does, but keeps
/// the triangles that it has found, because a search takes longer than all else about a moving voice.
///
/// Each triangle is cut into four by the middles of its edges, so that what is mixed is nearer.
final class GridTriangles {
  /// Three nodes around a direction; their weights sum to 1.
  struct Shares {
    /// The triangle's number, from 0 on.
    var triangle: Int
    /// Corners 0…2 of the triangle, or the middles 3…5 of its edges 0–1, 1–2 and 2–0.
    var nodes: SIMD3<Int>
    var weights: SIMD3<Double>
  }

  /// Three vectors whose products with a place are the weights of a triangle's corners.
  private struct Duals {
    var a: SIMD3<Double>
    var b: SIMD3<Double>
    var c: SIMD3<Double>
  }

  /// A triangle of a cell, and the cell's next one in ``entries``; −1 for none.
  private struct Entry {
    var triangle: Int
    var next: Int
  }

  /// A stretch of some 1.5° of the sphere.
  private struct Cell {
    /// The first one in ``entries`` of the triangles that places here were found in; −1 for none.
    var first = -1
    var reachesOutside = false
  }

  /// Cells in a row.
  private static let side = 129

  private let grid: DirectionGrid
  /// Cells of the upper and the lower half by their place in the plane.
  private var cells = [Cell](repeating: Cell(), count: 2 * side * side)
  private var entries: [Entry] = []
  /// Grid points of each triangle, in ascending order; those of an edge of the measured region repeat the
  /// second one.
  private var corners: [SIMD3<Int>] = []
  private var duals: [Duals] = []
  private var numbers: [SIMD3<Int>: Int] = [:]

  /// A finder for points of `grid`.
  init(_ grid: DirectionGrid) { self.grid = grid }

  /// The grid points at the ends of a node: the same one twice for a corner.
  func ends(ofNode node: Int, in triangle: Int) -> SIMD2<Int> {
    let corners = corners[triangle]
    let (one, other) =
      node < 3 ? (corners[node], corners[node]) : (corners[node - 3], corners[(node - 2) % 3])
    return SIMD2(min(one, other), max(one, other))
  }

  /// The shares that describe `place` of the unit sphere.
  func shares(of place: SIMD3<Double>) -> Shares {
    let key = GridTriangles.cell(of: place)
    let cell = cells[key]
    var index = cell.first
    while index >= 0 {
      let entry = entries[index]
      if let weights = weights(of: place, in: entry.triangle) {
        return GridTriangles.split(entry.triangle, weights)
      }
      index = entry.next
    }
    if cell.reachesOutside { return edge(place) }
    guard let triangle = search(place), let weights = weights(of: place, in: triangle) else {
      cells[key].reachesOutside = true
      return edge(place)
    }
    entries.append(Entry(triangle: triangle, next: cell.first))
    cells[key].first = entries.count - 1
    return GridTriangles.split(triangle, weights)
  }

  /// The cell of a place: the sphere as an octahedron, seen from above or from below.
  private static func cell(of place: SIMD3<Double>) -> Int {
    let scale = 64 / (place.x.magnitude + place.y.magnitude + place.z.magnitude)
    let x = Int(place.x * scale + 64)
    let y = Int(place.y * scale + 64)
    return ((place.z < 0 ? side : 0) + x) * side + y
  }

  private func weights(of place: SIMD3<Double>, in triangle: Int) -> SIMD3<Double>? {
    let duals = duals[triangle]
    let weights = SIMD3(
      UnitVector.dot(duals.a, place), UnitVector.dot(duals.b, place),
      UnitVector.dot(duals.c, place))
    guard min(weights.x, weights.y, weights.z) >= -1e-9 else { return nil }
    return weights / (weights.x + weights.y + weights.z)
  }

  /// The shares in the quarter of the triangle that these weights of its corners lie in.
  private static func split(_ triangle: Int, _ weights: SIMD3<Double>) -> Shares {
    let twice = 2 * weights
    if twice.x >= 1 {
      return Shares(
        triangle: triangle, nodes: SIMD3(0, 3, 5), weights: SIMD3(twice.x - 1, twice.y, twice.z))
    }
    if twice.y >= 1 {
      return Shares(
        triangle: triangle, nodes: SIMD3(1, 4, 3), weights: SIMD3(twice.y - 1, twice.z, twice.x))
    }
    if twice.z >= 1 {
      return Shares(
        triangle: triangle, nodes: SIMD3(2, 5, 4), weights: SIMD3(twice.z - 1, twice.x, twice.y))
    }
    return Shares(
      triangle: triangle, nodes: SIMD3(3, 4, 5),
      weights: SIMD3(1 - twice.z, 1 - twice.x, 1 - twice.y))
  }

  private func search(_ place: SIMD3<Double>) -> Int? {
    guard let found = GridInterpolation.corners(around: place, in: grid)?.sorted() else {
      return nil
    }
    let corners = SIMD3(found[0], found[1], found[2])
    let (a, b, c) = (position(corners.x), position(corners.y), position(corners.z))
    let volume = UnitVector.dot(UnitVector.cross(a, b), c)
    return number(
      corners,
      Duals(
        a: UnitVector.cross(b, c) / volume, b: UnitVector.cross(c, a) / volume,
        c: UnitVector.cross(a, b) / volume))
  }

  private func edge(_ place: SIMD3<Double>) -> Shares {
    let shares = GridInterpolation.edge(place, in: grid)
    let first = shares.first ?? .init(point: 0, weight: 1)
    let second = shares.count > 1 ? shares[1] : .init(point: first.point, weight: 0)
    let none = SIMD3<Double>(repeating: 0)
    let triangle = number(
      SIMD3(first.point, second.point, second.point), Duals(a: none, b: none, c: none))
    return GridTriangles.split(triangle, SIMD3(first.weight, second.weight, 0))
  }

  /// The number of the triangle with these corners.
  private func number(_ corners: SIMD3<Int>, _ duals: Duals) -> Int {
    if let known = numbers[corners] { return known }
    numbers[corners] = self.corners.count
    self.corners.append(corners)
    self.duals.append(duals)
    return self.corners.count - 1
  }

  private func position(_ point: Int) -> SIMD3<Double> { grid.points[point].position }
}
