// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

@testable import Spatial

/// Rooms by all of their images.
enum AllImages {
  /// Energy per second of all images off one and more surfaces at `frequency` Hz in windows of `width` seconds, mean
  /// over loudspeakers at `azimuths`, by the formula of Allen and Berkley (1979), equation 8.
  static func energy(
    _ room: RoomModel, _ frequency: Double, azimuths: [Double], width: Double, windows: Int,
    from least: Int
  ) -> [Double] {
    let box = room.shoebox
    let absorption = Shoebox.surfaces.map { low, high in
      [low.reflectance(at: frequency, rate: 48000), high.reflectance(at: frequency, rate: 48000)]
    }
    var sums = [Double](repeating: 0, count: windows)
    let most = (0..<3).map { Int(width * Double(windows) * 343 / box.size[$0] / 2) + 2 }
    for azimuth in azimuths {
      let source =
        box.listener + box.distance * UnitVector.of(Direction(azimuth: azimuth))
      for m in -most[0]...most[0] {
        for n in -most[1]...most[1] {
          for l in -most[2]...most[2] {
            for mirror in 0..<8 {
              let cell = [m, n, l]
              var (square, energy, order) = (0.0, 1.0, 0)
              for axis in 0..<3 {
                let q = mirror >> axis & 1
                let place =
                  Double(1 - 2 * q) * source[axis] + 2 * Double(cell[axis]) * box.size[axis]
                square += pow(place - box.listener[axis], 2)
                energy *=
                  pow(absorption[axis][0], Double(abs(cell[axis] - q)))
                  * pow(absorption[axis][1], Double(abs(cell[axis])))
                order += abs(cell[axis] - q) + abs(cell[axis])
              }
              let window = Int((square.squareRoot() - box.distance) / 343 / width)
              guard order >= least, window < windows else { continue }
              sums[window] +=
                energy * box.distance * box.distance / square / Double(azimuths.count)
            }
          }
        }
      }
    }
    return sums
  }

  /// The room's part alone at an ear, from the direct sound on: `wet` less `dry`, and the late responses with their
  /// gains from `start` on.
  static func reflections(
    _ wet: [Double], _ dry: [Double], _ late: [[Double]], _ gains: [Double], start: Int,
    latency: Int
  ) -> [Double] {
    var sum = wet
    for tap in dry.indices { sum[tap] -= dry[tap] }
    for (response, gain) in zip(late, gains) {
      for tap in response.indices { sum[start + tap] += gain * response[tap] }
    }
    return Array(sum.dropFirst(latency))
  }
}
