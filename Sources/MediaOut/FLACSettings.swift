import AudioCore
import LibAV

/// Everything a ``FLACWriter`` must know before the first sample.
package struct FLACSettings: Sendable {
  /// Rate, 1…655350 Hz, and layout, 1…8 channels.
  package var format: AudioFormat
  /// Bits of a sample, 16 or 24.
  package var bits = 24
  /// Dither.
  package var dither = Dither.none
  /// Options for the encoder by libavcodec's names.
  package var encoderOptions: [String: String] = [:]
  /// Descriptive tags.
  package var tags = MediaTags()
  /// Who made the file, for ENCODED_BY.
  package var maker = ""
  /// Pictures with their kinds, each at most ``FLACWriter/longestBlock`` bytes.
  package var pictures: [AttachedPicture] = []
  /// Chapters: as Vorbis comments, and as a cue sheet where it holds them all.
  package var chapters: [ProgrammeMarker] = []
  /// Samples per channel that will be written; only chapters need it.
  package var frames: Int64 = 0

  /// Settings without tags.
  package init(format: AudioFormat) { self.format = format }
}
