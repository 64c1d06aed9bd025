// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// Filters of a bed's channels under a moving head, laid out as those of ``ObjectFilters``.
///
/// A head at rest has the designer's own responses. While it moves, they are mixed from those of the four whole degrees of azimuth and
/// elevation around a direction. A degree moves the onset at an ear of an ordinary head by at most 4.5 µs; the mix
/// halfway is then 0.2 dB low at 16 kHz. A mix is as long as the responses, so that nothing of it wraps around in a
/// transform: sines under a turning head stay clean.
final class TurningFilters {
  private let designer: HRIRDesigner
  private let filters: ObjectFilters
  private var known: [Int: Buffer<Float>] = [:]

  /// Filters that may be kept, 64 MiB in all. At the limit all are dropped, which costs time but changes no output.
  private let limit: Int

  /// Filters of the responses of `designer` in the layout of `filters`.
  init(_ designer: HRIRDesigner, like filters: ObjectFilters) {
    self.designer = designer
    self.filters = filters
    limit = (64 << 20) / (4 * filters.stride * MemoryLayout<Float>.stride)
  }

  /// The filter of `voice`, a channel, as a head in the state `head` hears it at sample `time`.
  func filter(of voice: ObjectVoice, at time: Int, _ head: HeadState) -> VoiceFilter {
    let shape = voice.course.lastShape
    let place = HeadView.place(of: voice.course.place(at: Double(time)), head)
    let isExact = head.isResting
    if var filter = voice.filter, filter.place == place, filter.isExact == isExact {
      filter.time = time
      return filter
    }
    let planes: Buffer<Float>
    if isExact {
      planes = filters.makeFilter()
      filters.store(designer.pair(at: place), in: planes)
    } else {
      planes = voice.takeSpare()
      mix(at: place, into: planes)
    }
    return VoiceFilter(time: time, place: place, shape: shape, isExact: isExact, planes: planes)
  }

  private func mix(at place: SIMD3<Double>, into target: Buffer<Float>) {
    let corners = corners(of: place)
    let sources = corners.map { filter(azimuth: $0.azimuth, elevation: $0.elevation) }
    let weights = corners.map { Float($0.weight) }
    let (a, b, c, d) = (sources[0].base, sources[1].base, sources[2].base, sources[3].base)
    let (wa, wb, wc, wd) = (weights[0], weights[1], weights[2], weights[3])
    let to = target.base
    for index in 0..<target.count {
      to[index] = wa * a[index] + wb * b[index] + wc * c[index] + wd * d[index]
    }
  }

  /// The four whole degrees around `place`, with weights that sum to 1.
  private func corners(
    of place: SIMD3<Double>
  ) -> [(azimuth: Int, elevation: Int, weight: Double)] {
    let degrees = 180 / Double.pi
    let azimuth = atan2(place.y, place.x) * degrees
    let elevation = asin(min(1, max(-1, place.z))) * degrees
    let west = azimuth.rounded(.down)
    let south = min(89, elevation.rounded(.down))
    let across = azimuth - west
    let up = elevation - south
    return [
      (Int(west), Int(south), (1 - across) * (1 - up)),
      (Int(west) + 1, Int(south), across * (1 - up)),
      (Int(west), Int(south) + 1, (1 - across) * up),
      (Int(west) + 1, Int(south) + 1, across * up),
    ]
  }

  private func filter(azimuth: Int, elevation: Int) -> Buffer<Float> {
    // At the poles all azimuths are one direction.
    let turn = elevation.magnitude == 90 ? 0 : (azimuth + 540) % 360 - 180
    let key = (elevation + 90) * 360 + turn + 180
    if let found = known[key] { return found }
    let made = filters.makeFilter()
    filters.store(
      designer.pair(for: Direction(azimuth: Double(turn), elevation: Double(elevation))), in: made)
    if known.count >= limit { known.removeAll() }
    known[key] = made
    return made
  }
}
