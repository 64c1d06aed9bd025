/// Where a voice is at any time and how it is shaped, one leg after the other.
///
/// A leg holds from its own sample on. Filters ask for times shortly before the latest sample, so that the
/// leg before still counts for a while.
struct VoiceCourse {
  /// A path with a change of shape.
  struct Leg {
    /// The sample from which the leg holds.
    var time: Double
    /// The places.
    var path: VoicePath
    /// The shape before and after ``fade``.
    var shape: (from: VoiceShape, to: VoiceShape)
    /// When the shape changes.
    var fade = Fade.done
  }

  /// At first one that holds for ever; legs that are appended have another before them.
  private var legs: [Leg]

  /// A voice that always was at one place.
  init(_ place: SIMD3<Double>, _ shape: VoiceShape) {
    legs = [Leg(time: -.infinity, path: VoicePath(place), shape: (shape, shape))]
  }

  /// Whether place and shape never change.
  var isResting: Bool { legs.count == 1 }

  /// The shape in which the last leg ends.
  var lastShape: VoiceShape { legs[legs.count - 1].shape.to }

  /// Appends a leg, which is the latest; legs that were over `before` its time are forgotten.
  mutating func append(_ leg: Leg, keeping before: Double) {
    if let first = legs.lastIndex(where: { $0.time <= leg.time - before }), first > 0 {
      legs.removeFirst(first)
    }
    legs.append(leg)
  }

  /// The place at sample `time`.
  func place(at time: Double) -> SIMD3<Double> { legs[index(at: time)].path.place(at: time) }

  /// The shape at sample `time`.
  func shape(at time: Double) -> VoiceShape {
    let index = index(at: time)
    let part = legs[index].fade.part(at: time)
    let (from, to) = legs[index].shape
    return part >= 1 ? to : from.moved(to: to, by: part)
  }

  private func index(at time: Double) -> Int {
    var index = legs.count - 1
    while index > 0, legs[index].time > time { index -= 1 }
    return index
  }
}
