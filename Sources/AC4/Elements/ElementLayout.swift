// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The signals that an element codes.
enum ElementLayout: Equatable {
  /// Channels with loudspeakers. `addsToSurrounds` is `add_ch_base`.
  case channels(AC4ChannelMode, addsToSurrounds: Bool)
  /// So many full-band signals without loudspeakers, of which objects are made, and perhaps low frequencies
  /// (`var_channel_element`).
  case signals(Int, hasLFE: Bool)
  /// Channels with loudspeakers above (`immersive_channel_element`).
  case immersive(ImmersiveChannels)

  /// Number of coded channels.
  var channels: Int {
    switch self {
    case .channels(let mode, _): mode.channels
    case .signals(let count, let hasLFE): count + (hasLFE ? 1 : 0)
    case .immersive(let channels): channels.mode.channels
    }
  }

  /// The channel mode; `nil` for signals without loudspeakers.
  var mode: AC4ChannelMode? {
    switch self {
    case .channels(let mode, _): mode
    case .signals: nil
    case .immersive(let channels): channels.mode
    }
  }

  /// The loudspeakers of what comes out, and the place among them of each coded channel, `nil` for one that isn't there;
  /// `nil` for signals without loudspeakers, and for modes that aren't decoded.
  var output: (layout: ChannelLayout, places: [Int?])? {
    switch self {
    case .channels(let mode, _): mode.layout.map { ($0, mode.places) }
    case .signals: nil
    case .immersive(let channels): (channels.layout, channels.places)
    }
  }

  /// The decorrelator of each pair of which one channel may be made from the other.
  var decorrelators: [Int] {
    if case .immersive = self { return [0, 0, 1, 1] }
    return [0, 1]
  }

  /// Whether it has pairs of which one channel may be made from the other (A-CPL): not mono, 3.0 and signals.
  var hasPairs: Bool { mode.map { $0.rawValue != 0 && $0.rawValue != 2 } ?? false }

  /// The plan of each codec mode that the element may have, by `CodecMode.rawValue`.
  var plans: [ElementPlan] {
    switch self {
    case .channels(let mode, let addsToSurrounds):
      CodecMode.allCases.filter { $0 != .joint }.map {
        ElementPlan(mode, $0, addsToSurrounds: addsToSurrounds)
      }
    case .signals(let count, let hasLFE):
      [CodecMode.simple, .extended].map { ElementPlan(signals: count, hasLFE: hasLFE, $0) }
    case .immersive(let channels):
      CodecMode.allCases.map { ElementPlan(immersive: $0, hasLFE: channels.mode.hasLFE) }
    }
  }

  /// Whether channels may be coded jointly (A-JCC).
  var mayBeJoint: Bool {
    if case .immersive = self { return true }
    return false
  }

  /// Width of `mono_codec_mode`, `stereo_codec_mode`, `var_codec_mode` and so on; of `immersive_codec_mode` without its
  /// first bit.
  var modeBits: Int {
    switch self {
    case .channels(let mode, _): [1, 2, 1, 3, 3, 2, 2, 2, 2, 2, 2][mode.rawValue]
    case .signals: 1
    case .immersive: 2
    }
  }
}

/// The channels of an immersive element without wide or screen loudspeakers, 7.0.4 or 7.1.4 as coded
/// (TS 103 190-2, 6.2.1.8 and 5.10.2).
///
/// Coded order is left, right, centre, low frequencies where the mode has them, the surrounds, the backs, the tops in front
/// and the tops behind.
struct ImmersiveChannels: Equatable {
  /// Mode 11 or 12.
  let mode: AC4ChannelMode
  /// `b_4_back_channels_present`: otherwise the backs hold nothing, and the surrounds are all there is behind.
  let hasBacks: Bool
  /// `top_channels_present`: 0 none, 1 or 2 one pair above the sides, coded as the tops in front or behind, 3 both.
  let tops: Int

  /// The channels of a substream; `nil` for other modes.
  init?(_ substream: AC4Substream) {
    guard let mode = substream.channelMode, [11, 12].contains(mode.rawValue) else { return nil }
    self.mode = mode
    hasBacks = substream.hasFourBack
    tops = substream.topChannels
  }

  /// The loudspeaker of each coded channel; `nil` for one that isn't there.
  var speakers: [Speaker?] {
    let front: [Speaker?] = [.frontLeft, .frontRight, .frontCenter]
    let low: [Speaker?] = mode.hasLFE ? [.lowFrequency] : []
    let surrounds: [Speaker?] = [.sideLeft, .sideRight]
    let backs: [Speaker?] = hasBacks ? [.backLeft, .backRight] : [nil, nil]
    let above: [[Speaker?]] = [
      [nil, nil, nil, nil], [.topSideLeft, .topSideRight, nil, nil],
      [nil, nil, .topSideLeft, .topSideRight],
      [.topFrontLeft, .topFrontRight, .topBackLeft, .topBackRight],
    ]
    return front + low + surrounds + backs + above[tops & 3]
  }

  /// The loudspeakers that are there, in this program's order.
  var layout: ChannelLayout { ChannelLayout(speakers.compactMap(\.self)) }

  /// The place in ``layout`` of each coded channel; `nil` for one that isn't there.
  var places: [Int?] {
    let found = layout.speakers
    return speakers.map { speaker in speaker.flatMap { found.firstIndex(of: $0) } }
  }
}
