// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness
import MediaIn
import Spatial

/// The plan of a run, compiled from a ``RenderRequest`` once its input has been opened.
///
/// The plan is a value: a dry run prints it as JSON and stops there, and the runner does nothing that
/// isn't in it.
public struct RenderPlan: Sendable, Hashable, Codable {
  /// Version of the value's JSON.
  public static let version = 1

  /// The source of one clip's sound.
  public struct Source: Sendable, Hashable, Codable {
    /// The input, without user and password.
    public var path: String
    /// Name of the container.
    public var container: String
    /// Number of the stream in its container.
    public var stream: Int
    /// Name of the codec.
    public var codec: String
    /// The decoded sound: its rate, what its planes hold, and its properties.
    public var programme: Programme
    /// Start-up samples that are trimmed, according to the headers.
    public var priming: Int64
    /// Source of ``priming``; `nil` when it isn't known.
    public var primingSource: PrimingSource?
    /// Presentation time of the first output sample, in samples of the source.
    public var start: Int64
    /// Samples that the range asks for; `nil` without an end.
    public var length: Int64?
    /// Samples that will probably come out; `nil` when the input doesn't state it.
    public var expected: Int64?
  }

  /// The processing of the sound for one output.
  public struct Branch: Sendable, Hashable, Codable {
    /// The output's name.
    public var path: String
    /// Endpoint of the output.
    public var endpoint: Endpoint.Kind
    /// How its channels are made.
    public var renderer: RendererPlan
    /// Whether what filters put before the first sample is kept.
    public var keepsHead: Bool
    /// Whether the filter tail is kept.
    public var keepsTail: Bool
    /// The user's own processing, in the order in which the sound passes it.
    public var taps: [PlannedTap]
    /// Output rate in Hz; `nil` keeps the source's.
    public var rate: Int?
    /// Samples of silence in front of what is rendered.
    public var lead: Int64
    /// Loudness target; `nil` leaves the level alone.
    public var level: LoudnessTarget?
    /// Loudness that the input states; `nil` where it states nothing that can be used for this output.
    public var stated: StatedLevel?
    /// Whether a mono programme counts as two equal channels.
    public var isDualMono: Bool
    /// Whether a downmix uses the standard's gains or the programme's own.
    public var downmix: DownmixGains
    /// Name of the HRTF set; `nil` when nothing is virtualised.
    public var hrtfID: String?
    /// Container of the sound.
    public var container: Container
    /// The files that are written, except those whose names depend on the input's content.
    public var files: [String]
  }

  /// One source for each clip.
  public var sources: [Source]
  /// One branch for each output.
  public var branches: [Branch]
}

/// How the sound of one output is made of the programme's channels.
public enum RendererPlan: Sendable, Hashable, Codable {
  /// A passive mix to a layout.
  public struct Mix: Sendable, Hashable, Codable {
    /// The layout that comes out.
    public var layout: ChannelLayout
    /// `standard`, or the form of the programme's own mix.
    public var method: String
    /// Source of the gains: the standard, or the part of the bitstream by its name there.
    public var source: String
    /// The gains.
    public var options: DownmixOptions
  }

  /// The channels pass as they are; the programme may have been virtualised before.
  case passThrough(Virtualization?)
  /// A passive mix.
  case mix(Mix)
  /// Binaural for headphones; LFE channels are played at this level in dB, or dropped.
  case binaural(Listener, lfeGainDB: Double?)
  /// Two loudspeakers; LFE channels are played at this level in dB, or dropped.
  case speakers(SpeakerPair, lfeGainDB: Double?)
  /// Objects and sound fields for the loudspeakers of a layout (ITU-R BS.2127).
  case loudspeakers(ChannelLayout)

  /// Beds, objects and sound fields stay as they are; their level is that of a rendering to this layout.
  case kept(measuredIn: ChannelLayout)

  /// Virtualisation of the output, by this renderer or before.
  public var virtualization: Virtualization? {
    switch self {
    case .passThrough(let before): return before
    case .mix, .loudspeakers, .kept: return nil
    case .binaural: return .binaural
    case .speakers: return .speakers
    }
  }

  /// The layout that comes out; `nil` where planes stay as they are.
  var layout: ChannelLayout? {
    switch self {
    case .passThrough, .kept: return nil
    case .mix(let mix): return mix.layout
    case .loudspeakers(let layout): return layout
    case .binaural, .speakers: return .stereo
    }
  }

  /// The layout in which the level of what stays as it is is measured; `nil` for anything else.
  var levelLayout: ChannelLayout? {
    if case .kept(let layout) = self { return layout }
    return nil
  }

  /// Angle between the two loudspeakers that it virtualises for, in degrees; `nil` for anything else.
  var speakerSpan: Double? {
    switch self {
    case .speakers(let pair, _): return pair.span
    case .passThrough, .mix, .binaural, .loudspeakers, .kept: return nil
    }
  }

  /// The listener with headphones whom it virtualises for; `nil` for anything else.
  var listener: Listener? {
    switch self {
    case .binaural(let listener, _): return listener
    case .passThrough, .mix, .speakers, .loudspeakers, .kept: return nil
    }
  }

  /// Level in dB at which it plays LFE channels through others; `nil` where it doesn't.
  var lfeGainDB: Double? {
    switch self {
    case .binaural(_, let gain), .speakers(_, let gain): return gain
    case .mix(let mix):
      return mix.layout.speakers.contains(where: \.isLFE) ? nil : mix.options.lfeGainDB
    case .passThrough, .loudspeakers, .kept: return nil
    }
  }

  /// Method of its downmix, as reports name it; `nil` when nothing is mixed.
  var downmixMethod: String? {
    if case .mix(let mix) = self { return mix.method }
    return nil
  }

  /// Whether this renderer virtualises.
  public var virtualizes: Bool {
    switch self {
    case .binaural, .speakers: return true
    case .passThrough, .mix, .loudspeakers, .kept: return false
    }
  }
}
