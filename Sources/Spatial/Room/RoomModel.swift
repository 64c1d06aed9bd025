// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// A simulated listening room, heard by its early reflections.
///
/// The reflections are those of image sources in a box (J. B. Allen, D. A. Berkley: "Image method
/// for efficiently simulating small-room acoustics", J. Acoust. Soc. Am. 65, 1979) off one or two
/// surfaces: 24 for each loudspeaker, those from which a listener infers a room's size. Each comes
/// from its own direction, later and weaker because of its longer path, and duller because the
/// surfaces absorb high frequencies. All together are some 3 dB weaker than the direct sound; the
/// strongest one, off the floor, is 7…8 dB weaker at 2 kHz. They end 38 ms (small) or 56 ms (medium) after
/// the direct sound. On request a reverberant tail follows, with the energy that the images of higher
/// order would have.
///
/// The rooms are treated as listening rooms are: curtains on the walls, a carpet, tiles on the
/// ceiling.
public enum RoomModel: String, Sendable, Hashable, Codable, CaseIterable {
  /// A living room: 4.2 m wide, 5 m long, 2.5 m high, loudspeakers 1.8 m away.
  case small
  /// A large listening room: 6.4 m wide, 8 m long, 3 m high, loudspeakers 2.6 m away.
  case medium

  /// Its geometry and surfaces.
  var shoebox: Shoebox {
    switch self {
    case .small:
      return Shoebox(size: SIMD3(5, 4.2, 2.5), listener: SIMD3(2.2, 2.1, 1.2), distance: 1.8)
    case .medium:
      return Shoebox(size: SIMD3(8, 6.4, 3), listener: SIMD3(3.5, 3.2, 1.2), distance: 2.6)
    }
  }
}

/// A box-shaped room with a listener and loudspeakers around him, x to the front, y to the left, z
/// up from the right back corner of the floor, in metres.
struct Shoebox: Sendable {
  /// Length, width, height.
  let size: SIMD3<Double>
  /// The middle of the listener's head: midway between the side walls, so that left and
  /// right mirror each other, before the middle of the length, so that front and back don't, and
  /// 1.2 m up, ear height of a seated listener (ITU-R BS.1116-3).
  let listener: SIMD3<Double>
  /// Distance of loudspeakers; those that would be nearer than ``margin`` to a surface come closer.
  let distance: Double

  /// Volume in cubic metres.
  var volume: Double { size.x * size.y * size.z }

  /// Least distance of a loudspeaker from every surface.
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

/// One reflection of a loudspeaker, compared with its direct sound.
struct Reflection: Sendable {
  /// Speed of sound at 20 °C, m/s.
  static let speed = 343.0

  /// Direction that it comes from: a point of the unit sphere about the listener.
  let place: SIMD3<Double>
  /// How much longer its way is than that of the direct sound, in metres.
  let extraWay: Double
  /// Amplitude relative to the direct sound; it falls as 1/r with the length r of the way.
  let gain: Double
  /// The surfaces it met, in no order.
  let surfaces: [Surface]

  /// Samples by which it lags the direct sound; not whole.
  func delay(rate: Int) -> Double { extraWay / Reflection.speed * Double(rate) }

  /// `taps` after the longer way and all surfaces, `ring` taps longer: where a first-order filter's
  /// response has fallen by more than 120 dB.
  func filtered(_ taps: [Double], rate: Int) -> [Double] {
    var signal = taps.map { $0 * gain }
    signal += [Double](repeating: 0, count: Reflection.ring(rate: rate))
    for surface in surfaces { Reflection.shelve(&signal, surface, rate: rate) }
    return signal
  }

  /// Taps that the surfaces' filters add: 4 ms.
  static func ring(rate: Int) -> Int { rate / 250 }

