// SPDX-License-Identifier: Apache-2.0

/// An option of `pinna render`, or what messages name besides; its facts are its ``row``.
///
/// Messages name settings by interpolation: `"give an intact copy, or \(setting: .damage) conceal"`. The
/// program that shows the message chooses the names: in the command line's messages, a setting has the
/// name of its flag.
package enum Setting: Int, Sendable, CaseIterable {
  // In the order of a manifest's options.
  case track, inputLayout, inputField, presentation, objects, objectChanges, programme, complements
  case importance, headphoneModes, objectAngles, dialogueGain, dialogueLift, dynamicRange, damage,
    isOffline
  case inputRoot, authorities, allowedHosts, networkTimeout, downloadLimit, demuxerOptions
  case encoderOptions, preset, rangeStart, rangeEnd, rangeLength, priming, filterHead, tail
  case alignment, gaps, crossfade, crossfadeCurve, itemGap, queueLoudness, chapters, cueGaps
  case textEncoding, sharesGain, endpoint, virtualizer, hrtf, symmetry, hrtfProcessing, delayScale
  case headCircumference, speakerSpan, lfeGain, downmix, alreadyVirtualized, outputLayout, loudness
  case loudnessMode, loudnessLayout, truePeak, peakPolicy, dualMono, lowersOnly, maxGain
  case loudnessThreshold, anchor, programmeLoudness, levelling, levelRange, album, loudestTrack,
    albumLoudness, container, codec, bitRate, layers
  case admTimes, segmentDuration, segmentFiles, fragmentDuration, opusTarget, equalizers, taps
  case program, analysis, leavesTapsOut, tapLatency, tapFailure, sampleRate, bits, dither, video
  case keptAudio, subtitles, tags, cover, leavesTagsOut, leavesChaptersOut, chaptersFile,
    speakerPositions, yaw
  case pitch, roll, trajectory, trajectoryOffset, room, roomTail, blockSize, largestOutput,
    isPortable, isStrict
  // Options of a run, and those of other commands.
  case output, queue, furtherOutputs, overwrite, cache, cacheSize, verifiesCache, unchangedBefore
  case isDryRun, jobs, report, json, progress, threads, spoolMemory, sandbox, sandboxReads, isQuiet
  case isVerbose, goldenFolder, goldenMedia, allowsDirty, expectedExit, colours
}

/// The names of settings in messages.
///
/// They are a task-local value: several callers in one process can each use their own names.
package struct SettingWords: Sendable {
  /// The names that the current task uses; by default the library's.
  @TaskLocal package static var current = SettingWords { $0.row.path }
  /// Names of the command line: flags.
  package static let commandLine = SettingWords { $0.row.flag }

  private let word: @Sendable (Setting) -> String

  /// Names that `word` gives for each setting.
  package init(_ word: @escaping @Sendable (Setting) -> String) { self.word = word }

  /// The name of `setting`.
  package func callAsFunction(_ setting: Setting) -> String { word(setting) }
}

extension String.StringInterpolation {
  /// Appends the name of `setting` that the current task uses.
  package mutating func appendInterpolation(setting: Setting) {
    appendLiteral(SettingWords.current(setting))
  }
}

extension Setting {
  /// The facts of the setting.
  package var row: SettingRow { Setting.rows[rawValue] }

  // Made once: manifests of a hundred thousand jobs ask for them with each option.
  private static let rows = allCases.map(\.made)

