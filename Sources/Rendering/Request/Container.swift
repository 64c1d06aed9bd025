import AudioCore
import MediaOut
import Signal

/// The container of a rendered output, with the settings that it has.
public enum Container: Sendable, Hashable, Codable {
  /// WAV, or RF64 beyond 4 GiB.
  case wav(WAV)
  /// WAV with audio definition metadata, which describe beds, objects and sound fields.
  case bw64(WAV)
  /// FLAC, a file of its own.
  case flac(FLAC)
  /// Opus in Ogg.
  case ogg(Ogg)
  /// Fragmented MP4.
  case mp4(Movie)
  /// Fragmented MP4 with HLS playlists beside it.
  case hls(Stream)
  /// IAMF in a file of its own, its substreams coded as stated.
  case iamf(Coding)

  /// PCM in WAV or BW64.
  public struct WAV: Sendable, Hashable, Codable {
    /// How samples are stored.
    public var encoding: SampleEncoding
    /// Noise added before rounding to integers.
    public var dither: Dither
    /// How times are written in the metadata of BW64.
    public var admTimes = ADMTimeForm.decimal

    /// By default 24-bit integers without dither.
    public init(encoding: SampleEncoding = .pcm24, dither: Dither = .none) {
      self.encoding = encoding
      self.dither = dither
    }
  }

  /// A FLAC file.
  public struct FLAC: Sendable, Hashable, Codable {
    /// How samples are stored: 16 or 24 bits.
    public var encoding: SampleEncoding
    /// Noise added before rounding to integers.
    public var dither: Dither
    /// Options for the encoder by libavcodec's names.
    public var encoderOptions: [String: String] = [:]

    /// By default 24 bits without dither.
    public init(encoding: SampleEncoding = .pcm24, dither: Dither = .none) {
      self.encoding = encoding
      self.dither = dither
    }
  }

  /// Opus in Ogg.
  public struct Ogg: Sendable, Hashable, Codable {
    /// Bit rate in bit/s; `nil` leaves it to the encoder.
    public var bitRate: Int?
    /// Options for the encoder by libavcodec's names.
    public var encoderOptions: [String: String] = [:]

    /// By default at the encoder's own rate.
    public init(bitRate: Int? = nil) { self.bitRate = bitRate }
  }

  /// How IAMF (Eclipsa Audio) holds the sound.
  public struct IAMF: Sendable, Hashable, Codable {
    /// Layouts of the layers of a bed, each with nothing less than the one before; the last is that of the bed. A
    /// bed of one layer for none.
    public var layers: [Layer]

    /// A layout that a layer can have.
    public enum Layer: String, Sendable, Hashable, Codable, CaseIterable {
      /// One channel.
      case mono
      /// Left and right.
      case stereo
      /// Three front channels, LFE and two tops.
      case surround312 = "3.1.2"
      /// Five channels and LFE.
      case surround51 = "5.1"
      /// 5.1 and two tops.
      case surround512 = "5.1.2"
      /// 5.1 and four tops.
      case surround514 = "5.1.4"
      /// Seven channels and LFE.
      case surround71 = "7.1"
      /// 7.1 and two tops.
      case surround712 = "7.1.2"
      /// 7.1 and four tops.
      case surround714 = "7.1.4"
    }

    /// By default one layer.
    public init(layers: [Layer] = []) { self.layers = layers }
  }

  /// The sound in an MP4 or IAMF file.
  public struct Coding: Sendable, Hashable, Codable {
    /// The codec.
    public var codec: AudioEncoding
    /// Bit rate of a lossy codec in bit/s; `nil` leaves it to the encoder.
    public var bitRate: Int?
    /// How samples of a lossless codec are stored: 16 or 24 bits.
    public var encoding: SampleEncoding
    /// Noise added before rounding to integers.
    public var dither: Dither
    /// How times are written in the metadata of BW64.
    public var admTimes = ADMTimeForm.decimal
    /// Options for the encoder by libavcodec's names.
    public var encoderOptions: [String: String] = [:]
    /// How IAMF holds the sound, whose substreams have the codec; `nil` for a track of the codec itself.
    public var iamf: IAMF?
    /// Whether Opus is for a browser's MediaSource, which drops the start-up samples without an edit
    /// list and as many again with one; every other reader wants the edit list.
    public var isForMediaSource = false

    /// A coding; by default AAC at the encoder's own rate.
    public init(
      _ codec: AudioEncoding = .aac, bitRate: Int? = nil, encoding: SampleEncoding = .pcm24,
      dither: Dither = .none
    ) {
      self.codec = codec
      self.bitRate = bitRate
      self.encoding = encoding
      self.dither = dither
    }
  }

  /// A fragmented MP4 file.
  public struct Movie: Sendable, Hashable, Codable {
    /// The sound.
    public var coding: Coding
    /// Least length of a fragment.
    public var fragmentDuration: TimeSpec

