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

  /// What happens to what filters put before the first source sample.
  public enum FilterHead: String, Sendable, CaseIterable, Codable {
    /// Dropped: the output begins with the source.
    case trim
    /// Kept: the output begins earlier.
    case keep
  }

  /// Whether the input counts as virtualised already.
  public enum AlreadyVirtualized: String, Sendable, CaseIterable, Codable {
    /// It is if the file's own tag states it.
    case auto
    /// It is: never virtualise again.
    case yes
    /// It isn't, even if the file states it.
    case no
  }

  /// What the output is for.
  public var endpoint: Endpoint
  /// Layout that programmes with more channels are mixed down to where ``endpoint`` leaves channels as they are; those with
  /// as many or fewer stay. `nil` sets no limit.
  public var largestLayout: ChannelLayout?
  /// Loudness target; `nil` leaves the level alone.
  public var level: LoudnessTarget?
  /// Layout to which objects, beds and fields that are stored as they are are rendered to be measured, one of ITU-R BS.2051;
  /// `nil` for 5.1.4, as ITU-R BS.1770-5 renders them. Anything else is measured in its own channels.
  public var loudnessLayout: ChannelLayout?
  /// Whether a mono programme counts as two equal channels.
  public var isDualMono = false
  /// Output rate in Hz, 8000…384,000; `nil` keeps the source's.
  public var sampleRate: Int?
  /// What happens to what filters put before the first sample.
  public var filterHead = FilterHead.trim
  /// What happens to the filter tail.
  public var tail = Tail.trim
  /// How LFE channels are played.
  public var lfe = LFEPolicy.standard
  /// Which gains a downmix to stereo or mono uses.
  public var downmix = DownmixGains.standard
  /// Whether the input is virtualised already.
  public var alreadyVirtualized = AlreadyVirtualized.auto
  /// Processing of the user's own; at each point in this order.
  public var taps: [Tap] = []

  /// A rendition for `endpoint`, brought to `level`; by default −16 LKFS with peaks up to −1 dBTP.
  public init(
    _ endpoint: Endpoint = .headphones(), level: LoudnessTarget? = LoudnessTarget.standard
  ) {
    self.endpoint = endpoint
    self.level = level
  }
}
