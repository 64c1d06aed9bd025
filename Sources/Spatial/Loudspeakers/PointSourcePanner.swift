// SPDX-License-Identifier: Apache-2.0
import Platform

/// Pans a point to the loudspeakers of a layout by its direction (ITU-R BS.2127-1, 6.1).
struct PointSourcePanner: Sendable {
  /// Shares of two loudspeakers in the gains of 0+5+0.
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

/// The gains of one region for a direction (ITU-R BS.2127-1, 6.1).
struct RegionPanner: Sendable {
  /// Places of a region's loudspeakers.
  private enum Shape: Sendable {
    case triplet([SIMD3<Double>])
    case quad([SIMD3<Double>])
    case ring([SIMD3<Double>], centre: SIMD3<Double>)
  }

  /// Numbers of the loudspeakers, in the order of the gains.
  let members: [Int]
  private let shape: Shape

  /// The panner of `region` among loudspeakers at `places`.
  init(_ region: PanningRegion, places: [SIMD3<Double>]) {
    switch region {
    case .triplet(let members):
      self.members = members
      shape = .triplet(members.map { places[$0] })
    case .quad(let members):
      self.members = members
      shape = .quad(members.map { places[$0] })
    case .ring(let members, let centre):
      self.members = members
      shape = .ring(members.map { places[$0] }, centre: centre)
    }
  }

  /// Gains of the members for the direction of `point`, in proportion; `nil` when it lies elsewhere.
  func gains(_ point: SIMD3<Double>) -> [Double]? {
    switch shape {
    case .triplet(let places): return RegionPanner.triplet(places[0], places[1], places[2], point)
    case .quad(let places): return RegionPanner.quad(places, point)
    case .ring(let places, let centre): return RegionPanner.ring(places, centre, point)
    }
  }

  /// Vector base amplitude panning: the weights with which three places add up to `point`.
  private static func triplet(
    _ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>, _ point: SIMD3<Double>
  ) -> [Double]? {
    let (first, second, third) = (
      UnitVector.cross(b, c), UnitVector.cross(c, a), UnitVector.cross(a, b)
    )
    let volume = UnitVector.dot(a, first)
    let gains = [first, second, third].map { UnitVector.dot(point, $0) / volume }
    guard gains.allSatisfy({ $0 >= -1e-11 }) else { return nil }
    return GainVector.normalised(gains.map { max(0, $0) })
  }

  private static func quad(_ places: [SIMD3<Double>], _ point: SIMD3<Double>) -> [Double]? {
    let (a, b, c, d) = (places[0], places[1], places[2], places[3])
    guard let x = share(a, b, c, d, point), let y = share(b, c, d, a, point) else { return nil }
    let gains = [(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y]
    let sum = zip(gains, places).reduce(SIMD3<Double>.zero) { $0 + $1.0 * $1.1 }
    return UnitVector.dot(sum, point) > 0 ? gains : nil
  }

  /// How far along a → b and d → c the plane through the middle that holds `point` cuts both, 0…1.
  private static func share(
    _ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>, _ d: SIMD3<Double>,
    _ point: SIMD3<Double>
  ) -> Double? {
    let square = UnitVector.dot(UnitVector.cross(b - a, c - d), point)
    let linear = UnitVector.dot(UnitVector.cross(a, c - d) + UnitVector.cross(b - a, d), point)
    let constant = UnitVector.dot(UnitVector.cross(a, d), point)
    let root = roots(square, linear, constant).first { $0 > -1e-10 && $0 < 1 + 1e-10 }
    return root.map { min(1, max(0, $0)) }
  }

  /// Real roots of a x² + b x + c.
  private static func roots(_ a: Double, _ b: Double, _ c: Double) -> [Double] {
    let inside = b * b - 4 * a * c
    guard inside >= 0 else { return [] }
    // The sum of two terms of the same sign: no cancellation, and right for a vanishing a.
    let half = -(b + (b < 0 ? -1 : 1) * inside.squareRoot()) / 2
    guard half != 0 else { return a != 0 ? [0] : [] }
    return a != 0 ? [c / half, half / a] : [c / half]
  }

  /// Triplets of two neighbours and the centre, whose gain all members share.
  private static func ring(
    _ places: [SIMD3<Double>], _ centre: SIMD3<Double>, _ point: SIMD3<Double>
  ) -> [Double]? {
    for index in places.indices {
      let next = (index + 1) % places.count
      guard let part = triplet(places[index], places[next], centre, point) else { continue }
      let common = part[2] / Double(places.count).squareRoot()
      var gains = [Double](repeating: common, count: places.count)
      gains[index] += part[0]
      gains[next] += part[1]
      return gains
    }
    return nil
  }
}
