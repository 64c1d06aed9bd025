/// What an element codes.
enum ElementLayout: Equatable {
  /// Channels with loudspeakers. `addsToSurrounds` is `add_ch_base`.
  case channels(AC4ChannelMode, addsToSurrounds: Bool)
  /// So many full-band signals without loudspeakers, of which objects are made, and perhaps low frequencies
  /// (`var_channel_element`).
  case signals(Int, hasLFE: Bool)

  /// Number of coded channels.
  var channels: Int {
    switch self {
    case .channels(let mode, _): mode.channels
    case .signals(let count, let hasLFE): count + (hasLFE ? 1 : 0)
    }
  }

  /// The channel mode; `nil` for signals without loudspeakers.
  var mode: AC4ChannelMode? {
    if case .channels(let mode, _) = self { return mode }
    return nil
  }

  /// Whether it has pairs of which one channel may be made from the other (A-CPL): not mono, 3.0 and signals.
  var hasPairs: Bool { mode.map { $0.rawValue != 0 && $0.rawValue != 2 } ?? false }

  /// The plan of each codec mode that the element may have, by `CodecMode.rawValue`.
  var plans: [ElementPlan] {
    switch self {
    case .channels(let mode, let addsToSurrounds):
      CodecMode.allCases.map { ElementPlan(mode, $0, addsToSurrounds: addsToSurrounds) }
    case .signals(let count, let hasLFE):
      [CodecMode.simple, .extended].map { ElementPlan(signals: count, hasLFE: hasLFE, $0) }
    }
  }

  /// Width of `mono_codec_mode`, `stereo_codec_mode`, `var_codec_mode` and so on.
  var modeBits: Int {
    switch self {
    case .channels(let mode, _): [1, 2, 1, 3, 3, 2, 2, 2, 2, 2, 2][mode.rawValue]
    case .signals: 1
    }
  }
}
