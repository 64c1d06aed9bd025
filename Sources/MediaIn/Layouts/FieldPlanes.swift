import AudioCore

/// Brings the channels of a sound field to the planes of a programme: ACN order, SN3D (ITU-R BS.2076-2, 10.1).
struct FieldPlanes {
  /// Planes that change places, one pair after the other.
  private var swaps: [(Int, Int)] = []
  /// What each plane is multiplied by once it is in its place.
  private let gains: [Float]

  /// What the channels of `field` need.
  init(_ field: FieldInput) {
    let normalization = field.convention.normalization
    gains = (0...field.order).flatMap { order in
      (-order...order).map { Float(1 / normalization.factor(order: order, degree: $0)) }
    }
    guard field.convention == .fuMa else { return }
    var held = Array(SceneNormalization.furseMalhamOrder.prefix(field.channels))
    for place in held.indices {
      guard let other = held[place...].firstIndex(of: place), other != place else { continue }
      swaps.append((place, other))
      held.swapAt(place, other)
    }
  }

  /// Brings the frames of `buffer` from `start` on to ACN order and SN3D.
  func arrange(_ buffer: AudioBuffer, from start: Int) {
    let count = buffer.frames - start
    for (one, other) in swaps {
      guard let first = buffer.channel(one).baseAddress,
        let second = buffer.channel(other).baseAddress
      else { continue }
      for index in start..<start + count {
        (first[index], second[index]) = (second[index], first[index])
      }
    }
    for (plane, gain) in gains.enumerated() where gain != 1 {
      guard let samples = buffer.channel(plane).baseAddress else { continue }
      for index in start..<start + count { samples[index] *= gain }
    }
  }
}
