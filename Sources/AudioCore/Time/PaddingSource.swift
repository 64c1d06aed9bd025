/// Where the end of the programme came from.
package enum PaddingSource: String, Sendable, Codable, CaseIterable {
  /// MP4 edit list duration.
  case editList = "elst"
  /// Durations of the MP4 sample table or fragment runs.
  case sampleTable = "sample-table"
  /// Apple's iTunSMPB tag.
  case iTunSMPB = "itunsmpb"
  /// The packet table of a Core Audio file.
  case packetTable = "packet-table"
  /// The `fact` chunk of a WAV file.
  case fact
  /// The `COMM` chunk of an AIFF file.
  case common = "comm"
  /// LAME/Xing header of an MP3.
  case lame
  /// Discard side data: Matroska DiscardPadding, Ogg granule position.
  case discard = "discard-padding"
  /// The codec is lossless: there is no padding.
  case lossless
  /// The number of padding samples at the end isn't stated; all samples are kept.
  case unknown
}
