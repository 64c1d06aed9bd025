import LibAV

/// What objects send past their voices within one hop: samples straight to the ears, to the low-pass, and
/// to the directions of the diffuse bus.
final class HopLanes {
  private let hop: Int
  private let floats: AlignedFloats
  /// Samples for the diffuse bus, once something is diffuse.
  private var feeds: AlignedFloats?

  /// Lanes of `hop` samples.
  init(hop: Int) {
    self.hop = hop
    floats = AlignedFloats(count: 3 * hop)
  }

  /// Samples for the low-pass.
  var bass: UnsafeMutablePointer<Float> { floats.base }

  /// Samples for an ear, 0 or 1.
  func straight(_ ear: Int) -> UnsafeMutablePointer<Float> { floats.base + (1 + ear) * hop }

  /// Samples for a direction of the diffuse bus.
  func diffuse(_ direction: Int) -> UnsafeMutablePointer<Float> {
    if let feeds { return feeds.base + direction * hop }
    let made = AlignedFloats(count: DiffuseDirections.all.count * hop)
    feeds = made
    return made.base + direction * hop
  }

  /// Whether anything was ever diffuse.
  var hasDiffuse: Bool { feeds != nil }

  /// Silences all lanes.
  func clear() {
    floats.base.update(repeating: 0, count: floats.count)
    if let feeds { feeds.base.update(repeating: 0, count: feeds.count) }
  }
}
