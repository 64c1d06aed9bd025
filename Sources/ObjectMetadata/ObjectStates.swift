import AudioCore
import Signal

/// Turns what an update says of an object into a state of the renderer's (TS 103 420 and TS 103 190-2, and ITU-R
/// BS.2076 for the coordinates: X right, Y front, Z up, walls at ±1).
package enum ObjectStates {
  /// State of an object before its first update: silent in the middle of the room.
  package static let initial = ObjectState(position: .cartesian(x: 0, y: 0, z: 0), gain: 0)

  /// The state that `info` asks for. An object that isn't active keeps its place in `before` and is silent: what
  /// can't be heard needn't move.
  ///
  /// Divergence, screen and priority are left aside: a divergence has no distance of its two sides, a home
  /// renderer knows no screen, and priority serves renderers with too few channels only.
  package static func state(_ info: ObjectInfo, before: ObjectState) -> ObjectState {
    guard info.isActive else {
      var silent = before
      silent.gain = 0
      return silent
    }
    let size = (Double(info.size.x) / 31, Double(info.size.y) / 31, Double(info.size.z) / 31)
    var rules = ObjectRules()
    if info.isSnapped { rules.lock = ObjectRules.ChannelLock() }
    rules.zones = zones(info)
    return ObjectState(
      position: position(info), gain: info.gain.map { Decibels.amplitude(Double($0)) } ?? 0,
      extent: ObjectExtent(width: size.0, height: size.2, depth: size.1), rules: rules)
  }

  private static func position(_ info: ObjectInfo) -> ObjectPosition {
    let place = { (code: Int, fifths: Int, steps: Double) -> Double in
      Double(code) / steps + Double(fifths) / (5 * steps)
    }
    let x = 2 * min(1, max(0, place(info.position.x, info.precision.x, 62))) - 1
    let y = 1 - 2 * min(1, max(0, place(info.position.y, info.precision.y, 62)))
    let z = min(1, max(-1, place(info.position.z, info.precision.z, 15)))
    guard info.distance != .unstated else { return .cartesian(x: x, y: y, z: z) }
    // A stated distance lies behind the wall, on the ray from the listener through the position. The
    // renderers have no room behind the wall, so the object stays where the ray meets it.
    let reach = max(x.magnitude, y.magnitude, z.magnitude)
    guard reach > 0 else { return .cartesian(x: x, y: y, z: z) }
    return .cartesian(x: x / reach, y: y / reach, z: z / reach)
  }

  /// Loudspeakers that may not play the object, as boxes of the room.
  ///
  /// The standard names groups of loudspeakers, not boxes. The borders lie halfway between the places that
  /// loudspeakers have in this room: the screen's at Y = 1, those of the side walls at Y = 0 and X = ±1, those
  /// behind at Y = −1, wide ones at Y = 0.5, and those of the ceiling at Z = 1.
  package static func zones(_ info: ObjectInfo) -> [ObjectRules.Zone] {
    // The lists are made once, because updates come in every frame.
    let codes = info.hasElevation ? elevatedZones : flatZones
    return codes.indices.contains(info.zone) ? codes[info.zone] : codes[0]
  }

  /// The boxes of each code, where loudspeakers above may play the object.
  private static let elevatedZones = (0...7).map { zones($0, hasElevation: true) }
  /// The boxes of each code, where these may not.
  private static let flatZones = (0...7).map { zones($0, hasElevation: false) }

  private static func zones(_ code: Int, hasElevation: Bool) -> [ObjectRules.Zone] {
    let all = -1.0...1
    var zones: [ObjectRules.Zone]
    switch code {
    case 1:  // without those behind
      zones = [.box(x: all, y: -1...(-0.5), z: all)]
    case 2:  // without those at the sides
      zones = [
        .box(x: -1...(-0.5), y: -0.5...0.75, z: all), .box(x: 0.5...1, y: -0.5...0.75, z: all),
      ]
    case 3:  // only the centre and those behind
      zones = [
        .box(x: -1...(-0.25), y: -0.5...1, z: all), .box(x: 0.25...1, y: -0.5...1, z: all),
      ]
    case 4:  // only those of the screen
      zones = [.box(x: all, y: -1...0.75, z: all), .box(x: all, y: all, z: 0.5...1)]
    case 5:  // only those around the listener
      zones = [.box(x: all, y: 0.75...1, z: -1...0.5)]
    // 0 is no constraint; the rest is reserved.
    default: zones = []
    }
    if !hasElevation { zones.append(.box(x: all, y: all, z: 0.5...1)) }
    return zones
  }
}
