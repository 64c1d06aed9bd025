// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Works out how loud each loudspeaker of a layout plays an object (ITU-R BS.2127-1, 7.3).
///
/// The screen is taken to be the one the programme was made for, so positions aren't scaled. Azimuths are
/// taken as they are.
final class ObjectGains {
  private let layout: LoudspeakerLayout
  private let mains: [Int]
  private let polar: PolarExtentPanner
  private let zones: ZoneExclusion
  private let sphereLock: ChannelLock
  private let roomLock: ChannelLock
  private let corners: [SIMD3<Double>]
  /// Panners of the room without the loudspeakers of a set.
  private var rooms: [Set<Int>: CartesianExtentPanner] = [:]

  /// Gains for `layout`.
  init(_ layout: LoudspeakerLayout) {
    self.layout = layout
    mains = layout.mains
    polar = PolarExtentPanner(PointSourcePanner(layout))
    zones = ZoneExclusion(layout)
    sphereLock = .polar(layout.mainSpeakers, ranks: layout.ranks)
    roomLock = .cartesian(layout.mainSpeakers, ranks: layout.ranks)
    corners = layout.mainSpeakers.map(\.corner)
  }

  /// Gains for `state` with all its rules but the role, one for each loudspeaker of the layout; LFEs get 0.
  func gains(of state: ObjectState) -> SpeakerGains {
    let shape = shape(of: state)
    var gains = SpeakerGains(count: layout.speakers.count)
    let diffuse = min(1, max(0, state.diffuse))
    for (main, index) in mains.enumerated() {
      let gain = shape[main] * state.gain
      // Numbers that aren't any would never leave the convolver.
      guard gain.isFinite else { continue }
      gains.direct[index] = gain * (1 - diffuse).squareRoot()
      gains.diffuse[index] = gain * diffuse.squareRoot()
    }
    return gains
  }

  /// Gains of the loudspeakers that aren't LFE for the state's position, extent and rules.
  private func shape(of state: ObjectState) -> [Double] {
    switch state.position {
    case .polar(let direction, let distance):
      let point = RoomGeometry.point(
        azimuth: direction.azimuth, elevation: direction.elevation, distance: distance)
      return polarShape(of: state, at: point)
    case .cartesian(let x, let y, let z):
      let point = SIMD3(x, y, z).clamped(
        lowerBound: SIMD3(repeating: -1), upperBound: SIMD3(repeating: 1))
      return cartesianShape(of: state, at: point)
    }
  }

  private func polarShape(of state: ObjectState, at point: SIMD3<Double>) -> [Double] {
    let rules = state.rules
    let place = rules.lock.map { sphereLock.place(for: point, within: $0.within) } ?? point
    let parts = ObjectDivergence.parts(rules.divergence, at: place, isCartesian: false)
    let extent = state.extent
    let gains = GainVector.powerSum(
      parts.map { weight, point in
        let gains = polar.gains(
          at: point, width: extent.width, height: extent.height, depth: extent.depth)
        return (weight, gains)
      })
    return zones.redirect(gains, excluded: zones.excluded(by: rules.zones))
  }

  private func cartesianShape(of state: ObjectState, at point: SIMD3<Double>) -> [Double] {
    let rules = state.rules
    let excluded = zones.excludedInRoom(by: rules.zones)
    let place =
      rules.lock.map { roomLock.place(for: point, within: $0.within, excluded: excluded) } ?? point
    let room = room(without: excluded)
    let parts = ObjectDivergence.parts(rules.divergence, at: place, isCartesian: true)
    let extent = state.extent
    var rest = GainVector.powerSum(
      parts.map { weight, point in
        let gains = room.gains(
          at: point, width: extent.width, height: extent.height, depth: extent.depth)
        return (weight, gains)
      }
    )[...]
    return corners.indices.map { excluded.contains($0) ? 0 : rest.popFirst() ?? 0 }
  }

  private func room(without excluded: Set<Int>) -> CartesianExtentPanner {
    if let known = rooms[excluded] { return known }
    let room = CartesianExtentPanner(
      corners.indices.filter { !excluded.contains($0) }.map { corners[$0] })
    rooms[excluded] = room
    return room
  }
}

/// How loud each loudspeaker plays a plane; linear.
struct SpeakerGains: Sendable, Equatable {
  /// Gains as it is.
  var direct: [Double]
  /// Gains of what is decorrelated.
  var diffuse: [Double]

