import AudioCore

/// How an input is opened and decoded.
public struct InputOptions: Sendable, Hashable, Codable {
  /// Which audio track.
  public var track = TrackChoice.automatic
  /// Layout to assume instead of what the file says (`--layout-in`).
  public var layout: ChannelLayout?
  /// Dynamic range control.
  public var dynamicRange = DynamicRange.off
  /// Which presentation of AC-4: its id, else its index from 0; `nil` takes the first that can be
  /// decoded.
  public var presentation: Int?
  /// Gain of dialogue in AC-4, dB, 0…12.
  public var dialogueGain = 0.0
  /// What to do with damaged packets.
  public var damage = DamagePolicy.fail
  /// What the input may reach.
  public var bounds = InputBounds()
  /// Extra libav demuxer options.
  public var demuxerOptions: [String: String] = [:]

  /// Options with their defaults.
  public init() {}
}
