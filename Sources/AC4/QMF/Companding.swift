/// Which channels are companded (`companding_control`, TS 103 190-1, 4.2.9).
struct Companding: Equatable {
  /// Whether all channels share one gain.
  var isSynchronous = false
  /// Channels that are companded slot by slot, one bit each.
  var isOn: UInt8 = 0
  /// Whether the others are companded by their mean level.
  var isAveraged = false
  /// Channels that it speaks of.
  var channels = 0

  /// No companding.
  init() {}

  /// Reads it for `channels` channels.
  init(_ bits: inout BitReader, channels: Int) throws(AC4Error) {
    self.channels = channels
    isSynchronous = channels > 1 ? try bits.flag() : false
    let flags = isSynchronous ? 1 : channels
    let all = UInt8(1 << flags - 1)
    for channel in 0..<flags where try bits.flag() { isOn |= 1 << UInt8(channel) }
    if isOn != all { isAveraged = try bits.flag() }
    if isSynchronous, isOn != 0 { isOn = UInt8(1 << channels - 1) }
  }

  /// Whether `channel` is companded slot by slot.
  func isOn(_ channel: Int) -> Bool { isOn >> UInt8(channel) & 1 == 1 }
}
