import AudioCore

/// Brings the channels of a sound field to the planes of a programme: ACN order, SN3D (ITU-R BS.2076-2, 10.1).
struct FieldPlanes {
  /// The order of the planes.
  private let swaps: PlaneSwaps
  /// What each plane is multiplied by once it is in its place.
  private let gains: [Float]

  /// Exchanges and gains for the channels of a sound field.
  init(_ channels: FieldChannels) {
    let field = channels.field
    let normalization = field.convention.normalization
    gains = (0...field.order).flatMap { order in
      (-order...order).map { Float(1 / normalization.factor(order: order, degree: $0)) }
    }
    let held = channels.components
    swaps = PlaneSwaps(held.indices.compactMap { held.firstIndex(of: $0) })
  }

  /// Brings the frames of `buffer` from `start` on to ACN order and SN3D.
  func arrange(_ buffer: AudioBuffer, from start: Int) {
    let count = buffer.frames - start
    swaps.apply(to: buffer, from: start)
    for (plane, gain) in gains.enumerated() where gain != 1 {
      guard let samples = buffer.channel(plane).baseAddress else { continue }
      for index in start..<start + count { samples[index] *= gain }
    }
  }
}
