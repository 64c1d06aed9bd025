/// The facts about a track in its `trak` box, as far as a reader's timeline needs them.
package struct TrackFacts: Sendable, Equatable {
  /// Track id (`tkhd`).
  package var id: Int
  /// Handler type (`hdlr`): `soun`, `vide`, `text` …
  package var handler: String
  /// Its name in `udta`, which libavformat reads in newer versions only; `nil` without one.
  package var title: String?
  /// Ticks a second of the media (`mdhd`).
  package var mediaTimescale: Int64
  /// Edits (`elst`), empty when there is no edit list.
  package var edits: [EditListBox.Entry]
  /// Length of the media: the sum of all samples' durations (`stts`); `nil` for a movie in fragments,
  /// and where a table isn't complete.
  package var mediaLength: MediaLength?
  /// That length in ticks.
  package var mediaDuration: Int64? { mediaLength?.ticks }
  /// Ticks by which the composition offset of the first sample exceeds that of the second (`ctts`); 0 without one.
  package var firstDelay: Int64 = 0
  /// Type of the first sample entry (`stsd`), e.g. `ec-3`, `enca`.
  package var sampleEntry: String
  /// Channels of an audio sample entry of version 0 or 1; `nil` for others.
  package var channelCount: Int?
  /// For encrypted entries, the format underneath (`frma`).
  package var originalFormat: String?
  /// Payload of the `dec3` box of an E-AC-3 track.
  package var dec3: [UInt8]?
  /// Payload of the `dac3` box of an AC-3 track.
  package var dac3: [UInt8]?
  /// Payload of the `dac4` box of an AC-4 track.
  package var dac4: [UInt8]?
  /// Payload of the `mhaC` box of an MPEG-H 3D Audio track.
  package var mhaC: [UInt8]?
  /// The configuration of an IAMF track (`iacb`).
  package var iamf: IAMFFacts?

  /// The format of uncompressed sound (`pcmC`).
  package var pcm: PCMFacts?
  /// The channels' positions (`chnl`).
  package var channelLayout: ChannelLayoutBox?
  /// Apple's tag of the channel layout (`chan`).
  package var channelTag: ChannelTagBox?
  /// The sound field that the channels are, or why the box that states it can't be taken (`SA3D`).
  package var spatialAudio: Result<SpatialAudioBox, SpatialAudioBox.Fault>?

  /// Whether the samples are encrypted.
  package var isEncrypted: Bool { ["enca", "encv", "drms"].contains(sampleEntry) }

  /// Objects coded in an E-AC-3 track by joint object coding, as `dec3` declares it
  /// (ETSI TS 103 420, 8.3): complexity index, 0 when the extension is absent.
  package var objectComplexity: Int? {
    guard let dec3, dec3.count >= 2 else { return nil }
    let substreams = Int(dec3[1] & 7) + 1
    var offset = 2
    for _ in 0..<substreams {
      guard offset + 3 <= dec3.count else { return nil }
      let dependents = dec3[offset + 2] >> 1 & 15
      offset += dependents > 0 ? 4 : 3
    }
    guard offset + 2 <= dec3.count, dec3[offset] & 1 == 1 else { return 0 }
    return Int(dec3[offset + 1])
  }
}
