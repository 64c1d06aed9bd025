// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import TrueHD

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
      // Pinna decodes these itself, unless the user names the channels, which are libavcodec's then.
      let sync = first.withBytes { try? TrueHDStream(firstUnit: $0) }
      guard let sync, let third = sync.presentations.first(where: { $0.index == 3 }) else {
        return nil
      }
      return ProgrammeFacts.Undecoded(
        coding: "TrueHD with Dolby Atmos", objects: third.channels.map { _ in sync.objects },
        channels: third.channels)
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
