/// Moves an object to a loudspeaker near it (ITU-R BS.2127-1, 7.3).
struct ChannelLock {
  private static let tolerance = 1e-5

  /// Where the loudspeakers are.
  let places: [SIMD3<Double>]
  /// Which of several loudspeakers at the same distance is taken; the lowest.
  let ranks: [Int]
  /// Weights of the squared differences along the axes.
  let weights: SIMD3<Double>

  /// The lock to loudspeakers at the sphere.
  static func polar(_ speakers: [Loudspeaker], ranks: [Int]) -> ChannelLock {
    ChannelLock(places: speakers.map(\.place), ranks: ranks, weights: SIMD3(1, 1, 1))
  }

  /// The lock to loudspeakers in the room: height counts most, then depth.
  static func cartesian(_ speakers: [Loudspeaker], ranks: [Int]) -> ChannelLock {
    ChannelLock(places: speakers.map(\.corner), ranks: ranks, weights: SIMD3(1.0 / 16, 4, 32))
  }

  /// Place of the loudspeaker that plays an object at `point`, or `point` when none is within `limit`
  /// (`nil` without limit). Loudspeakers in `excluded` aren't taken.
  func place(for point: SIMD3<Double>, within limit: Double?, excluded: Set<Int> = [])
    -> SIMD3<Double>
  {
    let near = places.indices.filter { index in
      guard !excluded.contains(index) else { return false }
      return limit.map { RoomGeometry.length(places[index] - point) < $0 + 1e-5 } ?? true
    }
    let distances = near.map { index -> Double in
      let way = places[index] - point
      return UnitVector.dot(weights * way, way).squareRoot()
    }
    guard let least = distances.min() else { return point }
    let best = zip(near, distances).filter { $0.1 <= least + ChannelLock.tolerance }.map(\.0)
    return best.min { ranks[$0] < ranks[$1] }.map { places[$0] } ?? point
  }
}