  private static func shelve(_ signal: inout [Double], _ surface: Surface, rate: Int) {
    let shelf = surface.shelf(rate: rate)
    let (low, high, pole) = (shelf.low, shelf.high, shelf.pole)
    var state = 0.0
    for index in signal.indices {
      state = (1 - pole) * signal[index] + pole * state
      signal[index] = high * signal[index] + (low - high) * state
    }
  }
}

/// How a surface of a room reflects sound: through a first-order shelf between two absorption
/// coefficients.
///
/// The coefficients are typical published ones (T. J. Cox, P. D'Antonio: "Acoustic Absorbers and
/// Diffusers", appendix A), those at 125…250 Hz and at 2…4 kHz.
struct Surface: Sendable, Equatable {
  /// Part of the energy absorbed at low frequencies, 0…1.
  var lowAbsorption: Double
  /// Part of the energy absorbed at high frequencies, 0…1.
  var highAbsorption: Double

  /// Corner between low and high, Hz: carpets, curtains and tiles reach half of their highest
  /// absorption between 300 Hz and 1 kHz.
  static let corner = 500.0

  /// Heavy carpet on concrete: 0.02 at 125 Hz, 0.06 at 250 Hz, 0.60 at 2 kHz, 0.65 at 4 kHz.
  static let carpet = Surface(lowAbsorption: 0.04, highAbsorption: 0.65)
  /// Heavy velour draped to half its area: 0.14, 0.35, 0.70, 0.65.
  static let curtain = Surface(lowAbsorption: 0.2, highAbsorption: 0.7)
  /// Wood-fibre tiles: 0.15, 0.40, 0.80, 0.80.
  static let tiles = Surface(lowAbsorption: 0.25, highAbsorption: 0.8)

  /// A first-order shelf in terms of a one-pole low-pass.
  struct Shelf {
    /// The pole of the low-pass.
    var pole: Double
    /// Gain of what passes the low-pass.
    var low: Double
    /// Gain of the rest.
    var high: Double
  }

  /// Part of the energy that it reflects at `frequency` Hz, 0…1, as its filter at `rate` Hz does.
  func reflectance(at frequency: Double, rate: Int) -> Double {
    let shelf = shelf(rate: rate)
    let angle = 2 * Double.pi * frequency / Double(rate)
    let (re, im) = (1 - shelf.pole * cos(angle), shelf.pole * sin(angle))
    let part = (shelf.low - shelf.high) * (1 - shelf.pole) / (re * re + im * im)
    let (sumRe, sumIm) = (shelf.high + part * re, part * im)
    return sumRe * sumRe + sumIm * sumIm
  }

  /// The shelf between √(1 − absorption), low and high, at `rate` Hz.
  func shelf(rate: Int) -> Shelf {
    Shelf(
      pole: exp(-2 * .pi * Surface.corner / Double(rate)),
      low: (1 - lowAbsorption).squareRoot(), high: (1 - highAbsorption).squareRoot())
  }
}

/// Makes the filters of a loudspeaker's reflections in a room: all of them summed, each through the
/// responses of its own direction.
final class RoomFilters {
  private let shoebox: Shoebox
  private let designer: HRIRDesigner
  private let rate: Int
  private let head: HeadRotation

  /// Filters at `rate` Hz for a head in `pose` in the middle of `shoebox`.
  init(_ shoebox: Shoebox, _ designer: HRIRDesigner, rate: Int, pose: HeadPose) {
    self.shoebox = shoebox
    self.designer = designer
    self.rate = rate
    head = HeadRotation(pose)
  }

  /// `direct`, the filters of a loudspeaker in `direction` of the room, with its reflections.
  func adding(to direct: HRIRDesigner.Pair, _ direction: Direction) -> HRIRDesigner.Pair {
    var sum = direct
    for reflection in shoebox.reflections(from: direction) {
      let delay = reflection.delay(rate: rate)
      let whole = Int(delay.rounded(.down))
      let pair = designer.pair(
        at: head.place(of: reflection.place), delayedBy: delay - Double(whole))
      add(reflection.filtered(pair.left, rate: rate), at: whole, to: &sum.left)
      add(reflection.filtered(pair.right, rate: rate), at: whole, to: &sum.right)
    }
    return sum
  }

  private func add(_ taps: [Double], at start: Int, to sum: inout [Double]) {
    let missing = start + taps.count - sum.count
    if missing > 0 { sum += [Double](repeating: 0, count: missing) }
    for (index, tap) in taps.enumerated() { sum[start + index] += tap }
  }
}
