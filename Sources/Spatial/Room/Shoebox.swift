import AudioCore

/// A box-shaped room with a listener and loudspeakers around him, x to the front, y to the left, z
/// up from the right back corner of the floor, in metres.
struct Shoebox: Sendable {
  /// Length, width, height.
  let size: SIMD3<Double>
  /// Where the middle of the listener's head is: midway between the side walls, so that left and
  /// right mirror each other, before the middle of the length, so that front and back don't, and
  /// 1.2 m up, ear height of a seated listener (ITU-R BS.1116-3).
  let listener: SIMD3<Double>
  /// Distance of loudspeakers; those that would be nearer than ``margin`` to a surface come closer.
  let distance: Double

  /// What a loudspeaker keeps away from every surface.
  static let margin = 0.3
  /// Most surfaces on a reflection's way.
  static let order = 2

  /// The surfaces at the low and the high end of each axis.
  static let surfaces: [(low: Surface, high: Surface)] = [
    (.curtain, .curtain), (.curtain, .curtain), (.carpet, .tiles),
  ]

  /// The reflections of a loudspeaker in `direction` of a listener who looks ahead.
  func reflections(from direction: Direction) -> [Reflection] {
    let toSource = UnitVector.of(direction)
    let reach = reach(along: toSource)
    let source = listener + toSource * reach
    var found: [Reflection] = []
    let range = -Shoebox.order...Shoebox.order
    for x in range {
      for y in range {
        for z in range {
          let bounces = abs(x) + abs(y) + abs(z)
          guard (1...Shoebox.order).contains(bounces) else { continue }
          found.append(reflection(of: source, reach: reach, image: SIMD3(x, y, z)))
        }
      }
    }
    return found
  }

  /// Distance of a loudspeaker in this direction, in metres.
  private func reach(along way: SIMD3<Double>) -> Double {
    (0..<3).reduce(distance) { reach, axis in
      let room = way[axis] > 0 ? size[axis] - listener[axis] : listener[axis]
      return min(reach, (room - Shoebox.margin) / max(way[axis].magnitude, 1e-9))
    }
  }

  /// The image of `source` in cell `image` of the lattice of mirrored rooms: odd cells are
  /// mirrored, and the path from cell n crosses |n| surfaces.
  private func reflection(
    of source: SIMD3<Double>, reach: Double, image: SIMD3<Int>
  ) -> Reflection {
    var place = source
    var surfaces: [Surface] = []
    for axis in 0..<3 {
      let cell = image[axis]
      let inside = cell & 1 == 0 ? source[axis] : size[axis] - source[axis]
      place[axis] = Double(cell) * size[axis] + inside
      // A path to an image beyond the high end meets the surfaces high, low, high …; beyond the low
      // end it meets low, high …
      for bounce in 0..<cell.magnitude {
        let isHigh = (cell > 0) == (bounce & 1 == 0)
        let pair = Shoebox.surfaces[axis]
        surfaces.append(isHigh ? pair.high : pair.low)
      }
    }
    let way = place - listener
    let length = UnitVector.dot(way, way).squareRoot()
    var unit = way / length
    if unit.y.magnitude < 1e-9 { unit.y = 0 }
    return Reflection(
      place: unit, extraWay: length - reach, gain: reach / length, surfaces: surfaces)
  }
}
