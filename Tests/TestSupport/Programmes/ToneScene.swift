// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// A 5.1 bed and ten resting objects, each of which plays a tone of its own: what is heard of each tells where it
/// is.
package enum ToneScene {
  /// A tone and where it comes from.
  package struct Tone: Sendable, CustomStringConvertible {
    /// Hz.
    package let frequency: Double
    /// Direction of its source; `nil` for the LFE channel, which both ears get alike.
    package let direction: Direction?

    /// The tone in words.
    package var description: String {
      "\(frequency) Hz at " + (direction.map { "\($0.azimuth)°, \($0.elevation)°" } ?? "no place")
    }
  }

  /// Places of the objects as codes: X to the right and Y to the back, 0…62, and Z up, 0…15.
  package static let codes: [SIMD3<Double>] = [
    SIMD3(62, 25, 0), SIMD3(62, 0, 0), SIMD3(62, 31, 15), SIMD3(62, 12, 15), SIMD3(62, 12, 3),
    SIMD3(62, 25, 13), SIMD3(0, 62, 0), SIMD3(62, 62, 0), SIMD3(0, 10, 0), SIMD3(62, 10, 0),
  ]

  /// The tones in the order of the planes: those of the bed, then those of the objects.
  package static let tones: [Tone] = {
    let azimuths: [Double?] = [30, -30, 0, nil, 110, -110]
    let bed = zip(azimuths, [500, 1000, 1500, 50, 2000, 2500]).map { azimuth, frequency in
      Tone(frequency: frequency, direction: azimuth.map { Direction(azimuth: $0) })
    }
    return bed
      + codes.enumerated().map { number, code in
        Tone(frequency: 3000 + 500 * Double(number), direction: direction(of: place(code)))
      }
  }()

  /// The bed and the objects at 48 kHz.
  package static let programme = Programme(
    sampleRate: 48_000,
    elements: [.bed(ChannelLayout(name: "5.1") ?? .mono)]
      + codes.enumerated().map { number, code in
        let at = place(code)
        return .object(
          name: "Tone \(number + 1)",
          start: ObjectState(position: .cartesian(x: at.x, y: at.y, z: at.z)))
      })

  /// `frames` samples of each plane.
  package static func planes(_ frames: Int) -> [[Float]] {
    tones.map { tone in
      (0..<frames).map { Float(0.1 * sin(2 * .pi * tone.frequency * Double($0) / 48_000)) }
    }
  }

  /// The point of a room with walls at ±1 that a code means: X to the right, Y to the front, Z up.
  package static func place(_ code: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(2 * code.x / 62 - 1, 1 - 2 * code.y / 62, code.z / 15)
  }

  /// Direction in which a point of the room is heard (ITU-R BS.2127, section 10, with corners at ±30°, ±90° and ±135°), written
  /// without regard to the renderer's own code.
  package static func direction(of place: SIMD3<Double>) -> Direction {
    let far = max(place.x.magnitude, place.y.magnitude)
    // Angle of the ray to the wall, and the corners on both sides of it.
    let ray = atan2(place.x, place.y).magnitude * 180 / .pi
    let corners = [(0.0, 0.0), (45, 30), (90, 90), (135, 135), (180, 180)]
    let next = corners.firstIndex { $0.0 >= ray - 1e-9 } ?? 4
    var azimuth = 0.0
    if next > 0 {
      let (one, other) = (corners[next - 1], corners[next])
      // How far along the wall from one corner to the other.
      let (from, to) = (one.0 * .pi / 180, other.0 * .pi / 180)
      let wall = next == 1 || next == 4 ? tan(ray * .pi / 180) : 1 / tan(ray * .pi / 180)
      let ends = next == 1 || next == 4 ? (tan(from), tan(to)) : (1 / tan(from), 1 / tan(to))
      let share = (wall - ends.0) / (ends.1 - ends.0)
      // Two loudspeakers in the corners would pan it by sine and cosine and the law of tangents.
      let (near, loud) = (cos(share * .pi / 2), sin(share * .pi / 2))
      let half = (other.1 - one.1) / 2
      let turn = atan((loud - near) / (loud + near) * tan(half * .pi / 180)) * 180 / .pi
      azimuth = one.1 + half + turn
    }
    let steep = atan2(place.z, far) * 180 / .pi
    let elevation = steep <= 45 ? steep * 2 / 3 : 30 + (steep - 45) * 4 / 3
    return Direction(azimuth: place.x > 0 ? -azimuth : azimuth, elevation: elevation)
  }
}
