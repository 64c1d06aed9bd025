import AudioCore

/// What a container says of one stream, before decoding.
public struct StreamInfo: Sendable {
  /// Kinds of stream that matter here.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// Decodable or refusable sound.
    case audio
    /// Moving pictures.
    case video
    /// A still picture (cover art).
    case picture
    /// Text or bitmap subtitles.
    case subtitle
    /// Attachments and data.
    case other
  }

  /// Index in the container.
  public var index: Int
  /// Container's own id of the stream (MP4 track id, TS PID).
  public var id: Int
  /// Kind of stream.
  public var kind: Kind
  /// libav's codec name, e.g. `eac3`; `none` when unknown.
  public var codec: String
  /// Codec profile, e.g. `HE-AAC`, or `nil`.
  public var profile: String?
  /// The sample entry or codec tag as four characters, when it is printable.
  public var tag: String?
  /// Hz; 0 when unknown.
  public var sampleRate: Int
  /// Number of channels; 0 when unknown.
  public var channels: Int
  /// The layout, when the container or codec names one.
  public var layout: ChannelLayout?
  /// Samples in a codec frame; 0 when it varies.
  public var frameSize: Int
  /// Whether the codec gives back exactly what went in.
  public var isLossless: Bool
  /// Significant bits of integer samples; 0 when unknown or lossy.
  public var bitsPerSample: Int
  /// Seconds per tick as numerator and denominator.
  public var timeBase: (numerator: Int64, denominator: Int64)
  /// First timestamp in ticks.
  public var startTime: Int64?
  /// Duration in ticks.
  public var duration: Int64?
  /// Samples the codec puts before the programme, as the container or codec header says.
  public var initialPadding: Int
  /// Codec header bytes.
  public var extradata: [UInt8]
  /// Tags of the stream; keys lower case.
  public var metadata: [String: String]
  /// Whether the container marks the stream as default.
  public var isDefault: Bool
  /// Other marks: `forced`, `comment`, `hearing_impaired`, `visual_impaired`, `dub`.
  public var dispositions: [String]

  /// What is known of the pictures; `nil` for other kinds of stream.
  public var picture: PictureInfo?

  /// The one audio stream of a raw file that libav doesn't know.
  public init(elementary codec: String) {
    (index, id, kind, self.codec) = (0, 0, .audio, codec)
    (sampleRate, channels, frameSize, bitsPerSample, initialPadding) = (0, 0, 0, 0, 0)
    isLossless = false
    timeBase = (1, 1)
    extradata = []
    metadata = [:]
    isDefault = true
    dispositions = []
  }

  /// ISO 639 language tag, if any.
  public var language: String? { metadata["language"] }

  /// `ticks` of this stream as samples at `rate`, rounded to nearest.
  public func samples(_ ticks: Int64, at rate: Int) -> Int64 {
    MediaTime.rescale(ticks, by: timeBase.numerator * Int64(rate), over: timeBase.denominator)
  }
}
