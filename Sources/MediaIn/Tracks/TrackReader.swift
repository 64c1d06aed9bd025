import AudioCore
import LibAV

/// A decoded audio track: what the timeline reads, and what the stream itself says.
public protocol TrackReader: TimedSource {
  /// The stream being read.
  var stream: StreamInfo { get }
  /// Name of the decoded sample format, e.g. `fltp`.
  var sampleFormat: String { get }
  /// Samples handed out so far.
  var decodedSamples: Int64 { get }
  /// Samples the track probably has.
  var expectedSamples: Int64? { get }
  /// Samples the container declares, where it doesn't merely guess them.
  var declaredSamples: Int64? { get }
  /// Dialogue normalisation of the bitstream, dB.
  var dialnorm: Double? { get }
  /// Whether the bitstream carries dynamic range control that could be applied.
  var hasDynamicRange: Bool? { get }
  /// Whether the track holds audio objects: `yes`, `no` or `unknown`.
  var objects: String { get }
  /// Whether the programme was made for headphones already.
  var isPreVirtualized: Bool { get }
  /// What the programme says where decoding begins about its mix to two channels; `nil` for nothing.
  var downmix: CarriedDownmix? { get }
  /// Samples handed out before the programme first said something else about it.
  var downmixChange: Int64? { get }
}

extension MediaFile {
  /// Opens the decoder of `stream`: AC-4 has our own, everything else libavcodec's.
  /// - Throws: ``MediaError`` as ``AudioTrackReader`` and ``AC4TrackReader`` do.
  public func makeReader(
    stream: StreamInfo, options: InputOptions, log: DiagnosticLog
  ) throws -> TrackReader {
    guard stream.codec == AC4TrackReader.codec else {
      guard options.presentation == nil, options.dialogueGain == 0 else {
        throw MediaError(
          .usage,
          "--presentation and --dialog-enhancement: only AC-4 has them, the track is "
            + stream.codec)
      }
      return try AudioTrackReader(media: self, stream: stream, options: options, log: log)
    }
    return try AC4TrackReader(media: self, stream: stream, options: options, log: log)
  }
}
