import AudioCore
import Spatial

/// How the sound of one output is made of the programme's channels.
public enum RendererPlan: Sendable, Hashable, Codable {
  /// A passive mix to a layout.
  public struct Mix: Sendable, Hashable, Codable {
    /// The layout that comes out.
    public var layout: ChannelLayout
    /// `standard`, or the form of the programme's own mix.
    public var method: String
    /// Where the gains come from: the standard, or the part of the bitstream by its name there.
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
  /// Objects and sound fields, too, for headphones.
  case scene(Listener, lfeGainDB: Double?)
  /// Objects and sound fields, too, for two loudspeakers.
  case scenePair(SpeakerPair, lfeGainDB: Double?)
  /// Objects and sound fields for the loudspeakers of a layout (ITU-R BS.2127).
  case loudspeakers(ChannelLayout)

  /// Beds, objects and sound fields stay as they are; their level is that of a rendering to this layout.
  case kept(measuredIn: ChannelLayout)

  /// What the output is virtualised for, by this renderer or before.
  public var virtualization: Virtualization? {
    switch self {
    case .passThrough(let before): return before
    case .mix, .loudspeakers, .kept: return nil
    case .binaural, .scene: return .binaural
    case .speakers, .scenePair: return .speakers
    }
  }

  /// The layout that comes out; `nil` where planes stay as they are.
  var layout: ChannelLayout? {
    switch self {
    case .passThrough, .kept: return nil
    case .mix(let mix): return mix.layout
    case .loudspeakers(let layout): return layout
    case .binaural, .speakers, .scene, .scenePair: return .stereo
    }
  }

  /// Angle between the two loudspeakers that it virtualises for, in degrees; `nil` for anything else.
  var speakerSpan: Double? {
    switch self {
    case .speakers(let pair, _), .scenePair(let pair, _): return pair.span
    case .passThrough, .mix, .binaural, .scene, .loudspeakers, .kept: return nil
    }
  }

  /// The listener with headphones whom it virtualises for; `nil` for anything else.
  var listener: Listener? {
    switch self {
    case .binaural(let listener, _), .scene(let listener, _): return listener
    case .passThrough, .mix, .speakers, .scenePair, .loudspeakers, .kept: return nil
    }
  }

  /// Level in dB at which it plays LFE channels through others; `nil` where it doesn't.
  var lfeGainDB: Double? {
    switch self {
    case .binaural(_, let gain), .speakers(_, let gain), .scene(_, let gain),
      .scenePair(_, let gain):
      return gain
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
    case .binaural, .speakers, .scene, .scenePair: return true
    case .passThrough, .mix, .loudspeakers, .kept: return false
    }
  }
}