  /// The row. The comment above it is what a preset's key means, on the page of presets.
  private var made: SettingRow {
    switch self {
    case .track: .init("audio", "decoding.track", short: "-a")
    case .inputLayout: .init("layout-in", "decoding.layout", copy: .byValue())
    case .inputField: .init("layout-in", "decoding.field", in: .other, copy: .byValue())
    case .presentation: .init("presentation", "decoding.presentation")
    case .objects: .init("objects", "decoding.objects.use")
    case .objectChanges: .init("object", "decoding.objects.changes", .texts("what=change"))
    case .programme: .init("programme", "decoding.objects.programme")
    case .complements: .init("complementary", "decoding.objects.complements", .texts("an id"))
    case .importance: .init("importance", "decoding.objects.importance", .whole(0...10))
    case .headphoneModes:
      .init("headphone-modes", "decoding.objects.headphoneModes", .words(["follow", "ignore"]))
    case .objectAngles:
      .init("object-angles", "endpoint.objectAngles", .words(["room", "2127", "rays"]))
    case .dialogueGain:
      .init("dialog-enhancement", "decoding.dialogueGain", .number(0...12, "dB"), copy: .byValue())
    case .dynamicRange:
      .init("drc", "decoding.dynamicRange", .words(["off", "line", "rf"]), copy: .byValue())
    case .damage: .init("on-damage", "decoding.damage", .words(["fail", "conceal"]))
    case .isOffline: .init("offline", "decoding.bounds.isOffline", .flag)
    case .inputRoot: .init("input-root", "decoding.bounds.root", .file())
    case .authorities: .init("ca-file", "decoding.bounds.authorities", .file())
    case .allowedHosts: .init("allow-hosts", "decoding.bounds.allowedHosts")
    case .networkTimeout:
      .init("network-timeout", "decoding.bounds.networkTimeout", .number(0.1...3600, "seconds"))
    case .downloadLimit: .init("max-download", "decoding.bounds.downloadLimit", .size)
    case .demuxerOptions: .init("in-opt", "decoding.demuxerOptions", .texts("name=value"))
    case .encoderOptions: .init("out-opt", "coding.encoderOptions", .texts("name=value"))
    case .preset: .init("preset", "preset", .file())
    case .rangeStart: .init("start", "clip.range.start", .time)
    case .rangeEnd: .init("end", "clip.range.end", .time)
    case .rangeLength: .init("duration", "clip.range.length", .time)
    case .priming: .init("priming", "clip.priming", copy: .byValue())
    case .filterHead:
      .init(
        "head", "rendition.filterHead", .words(["trim", "keep"]),
        copy: .byFlag(5, unless: "trim", says: " keep"))
    case .tail:
      .init(
        "tail", "rendition.tail", .words(["trim", "keep"]),
        copy: .byFlag(6, unless: "trim", says: " keep"))
    case .alignment:
      .init(
        "align", "clip.alignment", .words(["audio", "presentation"]),
        copy: .byValue(says: " presentation"))
    case .gaps: .init("gaps", "clip.gaps", .words(["fill", "ignore"]), copy: .byValue())
    case .crossfade: .init("crossfade", "clip.joining.crossfade", .time)
    case .crossfadeCurve:
      .init(
        "crossfade-curve", "clip.joining.curve",
        .words(["equal-power", "equal-gain", "linear-db"]))
    case .itemGap: .init("gap", "clip.joining.gap", .time)
    case .queueLoudness:
      .init(
        "queue-loudness", "clip.joining.loudness", .words(["programme", "item", "both"]), level: 11)
    case .chapters: .init("chapters", "clip.joining.chapters", .words(["items", "keep", "none"]))
    case .cueGaps: .init("cue-gaps", "clip.joining.cueGaps", .words(["append", "prepend", "drop"]))
    case .textEncoding:
      .init(
        "text-encoding", "clip.joining.textEncoding",
        .words(TextEncoding.allCases.map(\.rawValue)))
    case .sharesGain: .init("same-gain", "sharesGain", .flag, level: 10)
    // Endpoint that the output is for.
    case .endpoint:
      .init(
        "endpoint", "rendition.endpoint", .words(["headphones", "speakers", "none"]), short: "-e",
        preset: 13, copy: .byFlag(1, unless: "none", says: " other than none"))
    case .virtualizer:
      .init(
        "virtualizer", "endpoint.kind", .words(["on", "off"]),
        copy: .byFlag(9, unless: "on", says: " off"))
    case .hrtf:
      .init("hrtf", "listener.hrtf", .file(or: ["kemar"]), copy: .byFlag(10, unless: "kemar"))
    case .symmetry: .init("hrtf-symmetry", "hrtf.options.isSymmetrised", .words(["on", "off"]))
    case .hrtfProcessing:
      .init("hrtf-processing", "hrtf.options.isProcessed", .words(["on", "off"]))
    case .delayScale: .init("itd-scale", "hrtf.options.head.scaled", .number(0.6...1.5))
    case .headCircumference:
      .init("head-circumference", "hrtf.options.head.circumference", .number(40...70, "cm"))
    case .speakerSpan: .init("speaker-span", "speakers.span", .number(10...60, "degrees"))
    case .lfeGain:
      .init("lfe-gain", "rendition.lfe", .number(-40...20, "dB", or: "off"), copy: .byFlag(7))
    // Gains of a downmix: `standard`, `stream`, or a matrix such as `FL=FL+0.7*FC|FR=FR+0.7*FC`.
    case .downmix:
      .init("downmix", "rendition.downmix", preset: 26, copy: .byFlag(8, unless: "standard"))
    case .alreadyVirtualized:
      .init("already-virtualized", "rendition.alreadyVirtualized", .words(["auto", "yes", "no"]))
    // Layout that programmes with more channels are mixed down to with the endpoint none, or `keep`; others keep theirs.
    case .outputLayout:
      .init(
        "layout", "endpoint.channels", .words(["keep"] + ChannelLayout.knownNames), preset: 14,
        copy: .byFlag(4, unless: "keep"))
    // Integrated loudness target, LUFS, or `off`.
    case .loudness:
      .init(
        "loudness", "level.integrated", .number(-70...0, "LUFS", or: "off"), short: "-l", preset: 1,
        copy: .byFlag(2, unless: "off", says: " other than off"))
    // Source of the gain.
    case .loudnessMode:
      .init("loudness-mode", "level.mode", .words(["measured", "metadata"]), preset: 8, level: 3)
    // Layout to which programmes that are stored as they are are rendered to be measured.
    case .loudnessLayout:
      .init(
        "loudness-layout", "rendition.loudnessLayout", .words(ChannelLayout.knownNames), preset: 9,
        level: 4)
    // True-peak ceiling, dBTP.
    case .truePeak:
      .init("true-peak", "level.truePeak", .number(-30...0, "dBTP"), preset: 2, level: 1)
    // Policy when the peak is above the ceiling.
    case .peakPolicy:
      .init(
        "peak-policy", "level.peakPolicy", .words(["limit", "lower", "fail", "ignore"]), preset: 3,
        level: 2)
    // Whether mono is measured as two equal channels.
    case .dualMono:
      .init("dual-mono", "rendition.isDualMono", .toggle, preset: 4, copy: .byFlag(13))
    // Whether the level is only ever lowered.
    case .lowersOnly: .init("lower-only", "level.lowersOnly", .toggle, preset: 5, level: 5)
    // Largest gain, dB.
    case .maxGain: .init("max-gain", "level.maxGain", .number(0...100, "dB"), preset: 6, level: 6)
    // Distance from the target below which the level stays, LU.
    case .loudnessThreshold:
      .init("threshold", "level.threshold", .number(0...20, "LU"), preset: 7, level: 7)
    // The loudness that is brought to the target: of the programme, or of its dialogue where there is enough of it.
    case .anchor:
      .init(
        "anchor", "level.anchor", .words(LoudnessAnchor.allCases.map(\.rawValue)), preset: 24,
        level: 12)
    // Loudness target of the whole where too little dialogue is found, LUFS.
    case .programmeLoudness:
      .init(
        "programme-loudness", "level.programmeTarget", .number(-70...0, "LUFS"), preset: 25,
        level: 13)
    case .levelling:
      .init(
        "level", "levelling.mode", .words(LevelMode.allCases.map(\.rawValue)),
        copy: .byFlag(15), level: 14)
    case .levelRange:
      .init("level-range", "levelling.range", .number(2...20, "LU"), copy: .byFlag(16), level: 15)
    case .dialogueLift:
      .init("dialogue", "clip.dialogueGain", .number(-20...20, "dB"), copy: .byFlag(17))
    // Whether several inputs get one common gain.
    case .album: .init("album", "renderAlbum", .toggle, in: .run, preset: 10, level: 8)
    // Whether the loudest track of an album gets the target.
    case .loudestTrack: .init("loudest-track", "level.reference", .toggle, preset: 11, level: 9)
    // Loudness target where several inputs get one common gain, LUFS; without it `loudness` counts.
    case .albumLoudness:
      .init(
        "album-loudness", "level.integrated", .number(-70...0, "LUFS"), flag: "--loudness",
        in: .other, preset: 12)
    // Output file format.
    case .container:
      .init(
        "format", "container", .words(ContainerKind.allCases.map(\.rawValue)), flag: "-f",
        preset: 20)
    // Codec of the sound, where the output's format holds it.
    case .codec:
      // The command line knows more words, which name what IAMF holds, and copy.
      .init(
        "codec", "coding.codec", .words(AudioEncoding.allCases.map(\.rawValue)), flag: "-c:a",
        preset: 15)
    // Bit rate of a lossy codec, bit/s.
    case .bitRate:
      .init(
        "bit-rate", "coding.bitRate", .whole(AudioEncoding.bitRates, "bit/s"), flag: "-b:a",
        preset: 16)
    case .layers: .init("iamf-layers", "container.coding.iamf.layers")
    // How times are written in the metadata of BW64.
    case .admTimes:
      .init(
        "adm-times", "coding.admTimes", .words(ADMTimeForm.allCases.map(\.rawValue)), preset: 21)
    case .segmentDuration: .init("segment-duration", "container.segmentDuration", .time)
    case .segmentFiles: .init("segment-files", "container.hasSegmentFiles", .flag)
    case .fragmentDuration: .init("fragment-duration", "container.fragmentDuration", .time)
    case .opusTarget: .init("opus-target", "coding.isForMediaSource", .words(["gapless", "mse"]))
    // Equalisers of AutoEq or Equalizer APO behind the virtualiser; paths count from the preset's folder.
    case .equalizers: .init("eq", "rendition.taps.eq", .files, preset: 22, copy: .byFlag(14))
    // Processing at points of the chain, each as `POINT:KIND=ARGUMENTS`; paths count from the preset's folder.
    case .taps:
      .init(
        "tap", "rendition.taps", .texts("text such as post:eq=headphones.txt"), preset: 23,
        copy: .byFlag(14))
    case .program: .init("tap-exec", "rendition.taps.program", in: .run, copy: .byFlag(14))
    case .analysis: .init("analyze", "rendition.taps.analysis", in: .run, copy: .byFlag(14))
    case .leavesTapsOut: .init("no-taps", "clip.joining.keepsTaps", .flag)
    case .tapLatency: .init("tap-latency", "rendition.taps.latency")
    case .tapFailure: .init("on-tap-failure", "policy.tapFailure", .words(["fail", "bypass"]))
    // Output rate, Hz.
    case .sampleRate:
      .init(
        "rate", "rendition.sampleRate", .whole(AudioFormat.sampleRates, "Hz"), flag: "-r",
        preset: 18,
        copy: .byFlag(3))
    // Output sample encoding.
    case .bits:
      .init(
        "bits", "coding.encoding", .words(["16", "24", "32f"]), flag: "-b", preset: 17,
        copy: .byFlag(11))
    // Dither of integer output.
    case .dither:
      .init("dither", "coding.dither", .words(["none", "tpdf"]), preset: 19, copy: .byFlag(12))
    case .video: .init("video", "carriage.keepsVideo", .words(["copy", "drop"]))
    case .keptAudio: .init("keep-audio", "carriage.keptAudio")
    case .subtitles: .init("subtitles", "carriage.subtitles", .file(or: ["copy", "drop"]))
    case .tags: .init("tag", "carriage.tags", .texts("name=value"))
    case .cover: .init("cover", "carriage.cover", .file())
    case .leavesTagsOut: .init("no-metadata", "carriage.keepsMetadata", .flag)
    case .leavesChaptersOut: .init("no-chapters", "carriage.keepsChapters", .flag)
    case .chaptersFile: .init("chapters-out", "carriage.chaptersFile", .file(), in: .run)
    case .speakerPositions: .init("speakers", "listener.positions", .file())
    case .yaw: .init("yaw", "listener.head.yaw", .number(-360...360, "degrees"))
    case .pitch: .init("pitch", "listener.head.pitch", .number(-90...90, "degrees"))
    case .roll: .init("roll", "listener.head.roll", .number(-360...360, "degrees"))
    case .trajectory: .init("trajectory", "listener.head", .file())
    case .trajectoryOffset: .init("trajectory-offset", "listener.head")
    case .room: .init("room", "listener.room", .file(or: ["off", "small", "medium"]))
    case .roomTail: .init("room-tail", "listener.roomTail", .words(["on", "off"]))
    case .blockSize: .init("block-size", "policy.blockSize", .whole(1...Int.max))
    case .largestOutput: .init("max-output-size", "policy.outputLimit", .size)
    case .isPortable: .init("deterministic", "policy.isPortable", .flag)
    case .isStrict: .init("strict", "policy.isStrict", .classes)

    case .output: .init("output", "outputs.location", .file(), short: "-o", in: .run)
    case .queue: .init("join", "MediaLocation.queue", .flag, in: .run)
    case .furtherOutputs:
      .init("also", "outputs", .texts("endpoint:file"), in: .run, copy: .byValue())
    case .overwrite: .init("overwrite", "policy.overwrite", .flag, flag: "-y", in: .run)
    case .cache: .init("cache", "policy.segments.folder", .file(or: ["off", "auto"]), in: .run)
    case .cacheSize: .init("cache-size", "policy.segments.limit", .size, in: .run)
    case .verifiesCache: .init("verify-cache", "policy.segments.isVerified", .flag, in: .run)
    case .unchangedBefore:
      .init("expect-unchanged-before", "policy.segments.unchangedBefore", .time, in: .run)
    case .isDryRun: .init("dry-run", "policy.isDryRun", .flag, short: "-n", in: .run)
    case .jobs: .init("jobs", "jobs", .whole(1...Int.max), flag: "-j", in: .run)
    case .report: .init("report", "report", .file(), in: .run)
    case .json: .init("json", "json", .flag, in: .run)
    case .progress: .init("progress", "progress", .words(["auto", "none", "ndjson"]), in: .run)
    case .threads: .init("threads", "policy.threads", .whole(1...Int.max), in: .run)
    case .spoolMemory: .init("max-memory", "policy.spoolMemory", .size, in: .run)
    case .sandbox: .init("sandbox", "sandbox", .toggle, in: .run)
    case .sandboxReads: .init("sandbox-read", "sandbox.reads", .files, in: .run)
    case .isQuiet: .init("quiet", "quiet", .flag, short: "-q", in: .run)
    case .isVerbose: .init("verbose", "verbose", .flag, short: "-v", in: .run)
    case .goldenFolder: .init("cases", "goldens.folder", .file(), in: .other)
    case .goldenMedia: .init("media", "goldens.media", .file(), in: .other)
    case .allowsDirty: .init("allow-dirty", "goldens.allowsDirty", .flag, in: .other)
    case .expectedExit: .init("expect-exit", "goldens.expectedExit", in: .other)
    case .colours:
      .init("color", "terminal.colours", .words(["auto", "always", "never"]), in: .run)
    }
  }
}
