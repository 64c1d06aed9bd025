import Platform

/// The gain of a fade or crossfade over its length; its raw value is the word in queue files.
public enum FadeCurve: String, Sendable, Codable, CaseIterable {
  /// Quarter of a sine: both sides of a crossfade have constant power together. For sounds that have
  /// nothing in common.
  case equalPower = "equal-power"
  /// Straight line: both sides have the constant sum 1. For sounds that are alike.
  case equalGain = "equal-gain"
  /// Straight line in decibels from −60 dB on; the beginning itself is silent.
  case linearDecibels = "linear-db"

  /// Decibels below full gain in which a line in decibels begins.
  static let depth = 60.0

  /// Gain of what comes in at sample `index`, 0…`length`, of a fade of `length` samples: exactly 0 at the
  /// beginning and 1 at `length`, the first sample behind the fade. A function of the index alone, so that
  /// it doesn't depend on blocks; indices outside take the value of the nearer end.
  public func rising(at index: Int64, of length: Int64) -> Double {
    // A fade of no samples is over at once.
    guard length > 0, index < length else { return 1 }
    guard index > 0 else { return 0 }
    let part = Double(index) / Double(length)
    switch self {
    case .equalPower: return sin(part * (Double.pi / 2))
    case .equalGain: return part
    case .linearDecibels: return pow(10, (part - 1) * FadeCurve.depth / 20)
    }
  }

  /// Gain of what goes out at sample `index`, 0…`length`: ``rising(at:of:)`` mirrored, exactly 1 at the
  /// beginning and 0 at `length`.
  public func falling(at index: Int64, of length: Int64) -> Double {
    // A mirrored sine instead of a cosine, which isn't exactly 0 at the end. A fade of no samples is over.
    length > 0 ? rising(at: length - index, of: length) : 0
  }
}

/// The gain of an item over its samples in the programme: level, and a fade at each end.
package struct ItemEnvelope: Sendable, Hashable, Codable {
  /// One end's fade in samples of the programme.
  package struct Edge: Sendable, Hashable, Codable {
    /// Length in samples, at least 0.
    package var frames: Int64 = 0
    /// The curve.
    package var curve = FadeCurve.equalPower

    /// A fade of `frames` samples; without arguments none.
    package init(frames: Int64 = 0, curve: FadeCurve = .equalPower) {
      self.frames = frames
      self.curve = frames == 0 ? .equalPower : curve
    }
  }

  /// Length of the item in samples.
  package var frames: Int64
  /// Gain in decibels.
  package var decibels: Double = 0
  /// The fade or crossfade at the beginning.
  package var rise = Edge()
  /// The fade or crossfade at the end.
  package var fall = Edge()

  /// The linear gain at sample `index` of the item. What a filter puts before the item takes the first
  /// sample's gain, and its tail the last one's.
  package func gain(at index: Int64) -> Double {
    let inside = max(0, min(index, frames - 1))
    let level = decibels == 0 ? 1 : pow(10, decibels / 20)
    let rising = rise.curve.rising(at: inside, of: rise.frames)
    let falling =
      fall.frames == 0
      ? 1 : fall.curve.falling(at: inside - (frames - fall.frames), of: fall.frames)
    return level * rising * falling
  }
}