    /// By default AAC in fragments of 2 s.
    public init(_ coding: Coding = Coding(), fragmentDuration: TimeSpec = .seconds(2)) {
      self.coding = coding
      self.fragmentDuration = fragmentDuration
    }
  }

  /// An HLS presentation.
  public struct Stream: Sendable, Hashable, Codable {
    /// The sound.
    public var coding: Coding
    /// Least length of a segment.
    public var segmentDuration: TimeSpec
    /// Whether each segment is a file, in a folder named for the output, instead of a byte range of one
    /// file.
    public var hasSegmentFiles: Bool

    /// By default AAC in segments of 6 s that are byte ranges.
    public init(
      _ coding: Coding = Coding(), segmentDuration: TimeSpec = .seconds(6),
      hasSegmentFiles: Bool = false
    ) {
      self.coding = coding
      self.segmentDuration = segmentDuration
      self.hasSegmentFiles = hasSegmentFiles
    }
  }
}

extension Container {
  /// The container of this kind with sound coded as `coding` states; settings that a kind doesn't
  /// have are ignored.
  public init(
    _ kind: ContainerKind, _ coding: Coding, fragmentDuration: TimeSpec = .seconds(2),
    segmentDuration: TimeSpec = .seconds(6), hasSegmentFiles: Bool = false
  ) {
    switch kind {
    case .wav: self = .wav(WAV(encoding: coding.encoding, dither: coding.dither))
    case .bw64:
      var settings = WAV(encoding: coding.encoding, dither: coding.dither)
      settings.admTimes = coding.admTimes
      self = .bw64(settings)
    case .flac:
      var flac = FLAC(encoding: coding.encoding, dither: coding.dither)
      flac.encoderOptions = coding.encoderOptions
      self = .flac(flac)
    case .ogg:
      var ogg = Ogg(bitRate: coding.bitRate)
      ogg.encoderOptions = coding.encoderOptions
      self = .ogg(ogg)
    case .mp4: self = .mp4(Movie(coding, fragmentDuration: fragmentDuration))
    case .hls:
      self = .hls(
        Stream(coding, segmentDuration: segmentDuration, hasSegmentFiles: hasSegmentFiles))
    case .iamf:
      var coding = coding
      coding.iamf = coding.iamf ?? IAMF()
      self = .iamf(coding)
    }
  }

  /// Its kind.
  public var kind: ContainerKind {
    switch self {
    case .wav: return .wav
    case .bw64: return .bw64
    case .flac: return .flac
    case .ogg: return .ogg
    case .mp4: return .mp4
    case .hls: return .hls
    case .iamf: return .iamf
    }
  }

  /// How the sound is coded, in the same form for every container.
  public var coding: Coding {
    switch self {
    case .wav(let settings), .bw64(let settings):
      var coding = Coding(.pcm, encoding: settings.encoding, dither: settings.dither)
      coding.admTimes = settings.admTimes
      return coding
    case .flac(let settings):
      var coding = Coding(.flac, encoding: settings.encoding, dither: settings.dither)
      coding.encoderOptions = settings.encoderOptions
      return coding
    case .ogg(let settings):
      var coding = Coding(.opus, bitRate: settings.bitRate)
      coding.encoderOptions = settings.encoderOptions
      return coding
    case .mp4(let settings): return settings.coding
    case .hls(let settings): return settings.coding
    case .iamf(let coding): return coding
    }
  }

  /// What of a programme is stored as it is; `nil` for channels of loudspeakers or ears only.
  package var keeps: KeptContent? {
    coding.iamf == nil ? kind.traits.output?.keeps : ContainerTraits.iamf.output?.keeps
  }

  /// Whether reading the file back gives other samples than were written.
  public var isLossy: Bool { !coding.codec.isLossless }

  /// The form of the samples whose bytes are compared and digested when the file is read back: as they lie
  /// in a WAV file, as 24-bit integers from a lossless encoding, as floats from a lossy one and from layers, which
  /// readers calculate.
  var proofFormat: SampleFormat {
    switch self {
    case .wav(let settings), .bw64(let settings): return settings.encoding.format
    default:
      let isCalculated = (coding.iamf?.layers.count ?? 0) > 1
      return isLossy || isCalculated ? .float32 : .integer24
    }
  }

  /// Whether writing the file never overtakes a spool of three bytes a sample in the same file: no sample
  /// takes more, or the spool lies elsewhere.
  var leavesPackedSpool: Bool {
    switch self {
    case .wav(let settings), .bw64(let settings): return settings.encoding.bytes <= 3
    default: return kind.traits.output?.overwritesSpool != true
    }
  }

  /// Least length of a fragment or segment; `nil` where there are none.
  var fragmentDuration: TimeSpec? {
    switch self {
    case .mp4(let settings): return settings.fragmentDuration
    case .hls(let settings): return settings.segmentDuration
    default: return nil
    }
  }
}
