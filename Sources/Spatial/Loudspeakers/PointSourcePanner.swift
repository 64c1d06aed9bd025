import Platform

/// Pans a point to the loudspeakers of a layout by its direction (ITU-R BS.2127-1, 6.1).
struct PointSourcePanner: Sendable {
  /// What two loudspeakers play of the gains of 0+5+0.
  private static let fromCentre = 1 / 3.0.squareRoot()
  private static let fromSurround = 0.5.squareRoot()

  /// Number of loudspeakers, LFE not counted.
  let count: Int
  private let isStereo: Bool
  private let regions: [RegionPanner]
  /// For each loudspeaker of the regions, the one that plays its gain.
  private let targets: [Int]
  private let places: [SIMD3<Double>]

  /// The panner of `layout`.
  init(_ layout: LoudspeakerLayout) {
    count = layout.mains.count
    // 0+2+0 has no regions of its own: it is a mix of 0+5+0.
    isStereo = layout.regions.isEmpty
    let source = isStereo ? LoudspeakerLayout.named("0+5+0") ?? layout : layout
    places = source.mainSpeakers.map(\.place)
    targets = Array(places.indices) + source.virtuals.map(\.goesTo)
    let all = places + source.virtuals.map(\.place)
    regions = source.regions.map { RegionPanner($0, places: all) }
  }

  /// Gains for the direction of `point`, which isn't the middle; their power is 1, with two loudspeakers
  /// down to ½ at the back.
  func gains(_ point: SIMD3<Double>) -> [Double] {
    let gains = regionGains(point)
    return isStereo ? PointSourcePanner.stereo(gains) : gains
  }

  private func regionGains(_ point: SIMD3<Double>) -> [Double] {
    var result = [Double](repeating: 0, count: places.count)
    for region in regions {
      guard let found = region.gains(point) else { continue }
      let scale = 1 / GainVector.norm(found)
      for (member, gain) in zip(region.members, found) { result[targets[member]] += gain * scale }
      return GainVector.normalised(result)
    }
    // The regions cover the sphere; a gap could only be one of rounding.
    let nearest = places.indices.max { left, right in
      UnitVector.dot(places[left], point) < UnitVector.dot(places[right], point)
    }
    if let nearest { result[nearest] = 1 }
    return result
  }

  /// Two loudspeakers from M+030, M−030, M+000, M+110 and M−110.
  private static func stereo(_ gains: [Double]) -> [Double] {
    let front = max(gains[0], gains[1], gains[2])
    let back = max(gains[3], gains[4])
    let sides = [
      gains[0] + fromCentre * gains[2] + fromSurround * gains[3],
      gains[1] + fromCentre * gains[2] + fromSurround * gains[4],
    ]
    let level = pow(0.5, 0.5 * back / (front + back))
    return GainVector.normalised(sides).map { $0 * level }
  }
}
