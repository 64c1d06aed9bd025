import AudioCore

extension SettingWords {
  /// Settings are called by their flags.
  static let commandLine = SettingWords { $0.flag }
}

extension Setting {
  /// The flag that sets it.
  var flag: String {
    switch self {
    case .track: return "--audio"
    case .isOffline: return "--offline"
    case .inputRoot: return "--input-root"
    case .demuxerOptions: return "--in-opt"
    case .damage: return "--on-damage"
    case .inputLayout: return "--layout-in"
    case .presentation: return "--presentation"
    case .dialogueGain: return "--dialog-enhancement"
    case .dynamicRange: return "--drc"
    case .rangeStart: return "--start"
    case .rangeEnd: return "--end"
    case .rangeLength: return "--duration"
    case .priming: return "--priming"
    case .gaps: return "--gaps"
    case .alignment: return "--align"
    case .loudness: return "--loudness"
    case .truePeak: return "--true-peak"
    case .peakPolicy: return "--peak-policy"
    case .loudnessMode: return "--loudness-mode"
    case .maxGain: return "--max-gain"
    case .loudnessThreshold: return "--threshold"
    case .lowersOnly: return "--lower-only"
    case .album: return "--album"
    case .endpoint: return "--endpoint"
    case .virtualizer: return "--virtualizer"
    case .alreadyVirtualized: return "--already-virtualized"
    case .downmix: return "--downmix"
    case .lfeGain: return "--lfe-gain"
    case .outputLayout: return "--layout"
    case .symmetry: return "--hrtf-symmetry"
    case .speakerPositions: return "--speakers"
    case .speakerSpan: return "--speaker-span"
    case .room: return "--room"
    case .trajectory: return "--trajectory"
    case .yaw: return "--yaw"
    case .pitch: return "--pitch"
    case .roll: return "--roll"
    case .tail: return "--tail"
    case .furtherOutputs: return "--also"
    case .encoderOptions: return "--out-opt"
    case .dither: return "--dither"
    case .opusTarget: return "--opus-target"
    case .fragmentDuration: return "--fragment-duration"
    case .segmentDuration: return "--segment-duration"
    case .video: return "--video"
    case .subtitles: return "--subtitles"
    case .leavesTagsOut: return "--no-metadata"
    case .leavesChaptersOut: return "--no-chapters"
    case .isStrict: return "--strict"
    case .largestOutput: return "--max-output-size"
    case .report: return "--report"
    case .goldenFolder: return "--cases"
    case .goldenMedia: return "--media"
    case .allowsDirty: return "--allow-dirty"
    case .codec: return "-c:a"
    case .sampleRate: return "-r"
    case .bitRate: return "-b:a"
    case .bits: return "-b"
    case .container: return "-f"
    case .overwrite: return "-y"
    }
  }
}
