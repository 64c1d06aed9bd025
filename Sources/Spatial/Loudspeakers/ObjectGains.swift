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
