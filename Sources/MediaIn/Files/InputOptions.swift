import AudioCore

/// How an input is opened and decoded.
public struct InputOptions: Sendable, Hashable, Codable {
  /// Which audio track is read.
  public var track = TrackChoice.automatic
  /// Loudspeakers of the track's channels in the order in which they lie there, instead of what the file says (`--layout-in`); as
  /// many as the track has channels. `nil` believes the file.
  public var order: ChannelOrder?
  /// The layout of ``order``; one that is given stands for its channels in mask order.
  public var layout: ChannelLayout? {
    get { order?.layout }
    set { order = newValue.map(ChannelOrder.init) }
  }
  /// Sound field that the track's channels are (`--layout-in ambix3`); it must have as many channels as the
  /// track. `nil` believes the file. Never together with ``layout``.
  public var field: FieldInput?
  /// Dynamic range control.
  public var dynamicRange = DynamicRange.off
  /// Which presentation of AC-4 or mix of IAMF is played; `nil` takes the first presentation that can be decoded, or
  /// the first mix that states its loudness for the most loudspeakers.
  public var presentation: PresentationChoice?
  /// Gain of dialogue in AC-4, dB, 0…12.
  public var dialogueGain = 0.0
  /// What is done with audio objects.
  public var objects = ObjectOptions()
  /// What to do with damaged packets.
  public var damage = DamagePolicy.fail
  /// Limits on what the input may open.
  public var bounds = InputBounds()
  /// Further options for libavformat's demuxer, by name.
  public var demuxerOptions: [String: String] = [:]

  /// What the input is played on, which the outputs of a job decide; no part of a request.
  package var playback = PlaybackLayout.all

  /// Whether it must be known to which loudspeakers the channels belong, which the outputs of a job decide; no part of a
  /// request.
  package var needsPlaces = true

  private enum CodingKeys: String, CodingKey {
    case order = "layout"
    case track, field, dynamicRange, presentation, dialogueGain, objects, damage,
      bounds
    case demuxerOptions
  }

  /// Whether the channels are to be read as they are named here or by the header, whatever objects a file
  /// describes.
  var asksForChannels: Bool { objects.use == .bed || order != nil || field != nil }

  /// Options with their defaults.
  public init() {}
}
