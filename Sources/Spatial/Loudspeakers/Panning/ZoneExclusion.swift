import AudioCore

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

  /// Those loudspeakers for a Cartesian position: where a loudspeaker at a side wall is excluded, its
  /// whole row is. None when that would be all.
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
