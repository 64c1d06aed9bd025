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
