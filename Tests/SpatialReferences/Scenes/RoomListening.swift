// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal
import TestSupport

@testable import Spatial

/// The reflections of one source in a room worked out the slow way, each by itself: image sources from
/// mirrored positions, delays and surfaces as phases and gains of each bin, and the head's responses.
struct RoomListening {
  /// Points of the spectra.
  static let points = 16384
  /// Bins of the left and the right ear, time 0 at the frontal onset of the direct sound.
  let ears: [Spectrum]

  private static let rate = 48000.0

  /// The reflections, of a source towards `place` of the room, that a head in `pose` hears.
  init(
    _ room: RoomModel, _ place: SIMD3<Double>, _ designer: HRIRDesigner, pose: HeadPose = .ahead
  ) {
    let fft = DoubleFFT(length: RoomListening.points)
    var ears = (0..<2).map { _ in Spectrum(count: RoomListening.points / 2 + 1) }
    for image in RoomListening.images(room, place) {
      let seen = HeadRotation(pose).place(of: image.unit)
      let pair = designer.pair(at: seen)
      for (ear, taps) in [pair.left, pair.right].enumerated() {
        var spectrum = Render.spectrum(taps, fft)
        spectrum.shift(by: image.delay - Double(designer.lead))
        for bin in spectrum.re.indices {
          var value = Complex(spectrum.re[bin], spectrum.im[bin]) * Complex(image.gain, 0)
          for surface in image.surfaces {
            value = value * RoomListening.response(surface, bin: bin)
          }
          ears[ear].re[bin] += value.re
          ears[ear].im[bin] += value.im
        }
      }
    }
    self.ears = ears
  }

  /// A one-pole shelf at a bin, from its difference equation.
  private static func response(_ surface: Surface, bin: Int) -> Complex {
    let angle = 2 * Double.pi * Double(bin) / Double(points)
    let pole = exp(-2 * .pi * Surface.corner / rate)
    let (re, im) = (1 - pole * cos(angle), pole * sin(angle))
    let scale = (1 - pole) / (re * re + im * im)
    let low = (1 - surface.lowAbsorption).squareRoot()
    let high = (1 - surface.highAbsorption).squareRoot()
    return Complex(high + (low - high) * scale * re, -(low - high) * scale * im)
  }

  private struct Image {
    var unit: SIMD3<Double>
    var delay: Double
    var gain: Double
    var surfaces: [Surface]
  }

  /// Images by mirroring at one plane, and at a second one.
  private static func images(_ room: RoomModel, _ place: SIMD3<Double>) -> [Image] {
    let box = room.shoebox
    var reach = box.distance
    for axis in 0..<3 where place[axis] != 0 {
      let wall = place[axis] > 0 ? box.size[axis] - 0.3 : 0.3
      reach = min(reach, (wall - box.listener[axis]) / place[axis])
    }
    let source = box.listener + place * reach
    let walls: [(axis: Int, at: Double, surface: Surface)] = [
      (0, 0, .curtain), (0, box.size.x, .curtain), (1, 0, .curtain), (1, box.size.y, .curtain),
      (2, 0, .carpet), (2, box.size.z, .tiles),
    ]
    func mirrored(_ point: SIMD3<Double>, _ wall: Int) -> SIMD3<Double> {
      var point = point
      point[walls[wall].axis] = 2 * walls[wall].at - point[walls[wall].axis]
      return point
    }
    var found: [(SIMD3<Double>, [Surface])] = []
    for one in walls.indices {
      found.append((mirrored(source, one), [walls[one].surface]))
      for two in walls.indices where two != one {
        // Walls at right angles give the same image in both orders.
        if walls[two].axis != walls[one].axis, two < one { continue }
        found.append(
          (mirrored(mirrored(source, one), two), [walls[one].surface, walls[two].surface]))
      }
    }
    return found.map { image, surfaces in
      let way = image - box.listener
      let length = (way.x * way.x + way.y * way.y + way.z * way.z).squareRoot()
      return Image(
        unit: way / length, delay: (length - reach) / 343 * rate, gain: reach / length,
        surfaces: surfaces)
    }
  }
}
