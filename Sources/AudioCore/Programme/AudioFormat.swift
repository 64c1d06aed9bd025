/// Rate and layout of planar Float32 audio between stages.
public struct AudioFormat: Sendable, Hashable {
  /// Samples per second and channel.
  public var sampleRate: Int
  /// Speakers in channel order.
  public var layout: ChannelLayout

  /// A format from its rate (Hz) and layout.
  public init(sampleRate: Int, layout: ChannelLayout) {
    self.sampleRate = sampleRate
    self.layout = layout
  }

  /// Number of channels.
  public var channels: Int { layout.count }
}
