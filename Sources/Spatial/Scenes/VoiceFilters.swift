import LibAV
import Platform

/// Gives voices their filters: mixed ones while they move, and the designer's own once they rest.
final class VoiceFilters {
  private let filters: ObjectFilters
  private let wide: WideFilters
  private let part: AlignedFloats

  /// Hops for which a voice rests before it gets exact filters, 0.2 s: they take a hundred times as
  /// long to make.
  private static let patience = 32

  /// Tap of the frontal onset.
  let lead: Int
  /// Bins of a half spectrum.
  var bins: Int { filters.bins }
  /// Floats from plane to plane.
  var stride: Int { filters.stride }

  /// Filters whose frontal onset lies at tap `lead`.
  init(_ filters: ObjectFilters, lead: Int) {
    self.filters = filters
    self.lead = lead
    wide = WideFilters(filters)
    part = filters.makeFilter()
  }

  /// Room for a filter.
  func makeFilter() -> AlignedFloats { filters.makeFilter() }

  /// The filters at the start and the end of the hop that begins at sample `start`; the same object for
  /// both while the voice rests. Filters count from when a sound is heard, ``lead`` samples later than
  /// its sample.
  func filters(
    of voice: ObjectVoice, start: Int, hop: Int, head: (HeadState, HeadState)
  ) -> (AlignedFloats, AlignedFloats) {
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
  ) -> AlignedFloats {
    let isWhole = (shape.divergence?.value ?? 0) <= 0
    if isWhole, shape.isWide {
      return wide.filter(at: place, width: shape.width, height: shape.height)
    }
    let target = voice.takeSpare()
    mix(at: place, shape, into: target)
    return target
  }

  private func mix(at place: SIMD3<Double>, _ shape: VoiceShape, into target: AlignedFloats) {
    let share = min(1, max(0, shape.divergence?.value ?? 0))
    guard share > 0, let range = shape.divergence?.range else {
      mixOne(at: place, shape, into: target)
      return
    }
    // ITU-R BS.2127-0, 7.3.7: powers x/(x+1) to both sides and (1−x)/(x+1) to the middle.
    let side = (share / (share + 1)).squareRoot()
    let middle = ((1 - share) / (share + 1)).squareRoot()
    target.base.update(repeating: 0, count: target.count)
    for (angle, gain) in [(range, side), (0, middle), (-range, side)] {
      mixOne(at: VoiceFilters.beside(place, by: angle), shape, into: part)
      let gain = Float(gain)
      for index in 0..<target.count { target.base[index] += gain * part.base[index] }
    }
  }

  private func mixOne(at place: SIMD3<Double>, _ shape: VoiceShape, into target: AlignedFloats) {
    if shape.isWide {
      let made = wide.filter(at: place, width: shape.width, height: shape.height)
      target.base.update(from: made.base, count: target.count)
    } else {
      filters.mix(at: place, into: target)
    }
  }

  /// The place `angle` degrees to the left of another, along the great circle that is level there.
  private static func beside(_ place: SIMD3<Double>, by angle: Double) -> SIMD3<Double> {
    let level = hypot(place.x, place.y)
    let left = level > 1e-9 ? SIMD3(-place.y / level, place.x / level, 0) : SIMD3(0, 1, 0)
    let turn = angle * .pi / 180
    var beside = place * cos(turn) + left * sin(turn)
    if beside.y.magnitude < 1e-9 { beside.y = 0 }
    return beside
  }
}
