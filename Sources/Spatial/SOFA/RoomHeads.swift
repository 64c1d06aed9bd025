// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// The heads by which the loudspeakers of a room were measured: the one that looks ahead most, and those in its place that are turned
/// to the side and hear the same loudspeakers.
struct RoomHeads {
  /// A head and the measurements that were made with it.
  struct Head: Equatable {
    /// Degrees by which it is turned from the head that looks ahead, positive to the left, −180 < yaw ≤ 180.
    let yaw: Double
    /// The one measurement of all loudspeakers where they are emitters, else one for each loudspeaker.
    let measurements: [Int]
  }

  /// The places of heads and loudspeakers, in metres, for each measurement or one for all.
  struct Places {
    /// Vectors along which the heads look.
    var views: [SIMD3<Double>]
    /// Vectors along which the tops of the heads point.
    var ups: [SIMD3<Double>]
    /// Places of the heads.
    var listeners: [SIMD3<Double>]
    /// Places of the loudspeakers, or of what carries them.
    var sources: [SIMD3<Double>]

    fileprivate static func one(_ list: [SIMD3<Double>], _ measurement: Int) -> SIMD3<Double> {
      list.count == 1 ? list[0] : list[measurement]
    }

    fileprivate func way(_ measurement: Int) -> SIMD3<Double> {
      Places.one(sources, measurement) - Places.one(listeners, measurement)
    }
  }

  /// Most degrees between heads that count as the same. Sets with a head for every degree exist.
  private static let sameView = 0.9
  /// Most degrees between the tops of heads, and between the heights to which they look, that are only turned to the side.
  private static let upright = 1.0
  /// Most metres between two places that count as the same.
  private static let samePlace = 0.05
  /// Most metres between the places of one loudspeaker, for each metre that it is away.
  private static let sameLoudspeaker = 0.1

  /// The heads, yaws ascending.
  let heads: [Head]
  /// The one that looks ahead, whose yaw is 0.
  let ahead: Int
  /// Degrees in the room to which it looks, positive to the left.
  let azimuth: Double

  private let places: Places
  private let hasEmitters: Bool

  /// The heads of `measurements`, which lie at `places`.
  init(_ places: Places, measurements: Int, hasEmitters: Bool) {
    self.places = places
    self.hasEmitters = hasEmitters
    let views = places.views
    let first = views.indices.max { views[$0].x < views[$1].x } ?? 0
    azimuth = RoomHeads.azimuth(views[first])
    guard views.count > 1 else {
      // If one view stands for all, so does each measurement of emitters.
      heads = [Head(yaw: 0, measurements: hasEmitters ? [0] : Array(0..<measurements))]
      ahead = 0
      return
    }
    let groups = RoomHeads.groups(places, first, azimuth, hasEmitters)
    let middle = hasEmitters ? [first] : groups.ahead
    var found = [Head(yaw: 0, measurements: middle)]
    for group in groups.turned {
      guard let head = RoomHeads.head(group, places, middle, hasEmitters) else { continue }
      found.append(head)
    }
    heads = found.sorted { $0.yaw < $1.yaw }
    ahead = heads.firstIndex { $0.measurements == middle } ?? 0
  }

  /// Measurements of the head that looks ahead, as that of `first` does, and of each head that is turned to the side, with its yaw.
  private static func groups(
    _ places: Places, _ first: Int, _ azimuth: Double, _ hasEmitters: Bool
  ) -> (ahead: [Int], turned: [(yaw: Double, measurements: [Int])]) {
    var ahead: [Int] = []
    var others: [(yaw: Double, measurement: Int)] = []
    for (measurement, view) in places.views.enumerated() {
      let yaw = RoomViews.wrapped(RoomHeads.azimuth(view) - azimuth)
      let isLevel = (height(view) - height(places.views[first])).magnitude < upright
      if isLevel, yaw.magnitude < sameView {
        ahead.append(measurement)
      } else if isLevel, isInPlace(measurement, first, places, hasEmitters) {
        others.append((yaw, measurement))
      }
    }
    var turned: [(yaw: Double, measurements: [Int])] = []
    others.sort { ($0.yaw, $0.measurement) < ($1.yaw, $1.measurement) }
    for (yaw, measurement) in others {
      if let last = turned.last, yaw - last.yaw < sameView {
        turned[turned.count - 1].measurements.append(measurement)
      } else {
        turned.append((yaw, [measurement]))
      }
    }
    return (ahead, turned)
  }

  /// Whether the head is as upright as that of measurement `first`, and with emitters in the same place.
  private static func isInPlace(
    _ measurement: Int, _ first: Int, _ places: Places, _ hasEmitters: Bool
  ) -> Bool {
    func isNear(_ list: [SIMD3<Double>]) -> Bool {
      length(Places.one(list, measurement) - Places.one(list, first)) < samePlace
    }
    let isUpright =
      VoicePath.angle(Places.one(places.ups, measurement), Places.one(places.ups, first)) < upright
    return isUpright && (!hasEmitters || isNear(places.listeners) && isNear(places.sources))
  }

  /// The head of a group; `nil` where it doesn't hear a loudspeaker of the measurements `middle`.
  private static func head(
    _ group: (yaw: Double, measurements: [Int]), _ places: Places, _ middle: [Int],
    _ hasEmitters: Bool
  ) -> Head? {
    guard !hasEmitters else {
      return Head(yaw: group.yaw, measurements: Array(group.measurements.prefix(1)))
    }
    var measurements: [Int] = []
    for loudspeaker in middle {
      let way = places.way(loudspeaker)
      let nearest = group.measurements.map { (length(places.way($0) - way), $0) }.min {
        $0.0 < $1.0
      }
      guard let nearest, nearest.0 <= sameLoudspeaker * length(way) else { return nil }
      measurements.append(nearest.1)
    }
    return Head(yaw: group.yaw, measurements: measurements)
  }

  /// From the head that looks ahead to loudspeaker `index`, or to what carries the emitters, in metres along the axes of the room.
  func way(_ index: Int) -> SIMD3<Double> {
    let measurements = heads[ahead].measurements
    return places.way(hasEmitters ? measurements[0] : measurements[index])
  }

  private static func length(_ way: SIMD3<Double>) -> Double {
    UnitVector.dot(way, way).squareRoot()
  }

  private static func azimuth(_ view: SIMD3<Double>) -> Double {
    atan2(view.y, view.x) * 180 / .pi
  }

  private static func height(_ view: SIMD3<Double>) -> Double {
    atan2(view.z, (view.x * view.x + view.y * view.y).squareRoot()) * 180 / .pi
  }
}
