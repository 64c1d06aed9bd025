/// The channels of an element that are companded, and how (`companding_control`, TS 103 190-1, 4.2.9).
struct Companding: Equatable {
  /// Whether all channels share one gain (`sync_flag`).
  var isSynchronous = false
  /// Channels that are companded slot by slot, one bit each (`b_compand_on`).
  var isOn: UInt8 = 0
  /// Whether the others are companded by their mean level (`b_compand_avg`).
  var isAveraged = false
  /// Number of channels in the element.
  var channels = 0

  /// No companding.
  init() {}

  /// Reads `companding_control` of an element of `channels` channels.
  init(_ bits: inout BitReader, channels: Int) throws(AC4Error) {
    self.channels = channels
    isSynchronous = channels > 1 ? try bits.flag() : false
    let flags = isSynchronous ? 1 : channels
    let all = UInt8(1 << flags - 1)
    for channel in 0..<flags where try bits.flag() { isOn |= 1 << UInt8(channel) }
    if isOn != all { isAveraged = try bits.flag() }
    // One flag stands for all channels.
    if isSynchronous, isOn != 0 { isOn = UInt8(1 << channels - 1) }
  }

  /// Whether `channel` is companded slot by slot.
  func isOn(_ channel: Int) -> Bool { isOn >> UInt8(channel) & 1 == 1 }
}
