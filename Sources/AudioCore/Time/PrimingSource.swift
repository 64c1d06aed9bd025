/// Where the number of start-up samples came from.
public enum PrimingSource: String, Sendable, Codable, CaseIterable {
  /// MP4 edit list.
  case editList = "elst"
  /// Apple's iTunSMPB tag.
  case iTunSMPB = "itunsmpb"
  /// The packet table of a Core Audio file.
  case packetTable = "packet-table"
  /// Matroska's CodecDelay.
  case codecDelay = "codec-delay"
  /// The first page of Ogg, whose position is smaller than the number of its samples.
  case firstPage = "first-page"
  /// LAME/Xing header of an MP3.
  case lame
  /// Pre-skip of the Opus header.
  case opusHeader = "opus-header"
  /// Skip side data of the decoder.
  case decoder
  /// Pinna's table of codec delays.
  case codecTable = "codec-table"
  /// `--priming`.
  case option
}
