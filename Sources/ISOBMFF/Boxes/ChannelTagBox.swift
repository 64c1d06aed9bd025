/// Apple's name for a channel layout: `chan` with nothing but a tag (QuickTime File Format, channel
/// layout atom). The standard's `chnl` can't name binaural sound, but this box can.
package struct ChannelTagBox: WritableBox, Equatable {
  /// The layout's tag: a number in the upper 16 bits, the channel count in the lower.
  package let tag: UInt32

  /// Two channels made for headphones: `kAudioChannelLayoutTag_Binaural`.
  package static let binaural = ChannelTagBox(tag: 106 << 16 | 2)

  /// A box of `tag`.
  package init(tag: UInt32) { self.tag = tag }

  /// Parses the payload of a `chan` box; `nil` when it is cut off.
  package init?(payload: [UInt8]) {
    guard payload.count >= 16 else { return nil }
    tag = payload.bigEndian32(at: 4)
  }

  /// Appends the whole box.
  package func append(to builder: inout BoxBuilder) {
    builder.fullBox("chan") { box in
      box.u32(tag)
      // No bitmap, no descriptions.
      box.u32(0)
      box.u32(0)
    }
  }
}
