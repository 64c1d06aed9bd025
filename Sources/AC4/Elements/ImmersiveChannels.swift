import AudioCore

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
