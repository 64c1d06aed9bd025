/// The presets that come with Pinna: levels for delivery, so that none of them virtualises.
public enum BuiltInPresets {
  /// All of them, in the order they are listed.
  public static let all: [Preset] = [
    preset(
      "apple-music", -16, -1, "Apple Music with Sound Check: −16 LUFS, −1 dBTP, at most stereo",
      "Apple: Sound Check plays at −16 LUFS; Apple Digital Masters asks for −1 dBTP",
      stereo),
    preset(
      "podcast", -16, -1,
      "Podcasts: −1 dBTP, stereo −16 LUFS, mono −19 LUFS (dual-mono: two loudspeakers add 3 dB), at most stereo",
      "Apple Podcasts audio requirements: −16 dB LKFS ±1 dB, −1 dBFS true peak",
      stereo.merging([.dualMono: .flag(true)]) { _, new in new }),
    preset(
      "spotify", -14, -1, "Spotify's normal level: −14 LUFS, −1 dBTP, at most stereo",
      "Spotify for Artists, loudness normalization: −14 LUFS, true peak below −1 dBTP",
      stereo),
    preset(
      "ebu-r128", -23, -1, "European broadcasting: −23 LUFS, −1 dBTP, all channels",
      "EBU R 128 (2023): programme loudness −23.0 LUFS, true peak at most −1 dBTP"),
    preset(
      "atsc-a85", -24, -2, "American television: −24 LKFS, −2 dBTP, all channels",
      "ATSC A/85:2013: −24 LKFS where metadata gives no other, true peak below −2 dBTP"),
    preset(
      "youtube", -14, -1,
      "YouTube: −14 LUFS, −1 dBTP, all channels; it turns louder videos down, none up",
      "No published number; the content loudness of its “Stats for nerds” is relative to −14 LUFS"),
    preset(
      "dolby-atmos-music", -18, -1,
      "Dolby Atmos music: −18 LKFS, −1 dBTP; objects that are kept (-f bw64) are measured rendered to 5.1, channels as they are",
      "Dolby Atmos Music delivery: −18 LKFS integrated and −1 dBTP, measured on the 5.1 re-render (ITU-R BS.1770-4)",
      [.loudnessLayout: .word("5.1")]),
    preset(
      "aes-td1008-speech", -18, -1,
      "Speech streams and downloads: −18 LUFS, −1 dBTP, at most stereo",
      "AES TD1008 (2021), table 1: speech −18 LUFS, true peak at most −1 dBTP",
      stereo),
    preset(
      "aes-td1008-music", -16, -1,
      "Music by the track: −16 LUFS, −1 dBTP, at most stereo; with --album the loudest track is put at −14 LUFS",
      "AES TD1008 (2021), table 1: music, track normalisation −16 LUFS, loudest track of an album "
        + "−14 LUFS, true peak at most −1 dBTP",
      stereo.merging([.albumLoudness: .number(-14), .loudestTrack: .flag(true)]) { _, new in new }),
  ]

  /// For services that play two channels.
  private static let stereo: [PresetKey: PresetValue] = [.layout: .word("stereo")]

  /// The one of this name.
  public static func named(_ name: String) -> Preset? { all.first { $0.name == name } }

  private static func preset(
    _ name: String, _ loudness: Double, _ truePeak: Double, _ summary: String, _ reference: String,
    _ more: [PresetKey: PresetValue] = [:]
  ) -> Preset {
    let common: [PresetKey: PresetValue] = [
      .loudness: .number(loudness), .truePeak: .number(truePeak), .endpoint: .word("none"),
    ]
    return Preset(
      name: name, summary: summary, reference: reference, source: .builtIn,
      settings: common.merging(more) { _, new in new })
  }
}
