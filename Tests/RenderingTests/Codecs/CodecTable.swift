// SPDX-License-Identifier: Apache-2.0

/// Every codec in every container that ffmpeg can write and Pinna reads. docs/explain/trimming.md has the same
/// table.
enum CodecTable {
  private static let strict = ["-strict", "-2"]
  private static let wide = ["-b:a", "320k"]
  /// Matroska's CodecDelay is written from FFmpeg 7 on.
  private static let delayed = "codec-table or codec-delay"

  static let rows: [CodecRow] =
    lossy + lossless + pcm

  private static let lossy: [CodecRow] = [
    CodecRow("aac", "m4a", "elst", .signalled, wide),
    CodecRow("aac", "mp4", "elst", .signalled, wide),
    CodecRow("aac", "mov", "elst", .signalled, wide),
    CodecRow("aac", "fmp4", "codec-table", .signalled, fragmented),
    CodecRow("aac", "mkv", delayed, .unknown, wide),
    CodecRow("aac", "ts", "codec-table", .unknown, wide),
    CodecRow("aac", "flv", "codec-table", .unknown, wide),
    CodecRow("aac", "adts", "codec-table", .unknown, wide),
    CodecRow("ac3", "mp4", "elst", .edited),
    CodecRow("ac3", "mkv", delayed, .unknown),
    CodecRow("ac3", "ts", "codec-table", .unknown),
    CodecRow("ac3", "avi", "codec-table", .unknown),
    CodecRow("ac3", "ac3", "codec-table", .unknown),
    CodecRow("eac3", "mp4", "elst", .edited),
    CodecRow("eac3", "mkv", delayed, .unknown),
    CodecRow("eac3", "ts", "codec-table", .unknown),
    CodecRow("eac3", "eac3", "codec-table", .unknown),
    CodecRow("libmp3lame", "mp3", "lame", .signalled),
    CodecRow("libmp3lame", "mp4", "elst", .signalled),
    CodecRow("libmp3lame", "mov", "elst", .signalled),
    CodecRow("libmp3lame", "mkv", delayed, .signalled),
    CodecRow("libmp3lame", "ts", "codec-table", .unknown),
    CodecRow("libmp3lame", "avi", "codec-table", .unknown),
    CodecRow("libmp3lame", "flv", "codec-table", .unknown),
    CodecRow("mp2", "mp2", "codec-table", .counted(96_287)),
    CodecRow("mp2", "ts", "codec-table", .counted(96_287)),
    CodecRow("libopus", "ogg", "opus-header", .signalled),
    CodecRow("libopus", "webm", "codec-delay", .signalled),
    CodecRow("libopus", "mkv", "codec-delay", .signalled),
    CodecRow("libopus", "mp4", "elst", .signalled),
    CodecRow("libopus", "ts", "codec-table", .unknown),
    CodecRow("libvorbis", "ogg", "decoder", .signalled),
    CodecRow("libvorbis", "webm", "decoder", .unknown),
    CodecRow("libvorbis", "mkv", "decoder", .unknown),
    CodecRow("wmav1", "wma", "codec-table", .unknown),
    CodecRow("wmav2", "wma", "codec-table", .unknown),
    CodecRow("aac", "latm", "codec-table", .unknown, wide + ["-f", "latm"]),
    CodecRow("dca", "mkv", "codec-table", .counted(95_744), strict),
    CodecRow("dca", "ts", "codec-table", .counted(95_744), strict),
    CodecRow("dca", "dts", "codec-table", .counted(95_744), strict),
    CodecRow("dca", "wav", "codec-table", .counted(95_744), strict),
  ]

  private static let fragmented =
    wide + ["-movflags", "empty_moov+default_base_moof+frag_keyframe"]

  private static let lossless: [CodecRow] = [
    CodecRow("flac", "flac", "codec-table", .exact),
    CodecRow("flac", "mkv", "codec-table", .exact),
    CodecRow("flac", "ogg", "codec-table", .exact),
    CodecRow("flac", "mp4", "elst", .exact, strict),
    CodecRow("alac", "m4a", "elst", .exact),
    CodecRow("alac", "mkv", "codec-table", .exact),
    CodecRow("alac", "caf", "codec-table", .exact),
    CodecRow("wavpack", "wv", "codec-table", .exact),
    CodecRow("wavpack", "mkv", "codec-table", .exact),
    CodecRow("tta", "tta", "codec-table", .exact),
    CodecRow("truehd", "mkv", "codec-table", .exact, strict),
    CodecRow("truehd", "thd", "codec-table", .exact, strict),
  ]

  private static let pcm: [CodecRow] = [
    CodecRow("pcm_u8", "wav", "codec-table", .exact, bits: 8),
    CodecRow("pcm_s16le", "wav", "codec-table", .exact),
    CodecRow("pcm_s24le", "wav", "codec-table", .exact),
    CodecRow("pcm_s32le", "wav", "codec-table", .exact),
    CodecRow("pcm_f32le", "wav", "codec-table", .exact),
    CodecRow("pcm_f64le", "wav", "codec-table", .exact),
    CodecRow("pcm_s16le", "rf64", "codec-table", .exact, ["-rf64", "always"]),
    CodecRow("pcm_s32le", "w64", "codec-table", .exact),
    CodecRow("pcm_s16be", "aiff", "codec-table", .exact),
    CodecRow("pcm_s24be", "aiff", "codec-table", .exact),
    CodecRow("pcm_s16be", "caf", "codec-table", .exact),
    CodecRow("pcm_s24le", "mkv", "codec-table", .exact),
    CodecRow("pcm_s16le", "avi", "codec-table", .exact),
    CodecRow("pcm_s24be", "mov", "elst", .exact),
  ]
}
