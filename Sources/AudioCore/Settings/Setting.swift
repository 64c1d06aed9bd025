/// A setting of a request that a message can name.
///
/// Messages name settings by interpolation: `"give an intact copy, or \(setting: .damage) conceal"`. The
/// program that shows the message chooses the names: in the command line's messages, a setting has the
/// name of its flag. The raw value is the library's name: the path of the property that holds the setting, where one
/// property does.
package enum Setting: String, Sendable, CaseIterable {
  /// Which audio track is read.
  case track = "decoding.track"
  /// Whether all outputs get one gain.
  case sharesGain
  /// Whether web addresses are refused.
  case isOffline = "decoding.bounds.isOffline"
  /// The folder that inputs must lie in.
  case inputRoot = "decoding.bounds.root"
  case authorities = "decoding.bounds.authorities"
  /// Which hosts may be used besides the given one.
  case allowedHosts = "decoding.bounds.allowedHosts"
  /// How long a server may send too little.
  case networkTimeout = "decoding.bounds.networkTimeout"
  /// How much one input may fetch.
  case downloadLimit = "decoding.bounds.downloadLimit"
  /// What may be read besides what the sandbox allows anyway.
  case sandboxReads = "sandbox.reads"
  /// Options of the demuxer.
  case demuxerOptions = "decoding.demuxerOptions"
  /// What becomes of damaged sound.
  case damage = "decoding.damage"
  /// The layout that is taken for the source's.
  case inputLayout = "decoding.layout"
  /// The sound field that the source's channels are taken for.
  case inputField = "decoding.field"
  /// Which presentation of AC-4 or mix of IAMF is played.
  case presentation = "decoding.presentation"
  /// Whether audio objects are rendered.
  case objects = "decoding.objects.use"
  /// Which programme of a file with objects is played.
  case programme = "decoding.objects.programme"
  /// Which objects are played instead of those that they complement.
  case complements = "decoding.objects.complements"
  /// How important objects have to be.
  case importance = "decoding.objects.importance"
  /// What is changed about objects.
  case objectChanges = "decoding.objects.changes"
  /// By how much dialogue is raised.
  case dialogueGain = "decoding.dialogueGain"
  /// Which dynamic range control is applied.
  case dynamicRange = "decoding.dynamicRange"
  /// Where the range begins.
  case rangeStart = "clip.range.start"
  /// Where the range ends.
  case rangeEnd = "clip.range.end"
  /// How long the range is.
  case rangeLength = "clip.range.length"
  /// How many start-up samples are trimmed.
  case priming = "clip.priming"
  /// What becomes of gaps.
  case gaps = "clip.gaps"
  /// What the output's beginning is aligned with.
  case alignment = "clip.alignment"
  /// The loudness aimed at.
  case loudness = "level.integrated"
  /// The true peak that is held.
  case truePeak = "level.truePeak"
  /// What becomes of peaks above the limit.
  case peakPolicy = "level.peakPolicy"
  /// Whether loudness is measured or stated by the track.
  case loudnessMode = "level.mode"
  /// The largest gain.
  case maxGain = "level.maxGain"
  /// The smallest difference that is corrected.
  case loudnessThreshold = "level.threshold"
  /// In which layout the level of a programme is measured that is stored as it is.
  case loudnessLayout = "rendition.loudnessLayout"
  /// Whether the level is never raised.
  case lowersOnly = "level.lowersOnly"
  /// Inputs that become one programme.
  case queue = "MediaLocation.queue"
  /// Whether all inputs get one gain.
  case album = "renderAlbum"
  /// What the output is listened to on.
  case endpoint = "rendition.endpoint"
  /// Whether anything is virtualised.
  case virtualizer = "endpoint.kind"
  /// Whether the source is virtualised already.
  case alreadyVirtualized = "rendition.alreadyVirtualized"
  /// Whose gains a downmix has.
  case downmix = "rendition.downmix"
  /// The gain of LFE channels.
  case lfeGain = "rendition.lfe"
  /// The output's layout.
  case outputLayout = "endpoint.channels"
  /// Which layers a bed of IAMF has.
  case layers = "container.coding.iamf.layers"
  /// The HRTF set.
  case hrtf = "listener.hrtf"
  /// Whether left and right of an HRTF set are made alike.
  case symmetry = "hrtf.options.isSymmetrised"
  /// Whether the diffuse field of an HRTF set is made flat.
  case hrtfProcessing = "hrtf.options.isProcessed"
  /// By how much the interaural delays of an HRTF set are stretched.
  case delayScale = "hrtf.options.head.scaled"
  /// Whose circumference the interaural delays of an HRTF set belong to.
  case headCircumference = "hrtf.options.head.circumference"
  /// Where virtual loudspeakers stand.
  case speakerPositions = "listener.positions"
  /// The angle between two loudspeakers.
  case speakerSpan = "speakers.span"
  /// The room.
  case room = "listener.room"
  /// Whether the room has its late reverberation.
  case roomTail = "listener.roomTail"
  /// How the head moves.
  case trajectory = "listener.head"
  /// Where the head points.
  case yaw = "listener.head.yaw"
  /// How far the head is raised.
  case pitch = "listener.head.pitch"
  /// How far the head is tilted.
  case roll = "listener.head.roll"
  /// What becomes of what filters put before the first sample.
  case filterHead = "rendition.filterHead"
  /// What becomes of the filters' tail.
  case tail = "rendition.tail"
  /// Processing of the user's own.
  case taps = "rendition.taps"
  /// What is found out about the samples that are written.
  case analysis = "rendition.taps.analysis"
  /// How the delay of the user's own processing is known.
  case tapLatency = "rendition.taps.latency"
  /// Outputs besides the first.
  case furtherOutputs = "outputs"
  /// Options of the encoder.
  case encoderOptions = "coding.encoderOptions"
  /// Dither.
  case dither = "coding.dither"
  /// Which players Opus is made for.
  case opusTarget = "coding.isForMediaSource"
  /// How long fragments of MP4 are.
  case fragmentDuration = "container.fragmentDuration"
  /// How long segments of HLS are.
  case segmentDuration = "container.segmentDuration"
  /// What becomes of pictures.
  case video = "carriage.keepsVideo"
  /// What becomes of subtitles.
  case subtitles = "carriage.subtitles"
  /// Whether tags and cover are left out.
  case leavesTagsOut = "carriage.keepsMetadata"
  /// Whether chapters are left out.
  case leavesChaptersOut = "carriage.keepsChapters"
  /// Whether any degradation fails the run.
  case isStrict = "policy.isStrict"
  /// Before which time no sample may change.
  case unchangedBefore = "policy.segments.unchangedBefore"
  /// How large an output may become.
  case largestOutput = "policy.outputLimit"
  /// Where the report is written.
  case report
  /// Where goldens lie.
  case goldenFolder = "goldens.folder"
  /// Where the inputs of goldens lie.
  case goldenMedia = "goldens.media"
  /// Whether goldens may be recorded from changed sources.
  case allowsDirty = "goldens.allowsDirty"
  /// The codec.
  case codec = "coding.codec"
  /// The output's sample rate.
  case sampleRate = "rendition.sampleRate"
  /// The bit rate.
  case bitRate = "coding.bitRate"
  /// Bits of a sample.
  case bits = "coding.encoding"
  /// The container.
  case container
  /// Whether existing files are replaced.
  case overwrite = "policy.overwrite"
}

/// The names of settings in messages.
///
/// They are a task-local value: several callers in one process can each use their own names.
package struct SettingWords: Sendable {
  /// The names that the current task uses; by default the library's.
  @TaskLocal package static var current = SettingWords { $0.rawValue }

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
