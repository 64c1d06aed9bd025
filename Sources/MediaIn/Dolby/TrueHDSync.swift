import AudioCore
import Signal

/// The presentation of 16 channels that a major sync of TrueHD states beside those of two, six and eight, which libavcodec
/// doesn't decode.
struct TrueHDSync: Equatable {
  /// Number of coded channels, 1…32; `nil` where the sync has no extra channel meaning.
  let channels: Int?
  /// Number of objects that can move; 0 for loudspeaker channels alone, `nil` without extra channel meaning.
  let objects: Int?

  /// Bytes that a sync and the header of its unit take at most.
  static let longest = 4 + 28 + 2 * 16
  /// `format_sync` of TrueHD; MLP ends with BB and has no such presentation.
  private static let formatSync: [UInt8] = [0xF8, 0x72, 0x6F, 0xBA]

  /// Reads the access unit that begins with `unit`; `nil` where it has no major sync, or no presentation of 16 channels.
  init?(_ unit: [UInt8]) {
    guard unit.count >= 32, unit[4..<8].elementsEqual(TrueHDSync.formatSync) else { return nil }
    // substream_info is byte 17 after format_sync: its highest bit is the presentation of 16 channels.
    guard unit[4 + 17] & 0x80 != 0 else { return nil }
    // The last bit of channel_meaning says whether more follows.
    guard unit[4 + 25] & 1 == 1 else {
      (channels, objects) = (nil, nil)
      return
    }
    let meaning = unit[(4 + 26)...].withUnsafeBufferPointer { buffer in
      var bits = BitReader<Never>(buffer)
      return TrueHDSync.meaning(&bits)
    }
    (channels, objects) = (meaning?.channels, meaning?.objects)
  }

  /// Reads `extra_channel_meaning`; `nil` where it is cut.
  private static func meaning(_ bits: inout BitReader<Never>) -> (channels: Int, objects: Int)? {
    // length, 16ch_dialogue_norm, 16ch_mix_level, 16ch_channel_count.
    bits.skip(4 + 5 + 6)
    let channels = bits.read(5) + 1
    var objects = 0
    if bits.flag() {
      // dyn_object_only: all channels but an LFE move.
      objects = channels - (bits.flag() ? 1 : 0)
    } else {
      let content = bits.read(4)
      if content & 1 != 0 {
        // b_channel_distribute, reserved, b_lfe_only; then reserved and the assignment of a bed that is more than an LFE.
        bits.skip(2)
        if !bits.flag() { bits.skip(1 + 10) }
      }
      // The form of an intermediate spatial format.
      if content & 2 != 0 { bits.skip(3) }
      if content & 4 != 0 { objects = bits.read(5) + 1 }
    }
    return bits.isExhausted ? nil : (channels, objects)
  }
}
