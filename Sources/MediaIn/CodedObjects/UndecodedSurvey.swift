// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Signal

/// Looks in the first packets of a track for objects and channels that libavcodec passes over.
struct UndecodedSurvey {
  /// Packets of DTS that are looked at. An extension comes with each; in one alone, its sync word may be sound.
  private static let packets = 8

  private let media: MediaFile
  private let stream: StreamInfo
  private let options: InputOptions

  init(_ media: MediaFile, _ stream: StreamInfo, _ options: InputOptions) {
    (self.media, self.stream, self.options) = (media, stream, options)
  }

  /// The contents that aren't decoded, where `first` is the track's first packet; `nil` where nothing shows any.
  func find(_ first: Packet) -> ProgrammeFacts.Undecoded? {
    switch stream.codecTraits.objects {
    case .never, .inHeader: return nil
    case .inMajorSync:
      return TrueHDSync(first.bytes(first: TrueHDSync.longest)).map {
        ProgrammeFacts.Undecoded(
          coding: "TrueHD with Dolby Atmos", objects: $0.objects, channels: $0.channels)
      }
    case .afterLosslessLayer:
      // Most frames have no lossless layer to search.
      guard first.withBytes(DTSExtension.init(frame:)) != nil, isRepeated else { return nil }
      return ProgrammeFacts.Undecoded(coding: "DTS:X")
    }
  }

  /// Whether the extension comes with each of the first packets, by a second reader of the file.
  private var isRepeated: Bool {
    guard let media = try? MediaFile(file: media.file, options: options),
      let packets = try? TrackPackets(stream, of: media, isSizeUnknown: true)
    else { return false }
    for _ in 0..<UndecodedSurvey.packets {
      // A file of fewer packets has no more to say; damage is reported where the track is read.
      guard case .packet? = try? packets.advance() else { return true }
      guard packets.packet.withBytes(DTSExtension.init(frame:)) != nil else { return false }
    }
    return true
  }
}

/// The sync word of DTS:X in a frame of DTS-HD Master Audio.
struct DTSExtension {
  let syncWord: UInt32

  /// The sync word of the lossless layer (ETSI TS 102 114, 8.2.1).
  private static let lossless: UInt32 = 0x41A2_9547

  /// Finds the word in `frame`; `nil` where it has no lossless layer, or no DTS:X after it.
  ///
  /// The layer begins with a multiple of four bytes, and the word follows it at the next one.
  init?(frame: UnsafeBufferPointer<UInt8>) {
    func word(_ place: Int) -> UInt32 {
      (0..<4).reduce(0 as UInt32) { $0 << 8 | UInt32(frame[place + $1]) }
    }
    var place = 0
    var isLossless = false
    while place + 4 <= frame.count {
      let next = word(place)
      if isLossless, DTSExtension.isSync(next) {
        syncWord = next
        return
      }
      if next == DTSExtension.lossless { isLossless = true }
      // A core of any length comes first.
      place += isLossless ? 4 : 1
    }
    return nil
  }

  /// Whether `word` is that of DTS:X or of its form for IMAX.
  private static func isSync(_ word: UInt32) -> Bool {
    word == 0x0200_0850 || (0xF140_00D0...0xF140_00D4).contains(word)
  }
}

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
