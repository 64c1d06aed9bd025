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

  /// Volume in cubic metres.
  var volume: Double { size.x * size.y * size.z }

  /// What a loudspeaker keeps away from every surface.
  static let margin = 0.3
  /// Most surfaces on a reflection's way.
  static let order = 2

  /// The surfaces at the low and the high end of each axis.
  static let surfaces: [(low: Surface, high: Surface)] = [
    (.curtain, .curtain), (.curtain, .curtain), (.carpet, .tiles),
  ]

  /// The cells of the lattice of mirrored rooms whose images are heard: those that one to ``order``
  /// surfaces lie before.
  static let cells: [SIMD3<Int>] = {
    let range = -order...order
    return range.flatMap { x in
      range.flatMap { y in
        range.compactMap { z in
          (1...order).contains(abs(x) + abs(y) + abs(z)) ? SIMD3(x, y, z) : nil
        }
      }
    }
  }()

  /// The reflections of a loudspeaker in `direction` of a listener who looks ahead.
  func reflections(from direction: Direction) -> [Reflection] {
    let toSource = UnitVector.of(direction)
    return Shoebox.cells.map { cell in
      let path = path(from: toSource, by: cell)
      return Reflection(
        place: path.place, extraWay: path.extraWay, gain: path.gain,
        surfaces: Shoebox.surfaces(before: cell))
    }
  }

  /// The reflection of a loudspeaker towards `toSource` that comes from `cell` of the lattice of mirrored
  /// rooms: what ``Reflection`` says of it.
  func path(
    from toSource: SIMD3<Double>, by cell: SIMD3<Int>
  ) -> (place: SIMD3<Double>, extraWay: Double, gain: Double) {
    let reach = reach(along: toSource)
    let way = image(of: listener + toSource * reach, in: cell) - listener
    let length = UnitVector.dot(way, way).squareRoot()
    var unit = way / length
    if unit.y.magnitude < 1e-9 { unit.y = 0 }
    return (unit, length - reach, reach / length)
  }

  /// The longest extra way of any reflection, in metres.
  ///
  /// A source that moves away from the listener moves its images by as much at most, so no extra way is
  /// longer than that to the listener's own image.
  var longestWay: Double {
    Shoebox.cells.reduce(0) { longest, cell in
      let way = image(of: listener, in: cell) - listener
      return max(longest, UnitVector.dot(way, way).squareRoot())
    }
  }

  /// Distance of a loudspeaker in this direction, in metres.
  func reach(along way: SIMD3<Double>) -> Double {
    (0..<3).reduce(distance) { reach, axis in
      let room = way[axis] > 0 ? size[axis] - listener[axis] : listener[axis]
      return min(reach, (room - Shoebox.margin) / max(way[axis].magnitude, 1e-9))
    }
  }

  /// The image of `source` in a cell: odd cells are mirrored.
  private func image(of source: SIMD3<Double>, in cell: SIMD3<Int>) -> SIMD3<Double> {
    var place = source
    for axis in 0..<3 {
      let inside = cell[axis] & 1 == 0 ? source[axis] : size[axis] - source[axis]
      place[axis] = Double(cell[axis]) * size[axis] + inside
    }
    return place
  }

  /// The surfaces that sound from a cell meets: the path from cell n crosses |n| of them.
  static func surfaces(before cell: SIMD3<Int>) -> [Surface] {
    (0..<3).flatMap { axis in
      // A path to an image beyond the high end meets the surfaces high, low, high …; beyond the low
      // end it meets low, high …
      (0..<cell[axis].magnitude).map { bounce in
        let isHigh = (cell[axis] > 0) == (bounce & 1 == 0)
        return isHigh ? surfaces[axis].high : surfaces[axis].low
      }
    }
  }
}
