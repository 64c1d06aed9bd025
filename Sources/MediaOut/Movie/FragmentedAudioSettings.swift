import AudioCore
import ISOBMFF
import LibAV

/// Everything a ``FragmentedAudioWriter`` must know before the first sample.
package struct FragmentedAudioSettings: Sendable {
  /// Rate and layout.
  package var format: AudioFormat
  /// Encoding of the packets.
  package var encoding: AudioEncoding
  /// Whether the two channels are made for headphones; the sample entry then states it.
  package var isBinaural = false
  /// Options for the encoder by libavcodec's names.
  package var encoderOptions: [String: String] = [:]
  /// Bits of a sample, 16 or 24; lossless encodings only.
  package var bits = 24
  /// Bit rate in bit/s; `nil` takes the encoder's own. Not for lossless encodings.
  package var bitRate: Int?
  /// Dither for lossless encodings.
  package var dither = Dither.none
  /// Samples per channel that will be written.
  package var frames: Int64
  /// Least length of a fragment in samples.
  package var fragmentDuration: Int64
  /// Samples by which the track begins later than the earliest of the presentation.
  package var startOffset: Int64 = 0
  /// Language: a code of ISO 639-2/T or a tag of BCP 47; empty when unknown.
  package var language = ""
  /// Name that users give the track; `nil` without one.
  package var title: String?
  /// Whether an edit list skips the start-up samples; see ``MovieTrack/editsPriming``.
  package var editsPriming = true
  /// Whether the fragments are to become files; see ``FragmentedMP4Settings/isForSegmentFiles``.
  package var isForSegmentFiles = false
  /// Descriptive tags and who made the file.
  package var tags = MovieTags()
  /// Loudness of what is written.
  package var loudness: TrackLoudness?

  /// Settings without tags.
  package init(
    format: AudioFormat, encoding: AudioEncoding, frames: Int64, fragmentDuration: Int64
  ) {
    self.format = format
    self.encoding = encoding
    self.frames = frames
    self.fragmentDuration = fragmentDuration
  }
}
