// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CKernels
import Platform
import Signal

/// Gives voices their filters: mixed ones while they move, and the designer's own once they rest.
final class VoiceFilters {
  private let filters: ObjectFilters
  private let channels: TurningFilters
  private let wide: WideFilters
  private let part: Buffer<Float>

  /// Hops for which a voice rests before it gets exact filters, 0.2 s: they take a hundred times as
  /// long to make.
  private static let patience = 32

  /// Tap of the frontal onset.
  let lead: Int
  /// Bins of a half spectrum.
  var bins: Int { filters.bins }
  /// Floats from plane to plane.
  var stride: Int { filters.stride }

  /// Filters of objects, and of channels of beds by the responses of `designer`.
  init(_ filters: ObjectFilters, channels designer: HRIRDesigner) {
    self.filters = filters
    channels = TurningFilters(designer, like: filters)
    lead = designer.lead
    wide = WideFilters(filters)
    part = filters.makeFilter()
  }

  /// Room for a filter.
  func makeFilter() -> Buffer<Float> { filters.makeFilter() }

  /// The filters at the start and the end of the hop that begins at sample `start`; the same object for
  /// both while the voice rests. Filters count from when a sound is heard, ``lead`` samples later than
  /// its sample.
  func filters(
    of voice: ObjectVoice, start: Int, hop: Int, head: (HeadState, HeadState)
  ) -> (Buffer<Float>, Buffer<Float>) {
    let (first, last) = (start - lead, start + hop - lead)
    // Most voices rest most of the time.
    if let planes = voice.restingFilter(from: first, to: last, head: head) {
      return (planes, planes)
    }
    let old = oldFilter(of: voice, at: first, head.0)
    let new = filter(of: voice, at: last, head.1, mayImprove: true)
    voice.filter = new
    voice.isNewCourse = false
    if old.planes === new.planes { voice.restingHops += 1 } else { voice.restingHops = 0 }
    return (old.planes, new.planes)
  }

  /// The filter at the start of a hop: where the voice was heard in the hop before, that of its end.
  private func oldFilter(of voice: ObjectVoice, at time: Int, _ head: HeadState) -> VoiceFilter {
    if let last = voice.filter, last.time == time { return last }
    let made = filter(of: voice, at: time, head, mayImprove: false)
    voice.filter = made
    return made
  }

  private func filter(
    of voice: ObjectVoice, at time: Int, _ head: HeadState, mayImprove: Bool
  ) -> VoiceFilter {
    if voice.isChannel { return channels.filter(of: voice, at: time, head) }
    let shape = voice.course.shape(at: Double(time))
    let room = voice.course.place(at: Double(time))
    let place = shape.isHeadLocked ? room : HeadView.place(of: room, head)
    let isWorthIt: Bool
    if var filter = voice.filter {
      let isSame = filter.place == place && filter.shape == shape
      isWorthIt = isSame && mayImprove && voice.restingHops >= VoiceFilters.patience
      if isSame, filter.isExact || !shape.isPoint || !isWorthIt {
        filter.time = time
        return filter
      }
    } else {
      isWorthIt = voice.startsExact
    }
    if shape.isPoint, isWorthIt || filters.knows(place) {
      return VoiceFilter(
        time: time, place: place, shape: shape, isExact: true,
        planes: filters.exactFilter(at: place))
    }
    return VoiceFilter(
      time: time, place: place, shape: shape, isExact: false,
      planes: made(at: place, shape, for: voice))
  }

  /// A filter that isn't exact: one that is kept, or one in the room of `voice`.
  private func made(
    at place: SIMD3<Double>, _ shape: VoiceShape, for voice: ObjectVoice
  ) -> Buffer<Float> {
    let isWhole = (shape.divergence?.value ?? 0) <= 0
    if isWhole, shape.isWide {
      return wide.filter(at: place, width: shape.width, height: shape.height)
    }
    let target = voice.takeSpare()
    mix(at: place, shape, into: target)
    return target
  }

  private func mix(at place: SIMD3<Double>, _ shape: VoiceShape, into target: Buffer<Float>) {
    let parts = ObjectDivergence.parts(
      shape.divergence, at: RoomGeometry.point(of: place), isCartesian: false)
    guard parts.count > 1 else { return mixOne(at: place, shape, into: target) }
    target.base.update(repeating: 0, count: target.count)
    for (power, point) in parts {
      mixOne(at: RoomGeometry.place(of: point), shape, into: part)
      let gain = Float(power.squareRoot())
      for index in 0..<target.count { target.base[index] += gain * part.base[index] }
    }
  }

