/// Where the channels of an audio track belong: `chnl`, version 0 (ISO/IEC 14496-12, 12.2.4).
package struct ChannelLayoutBox: WritableBox, Equatable {
  /// How the layout is stated.
  package enum Layout: Sendable, Equatable {
    /// A channel configuration of ISO/IEC 23091-3, 1…63, all its channels present.
    case defined(Int)
    /// One loudspeaker position of ISO/IEC 23091-3, 0…125, for each channel.
    case positions([Int])
  }

  /// The layout.
  package let layout: Layout

  /// A box of `layout`.
  package init(_ layout: Layout) { self.layout = layout }

  /// Parses the payload of a `chnl` box of version 0 that states positions or a configuration; `nil`
  /// for anything else. `channels` is the track's channel count.
  package init?(payload: [UInt8], channels: Int) {
    guard payload.count >= 6, payload[0] == 0, payload[4] & 3 == 1, channels > 0 else { return nil }
    if payload[5] != 0 {
      layout = .defined(Int(payload[5]))
      return
    }
    let positions = payload.dropFirst(6).prefix(channels).map(Int.init)
    // Position 126 is followed by angles, which would shift all later positions.
    guard positions.count == channels, !positions.contains(where: { $0 > 125 }) else { return nil }
    layout = .positions(positions)
  }

  /// Appends the whole box.
  package func append(to builder: inout BoxBuilder) {
    builder.fullBox("chnl") { box in
      // Channels only, no objects.
      box.u8(1)
      switch layout {
      case .defined(let configuration):
        box.u8(configuration)
        box.u64(0)
      case .positions(let positions):
        box.u8(0)
        for position in positions { box.u8(min(position, 125)) }
      }
    }
  }
}
