import LibAV

/// What objects send past their voices within one step: samples straight to the ears, to the low-pass, and
/// to the directions of the diffuse bus.
final class StepLanes {
  private let frames: Int
  private let floats: AlignedFloats
  /// Samples for the diffuse bus, once something is diffuse.
  private var feeds: AlignedFloats?

  /// Lanes of `frames` samples.
  init(frames: Int) {
    self.frames = frames
    floats = AlignedFloats(count: 3 * frames)
  }

  /// Samples for the low-pass.
  var bass: UnsafeMutablePointer<Float> { floats.base }

  /// Samples for an ear, 0 or 1.
  func straight(_ ear: Int) -> UnsafeMutablePointer<Float> { floats.base + (1 + ear) * frames }

  /// Samples for a direction of the diffuse bus.
  func diffuse(_ direction: Int) -> UnsafeMutablePointer<Float> {
    if let feeds { return feeds.base + direction * frames }
    let made = AlignedFloats(count: DiffuseDirections.all.count * frames)
    feeds = made
    return made.base + direction * frames
  }

  /// Whether anything was ever diffuse.
  var hasDiffuse: Bool { feeds != nil }

  /// Silences all lanes.
  func clear() {
    floats.base.update(repeating: 0, count: floats.count)
    if let feeds { feeds.base.update(repeating: 0, count: feeds.count) }
  }
}
