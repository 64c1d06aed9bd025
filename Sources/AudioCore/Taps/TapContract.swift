/// What a tap states about itself; asked once, after `prepare`.
public struct TapContract: Sendable, Hashable {
  /// How many samples a tap gets at a time. Blocks are counted from sample 0 of its point, so that they don't
  /// depend on how the pipeline cuts the sound.
  public enum Blocks: Sendable, Hashable, Codable {
    /// Any number; the output bits don't depend on it.
    case any
    /// Always this number; the last block is filled up with silence, and what comes of that is cut.
    case fixed(Int)
    /// This number; only the last block is shorter.
    case atMost(Int)

    /// The number; `nil` for any.
    package var size: Int? {
      switch self {
      case .any: return nil
      case .fixed(let size), .atMost(let size): return size
      }
    }
  }

  /// How much of the past the output depends on.
  public enum Memory: Sendable, Hashable, Codable {
    /// On the same sample only.
    case none
    /// On this many samples before.
    case finite(Int)
    /// On everything before.
    case unbounded
  }

  /// How many samples it gets at a time.
  public var blocks = Blocks.any
  /// How much of the past its output depends on.
  public var memory = Memory.unbounded
  /// Whether equal input gives equal output bits in every run.
  public var isDeterministic = true
  /// Whether `finish` appends nothing, so that latency and tail come out only when silence follows the
  /// sound. The host sends that silence then.
  public var needsSilence = false
  /// Whether it may give more than its input, latency and tail come to, which is cut.
  public var maySoundOn = false

  /// A contract for any block size, whose output is the same in every run and depends on everything before.
  public init() {}
}
