import AudioCore
import Presets

/// The settings a preset can make, put together: a flag beats the preset, the preset the default.
struct RenderSettings {
  let preset: Preset?
  let endpoint: String
  let loudness: String
  let loudnessMode: String
  let truePeak: String
  let peakPolicy: String
  let dualMono: Bool
  let lowerOnly: Bool
  let maxGain: String?
  let threshold: String?
  let album: Bool
  let loudestTrack: Bool
  let format: String?
  let rate: Int?
  let bits: String
  let dither: String

  init(_ flags: RenderArguments, preset: Preset?) {
    func choose(_ flag: String?, _ key: PresetKey, _ fallback: String) -> String {
      flag ?? preset?.text(key) ?? fallback
    }
    self.preset = preset
    // What isn't decoded has neither endpoint nor level; asking for one is refused later.
    let isCopy = flags.codec == "copy"
    endpoint = isCopy ? flags.endpoint ?? "none" : choose(flags.endpoint, .endpoint, "headphones")
    album = flags.album ?? preset?.flag(.album) ?? false
    let albumLoudness = album ? preset?.text(.albumLoudness) : nil
    loudness =
      flags.loudness
      ?? (isCopy ? "off" : albumLoudness ?? preset?.text(.loudness) ?? "-16")
    loudnessMode = choose(flags.loudnessMode, .loudnessMode, "measured")
    truePeak = choose(flags.truePeak, .truePeak, "-1")
    peakPolicy = choose(flags.peakPolicy, .peakPolicy, "limit")
    dualMono = flags.dualMono ?? preset?.flag(.dualMono) ?? false
    lowerOnly = flags.lowerOnly ?? preset?.flag(.lowerOnly) ?? false
    maxGain = flags.maxGain ?? preset?.text(.maxGain)
    threshold = flags.threshold ?? preset?.text(.threshold)
    // A preset may say it for the albums among its uses.
    loudestTrack = flags.loudestTrack ?? (album && preset?.flag(.loudestTrack) ?? false)
    format = flags.format ?? preset?.text(.format)
    rate = flags.rate ?? preset?.number(.rate).map { Int($0) }
    bits = choose(flags.bits, .bits, "24")
    dither = choose(flags.dither, .dither, "none")
  }

  /// The preset for the report.
  var decision: Decision? {
    preset.map { Decision(what: "preset", chose: $0.name, why: "\($0.summary); \($0.origin)") }
  }

  /// One line for people: which preset, and where it comes from.
  var account: String? {
    preset.map { Figures.padded("preset", 10) + "\($0.name), \($0.origin)\n" }
  }
}