  private func mixOne(at place: SIMD3<Double>, _ shape: VoiceShape, into target: Buffer<Float>) {
    if shape.isWide {
      let made = wide.filter(at: place, width: shape.width, height: shape.height)
      target.base.update(from: made.base, count: target.count)
    } else {
      filters.mix(at: place, into: target)
    }
  }
}

/// A voice's filters at one moment, and what they were made for.
struct VoiceFilter {
  /// The sample that they were asked for.
  var time: Int
  /// Direction of the voice, seen from the head.
  var place: SIMD3<Double>
  /// The rest of what they depend on.
  var shape: VoiceShape
  /// Whether they are the designer's own responses.
  var isExact: Bool
  /// The filters.
  var planes: Buffer<Float>
}

/// Filters of objects that have a size: the mean power of all directions in them, with the phase of their
/// aligned sum and their mean onset. A plain sum of responses would be coloured by their delays.
///
/// Places and sizes are rounded to 2° and 5°: within a hop, output fades from one filter to the next.
final class WideFilters {
  private struct Key: Hashable {
    var azimuth: Int
    var elevation: Int
    var width: Int
    var height: Int
  }

  /// The aligned filter of a direction and its onsets.
  private struct Entry {
    var planes: Buffer<Float>
    var onsets: SIMD2<Double>
  }

  private let filters: ObjectFilters
  private let places: [SIMD3<Double>]
  private var entries: [Int: Entry] = [:]
  private var known: [Key: Buffer<Float>] = [:]
  private let term: Buffer<Float>

  /// Filters that are kept; all are dropped at the limit, which costs time but changes no output.
  private static let limit = 2048

  /// Filters of the responses of `filters`.
  init(_ filters: ObjectFilters) {
    self.filters = filters
    let left = UnitVector.lattice(400).filter { $0.y > 0 }
    places = left + left.map { $0 * SIMD3(1, -1, 1) }
    term = AlignedTerm.make(stride: filters.stride)
  }

  /// The filter for an object at `place` of this size, in degrees: the same object for places and sizes that
  /// are rounded to the same.
  func filter(at place: SIMD3<Double>, width: Double, height: Double) -> Buffer<Float> {
    let direction = UnitVector.direction(of: place)
    let key = Key(
      azimuth: Int((direction.azimuth / 2).rounded()),
      elevation: Int((direction.elevation / 2).rounded()), width: Int((width / 5).rounded()),
      height: Int((height / 5).rounded()))
    if let found = known[key] { return found }
    let made = make(key)
    if known.count >= WideFilters.limit { known.removeAll() }
    known[key] = made
    return made
  }

  private func make(_ key: Key) -> Buffer<Float> {
    let shape = SpreadShape(
      at: RoomGeometry.point(
        azimuth: Double(2 * key.azimuth), elevation: Double(2 * key.elevation)),
      width: Double(max(5, 5 * key.width)), height: Double(max(5, 5 * key.height)))
    let all = places.map { shape.weight(RoomGeometry.point(of: $0)) }
    let sum = all.reduce(0, +)
    term.base.update(repeating: 0, count: term.count)
    var onsets = SIMD2<Double>(repeating: 0)
    for (index, weight) in all.enumerated() where weight > 0 {
      let entry = entry(index)
      onsets += weight / sum * entry.onsets
      for ear in 0..<2 {
        cc_add_power(
          filters.bins, filters.stride, Float(weight / sum),
          entry.planes.base + 2 * ear * filters.stride, term.base + 3 * ear * filters.stride)
      }
    }
    for ear in 0..<2 {
      let level = term.base + 3 * ear * filters.stride + AlignedTerm.level
      for bin in 0..<filters.bins {
        let place = AlignedTerm.place(of: bin)
        level[place] = 0.5 * log2(max(1e-24, level[place]))
      }
    }
    let made = filters.makeFilter()
    filters.finish(term, onsets: onsets, into: made)
    return made
  }

  private func entry(_ index: Int) -> Entry {
    if let found = entries[index] { return found }
    let planes = filters.makeFilter()
    let made = Entry(planes: planes, onsets: filters.mixAligned(at: places[index], into: planes))
    entries[index] = made
    return made
  }
}
