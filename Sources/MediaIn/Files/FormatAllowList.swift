/// The demuxers that content may choose. No playlists, no image sequences, no concatenation, no
/// devices: nothing that opens other files or the network.
package enum FormatAllowList {
  /// libav demuxer names.
  package static let names = [
    "matroska", "webm", "mov", "mp4", "m4a", "3gp", "3g2", "mj2", "mpegts", "avi", "ogg", "flv",
    "wav", "w64", "aiff", "caf", "flac", "mp3", "aac", "ac3", "eac3", "dts", "dtshd", "truehd",
    "mlp", "wv", "au", "asf", "mpeg", "loas", "tta", "ape",
  ]
}
