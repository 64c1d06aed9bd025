import AudioCore

/// How an input is opened and decoded.
public struct InputOptions: Sendable {
  /// Which audio track.
  public var track = TrackChoice.automatic
  /// Layout to assume instead of what the file says (`--layout-in`).
  public var layout: ChannelLayout?
  /// Dynamic range control.
  public var dynamicRange = DynamicRange.off
  /// What to do with damaged packets.
  public var damage = DamagePolicy.fail
  /// Extra libav demuxer options.
  public var demuxerOptions: [String: String] = [:]

  /// Options with their defaults.
  public init() {}
}
