import Platform
import AudioCore
import Loudness
import MediaIn
import MediaOut
import Spatial
import Timeline

/// One file to render: everything the `render` command can be told, as a value.
public struct RenderJob: Sendable {
  /// Where an input comes from or an output goes to.
  public enum Location: Sendable, Equatable {
    /// A local file; as an input also an http or https URL.
    case file(String)
    /// Standard input or output.
    case standardStream

    /// `-` means the standard stream.
    public init(_ text: String) { self = text == "-" ? .standardStream : .file(text) }

    /// Whether this is the file at `path`, however it is spelt and through links too.
    public func isSameFile(as path: String) -> Bool {
      guard case .file(let own) = self else { return false }
      return FilePlace(own) == FilePlace(path)
        || FilePlace.identity(own) == FilePlace.identity(path)
          && FilePlace.identity(own) != nil
    }

    /// The path or URL, without user and password, or `-`.
    public var name: String {
      if case .file(let path) = self { return WebAddress.withoutCredentials(path) }
      return "-"
    }
  }

  /// One file to write.
  public struct Output: Sendable, Equatable {
    /// Endpoint it is meant for.
    public var endpoint: Endpoint
    /// Where it goes.
    public var location: Location

    /// An output for `endpoint` at `location`.
    public init(endpoint: Endpoint = .headphones, location: Location) {
      self.endpoint = endpoint
      self.location = location
    }
  }

  /// Where output sample 0 lies.
  public enum Alignment: String, Sendable, CaseIterable, Codable {
    /// At the first valid audio sample.
    case audio
    /// At the start of the presentation: late audio begins with silence.
    case presentation
  }

  /// What happens to the filter tail beyond the last source sample.
  public enum Tail: String, Sendable, CaseIterable, Codable {
    /// Dropped: output length = source length.
    case trim
    /// Kept: the output is longer by the tail.
    case keep
  }

  /// Whether the input counts as virtualised already.
  public enum AlreadyVirtualized: String, Sendable, CaseIterable, Codable {
    /// As the file's own tag says.
    case auto
    /// It is: never virtualise again.
    case yes
    /// It isn't, whatever the file says.
    case no
  }

  /// Which HRTF set.
  public enum HRTFChoice: Sendable, Equatable {
    /// The embedded KEMAR set.
    case builtIn
    /// A SOFA file.
    case file(String)

    /// `kemar` means the built-in set, everything else a file.
    public init(_ text: String) { self = text == "kemar" ? .builtIn : .file(text) }

    /// The file's path; `nil` for the built-in set.
    public var path: String? {
      if case .file(let path) = self { return path }
      return nil
    }
  }

  /// The input.
  public var input: Location
  /// The outputs: one decode, one render each.
  public var outputs: [Output]
  /// Opening and decoding.
  public var decoding = InputOptions()
  /// Start-up samples.
  public var priming = PrimingOption.automatic
  /// Timestamp jumps.
  public var gaps = GapPolicy.fill
  /// First sample of the range.
  public var start: TimeSpec?
  /// End of the range.
  public var end: TimeSpec?
  /// Length of the range.
  public var duration: TimeSpec?
  /// Where output sample 0 lies.
  public var alignment = Alignment.audio
  /// The filter tail.
  public var tail = Tail.trim
  /// Whether to virtualise at all.
  public var isVirtualizerOn = true
  /// Whether the input is virtualised already.
  public var alreadyVirtualized = AlreadyVirtualized.auto
  /// HRTF set.
  public var hrtf = HRTFChoice.builtIn
  /// What is done to the set; left and right are made equal unless told otherwise. The built-in set
  /// can't be left uneven.
  public var hrtfOptions = HRTFOptions()
  /// Folder that keeps what was read of SOFA files; `nil` keeps nothing. What is rendered doesn't
  /// depend on it.
  public var cacheFolder: String?
  /// Where SOFA files are parsed; a program that must not die of a hostile one uses
  /// ``SOFAReaderProcess``. What is rendered doesn't depend on it.
  public var sofaReading = SOFAReading.inProcess
  /// What becomes of LFE channels.
  public var lfe = LFEPolicy.standard
  /// Whose gains a downmix to stereo or mono has.
  public var downmix = DownmixGains.standard
  /// Angle between the loudspeakers of the endpoint `speakers`, in degrees, 10…60.
  public var speakerSpan = 20.0
  /// Directions of channels that don't come from where ITU-R BS.2051 puts them.
  public var positions = SpeakerPositions.standard
  /// How the listener holds the head; headphones only.
  public var pose = HeadPose.ahead
  /// How the listener's head moves; headphones only, instead of ``pose``.
  public var trajectory: HeadTrajectory?
  /// The room whose early reflections headphones hear; `nil` is none.
  public var room: RoomModel?
  /// Layout of the endpoint `none`; `nil` keeps the source's.
  public var layout: ChannelLayout?
  /// Loudness target; `nil` leaves the level alone.
  public var loudness: LoudnessTarget? = LoudnessTarget(
    integrated: -16, truePeak: -1, peakPolicy: .limit)
  /// Whether a mono programme counts as two equal channels.
  public var isDualMono = false
  /// Output rate in Hz; `nil` keeps the source's.
  public var sampleRate: Int?
  /// Output file format and encoding.
  public var form = OutputForm.wav
  /// Least length of a fragment of MP4.
  public var fragmentDuration = TimeSpec.clock(MediaTime(ticks: 2, rate: 1))
  /// Whether each segment of HLS is a file, in a folder named for the output, instead of a byte range
  /// of one file.
  public var hasSegmentFiles = false
  /// Whether Opus in MP4 is for a browser's MediaSource, which drops the start-up samples without an
  /// edit list and as many again with one; every other reader wants the edit list.
  public var isForMediaSource = false
  /// Options for the encoder by libavcodec's names.
  public var encoderOptions: [String: String] = [:]
  /// Output sample encoding; 16 or 24 bits for lossless encodings in MP4.
  public var encoding = SampleEncoding.pcm24
  /// Output dither.
  public var dither = Dither.none
  /// Whether descriptive tags are carried over.
  public var keepsMetadata = true
  /// Whether video is wanted where the output's format can hold it.
  public var keepsVideo = true
  /// Whether subtitles are wanted where the output's format can hold them.
  public var keepsSubtitles = true
  /// A file with subtitles that are carried instead of the input's own.
  public var subtitleFile: String?
  /// Whether chapters are wanted where the output's format can hold them.
  public var keepsChapters = true
  /// Choices made before the job, such as a preset; they are listed in the report.
  public var decisions: [Decision] = []
  /// Whether existing outputs may be replaced.
  public var overwrite = false
  /// Whether any degradation fails the job.
  public var isStrict = false
  /// Whether to stop before rendering.
  public var isDryRun = false
  /// Samples a block; the output doesn't depend on it. `nil`: as the decoder delivers.
  public var blockSize: Int?
  /// Bytes of rendered audio held in memory before a temporary file takes over.
  public var spoolMemory = 16 << 20
  /// Bytes that the samples of all outputs may take together, before any codec; `nil` is no limit.
  public var outputLimit: Int64?

  /// A job with the default settings.
  public init(input: Location, outputs: [Output]) {
    self.input = input
    self.outputs = outputs
  }

  /// Refuses what is known to fail before anything is opened.
  /// - Throws: ``MediaError`` of kind `usage` that names the option as the command line spells it.
  public func validate() throws { try JobRules.check(self) }
}