  /// Gains of both parts.
  init(direct: [Double], diffuse: [Double]) {
    self.direct = direct
    self.diffuse = diffuse
  }

  /// Gains without a diffuse part.
  init(direct: [Double]) {
    self.init(direct: direct, diffuse: [Double](repeating: 0, count: direct.count))
  }

  /// Silence on `count` loudspeakers.
  init(count: Int) { self.init(direct: [Double](repeating: 0, count: count)) }
}

/// Linear gains, one for each loudspeaker.
enum GainVector {
  /// The square root of the sum of squares.
  static func norm(_ gains: [Double]) -> Double {
    gains.reduce(0) { $0 + $1 * $1 }.squareRoot()
  }

  /// The gains at a power of 1; silence stays silence.
  static func normalised(_ gains: [Double]) -> [Double] {
    let size = norm(gains)
    return size > 0 ? gains.map { $0 / size } : gains
  }

  /// Gains whose power is the weighted sum of the powers of `parts`.
  static func powerSum(_ parts: [(weight: Double, gains: [Double])]) -> [Double] {
    guard let first = parts.first else { return [] }
    var powers = [Double](repeating: 0, count: first.gains.count)
    for part in parts {
      for (index, gain) in part.gains.enumerated() { powers[index] += part.weight * gain * gain }
    }
    return powers.map { $0.squareRoot() }
  }
}

/// Moves an object to a loudspeaker near it (ITU-R BS.2127-1, 7.3).
struct ChannelLock {
  private static let tolerance = 1e-5

  /// Places of the loudspeakers.
  let places: [SIMD3<Double>]
  /// Ranks of the loudspeakers: of several at the same distance, the one of the lowest rank is taken.
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

/// Keeps loudspeakers in zones silent (ITU-R BS.2127-1, 7.3).
struct ZoneExclusion: Sendable {
  private static let tolerance = 1e-6

  private let speakers: [Loudspeaker]
  private let groups: [[[Int]]]

  /// The zones of `layout`; loudspeakers are counted without LFE.
  init(_ layout: LoudspeakerLayout) {
    speakers = layout.mainSpeakers
    groups = layout.zoneGroups
  }

  /// Loudspeakers whose nominal position lies in one of the zones.
  func excluded(by zones: [ObjectRules.Zone]) -> Set<Int> {
    Set(
      speakers.indices.filter { index in
        zones.contains { ZoneExclusion.holds($0, speakers[index]) }
      })
  }

  /// Loudspeakers excluded for a Cartesian position: those of ``excluded(by:)``, and the whole row of one
  /// at a side wall. None when that would be all.
  func excludedInRoom(by zones: [ObjectRules.Zone]) -> Set<Int> {
    let found = excluded(by: zones)
    var all = found
    for index in found {
      let corner = speakers[index].corner
      guard corner.x.magnitude == 1, corner.y.magnitude != 1 else { continue }
      all.formUnion(
        speakers.indices.filter {
          speakers[$0].corner.y == corner.y && speakers[$0].corner.z == corner.z
        })
    }
    return all.count == speakers.count ? [] : all
  }

  /// The gains after the power of excluded loudspeakers has moved to others.
  func redirect(_ gains: [Double], excluded: Set<Int>) -> [Double] {
    guard !excluded.isEmpty, excluded.count < speakers.count else { return gains }
    var powers = [Double](repeating: 0, count: gains.count)
    for (index, gain) in gains.enumerated() {
      let heirs =
        groups[index].lazy.map { $0.filter { !excluded.contains($0) } }
        .first { !$0.isEmpty } ?? []
      for heir in heirs { powers[heir] += gain * gain / Double(heirs.count) }
    }
    return powers.map { $0.squareRoot() }
  }

  private static func holds(_ zone: ObjectRules.Zone, _ speaker: Loudspeaker) -> Bool {
    switch zone {
    case .box(let x, let y, let z):
      let place = speaker.place
      return lies(place.x, in: x) && lies(place.y, in: y) && lies(place.z, in: z)
    case .sector(let from, let to, let elevations):
      let direction = speaker.direction
      let isPole = direction.elevation.magnitude > 90 - tolerance
      return lies(direction.elevation, in: elevations)
        && (isPole
          || RoomGeometry.contains(
            direction.azimuth, from: from, to: to, tolerance: tolerance))
    }
  }

  private static func lies(_ value: Double, in range: ClosedRange<Double>) -> Bool {
    range.lowerBound - tolerance < value && value < range.upperBound + tolerance
  }
}
