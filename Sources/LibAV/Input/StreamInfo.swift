import AudioCore

/// Properties of one stream in its container, before decoding.
package struct StreamInfo: Sendable {
  /// Kinds of streams.
  package enum Kind: String, Sendable, Codable, CaseIterable {
    /// Sound, whether it can be decoded or not.
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
  package var index: Int
  /// Container's own id of the stream (MP4 track id, TS PID).
  package var id: Int
  /// Kind of stream.
  package var kind: Kind
  /// libav's codec name, e.g. `eac3`; `none` when unknown.
  package var codec: String
  /// Codec profile, e.g. `HE-AAC`, or `nil`.
  package var profile: String?
  /// The sample entry or codec tag as four characters, when it is printable.
  package var tag: String?
  /// What is known of the sound; of other kinds of stream it says nothing.
  package var sound: SoundInfo
  /// Seconds per tick as numerator and denominator.
  package var timeBase: (numerator: Int64, denominator: Int64)
  /// First timestamp in ticks.
  package var startTime: Int64?
  /// Duration in ticks.
  package var duration: Int64?
  /// Codec header bytes.
  package var extradata: [UInt8]
  /// Tags of the stream; keys lower case.
  package var metadata: [String: String]
  /// Whether the container marks the stream as default.
  package var isDefault: Bool
  /// Other marks: `forced`, `comment`, `hearing_impaired`, `visual_impaired`, `dub`.
  package var dispositions: [String]

  /// Properties of the pictures; `nil` for other kinds of streams.
  package var picture: PictureInfo?

  /// The one audio stream of a raw file that libav doesn't know.
  package init(elementary codec: String) {
    (index, id, kind, self.codec) = (0, 0, .audio, codec)
    sound = SoundInfo()
    timeBase = (1, 1)
    extradata = []
    metadata = [:]
    isDefault = true
    dispositions = []
  }

  /// What is known of the codec.
  package var codecTraits: CodecTraits {
    sound.isDirectStream ? .directStream : CodecTraits.named(codec)
  }

  /// Options that libavcodec's decoder of this stream needs besides those that are asked for.
  package var decoderOptions: [String: String] {
    sound.channels == 2 ? codecTraits.stereoOptions : [:]
  }

  /// Name of the coding where it is one of sound in space that Pinna doesn't decode, e.g. `APAC`; `nil` for any other.
  package var spatialCoding: String? {
    CodecTraits.spatialCodings[codec] ?? tag.flatMap { CodecTraits.spatialCodings[$0] }
  }

  /// ISO 639 language tag, if any.
  package var language: String? { metadata["language"] }

  /// `ticks` of this stream as samples at `rate`, rounded to nearest.
  package func samples(_ ticks: Int64, at rate: Int) -> Int64 {
    MediaTime.rescale(ticks, by: timeBase.numerator * Int64(rate), over: timeBase.denominator)
  }
}
