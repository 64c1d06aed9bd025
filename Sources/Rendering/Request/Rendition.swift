import AudioCore
import Loudness

/// How the sound of one output is made.
public struct Rendition: Sendable, Hashable, Codable {
  /// What happens to the filter tail beyond the last source sample.
  public enum Tail: String, Sendable, CaseIterable, Codable {
    /// Dropped: output length = source length.
    case trim
    /// Kept: the output is longer by the tail.
    case keep
  }

  /// Whether the input counts as virtualised already.
  public enum AlreadyVirtualized: String, Sendable, CaseIterable, Codable {
    /// As the file's own tag says.
    case auto
    /// It is: never virtualise again.
    case yes
    /// It isn't, whatever the file says.
    case no
  }

  /// What the output is for.
  public var endpoint: Endpoint
  /// Loudness target; `nil` leaves the level alone.
  public var level: LoudnessTarget?
  /// Whether a mono programme counts as two equal channels.
  public var isDualMono = false
  /// Output rate in Hz; `nil` keeps the source's.
  public var sampleRate: Int?
  /// The filter tail.
  public var tail = Tail.trim
  /// What becomes of LFE channels.
  public var lfe = LFEPolicy.standard
  /// Whose gains a downmix to stereo or mono has.
  public var downmix = DownmixGains.standard
  /// Whether the input is virtualised already.
  public var alreadyVirtualized = AlreadyVirtualized.auto

  /// A rendition for `endpoint`, brought to `level`; by default −16 LKFS with peaks up to −1 dBTP.
  public init(
    _ endpoint: Endpoint = .headphones(), level: LoudnessTarget? = LoudnessTarget.standard
  ) {
    self.endpoint = endpoint
    self.level = level
  }
}
