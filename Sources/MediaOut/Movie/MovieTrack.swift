import ISOBMFF

/// A track to be written by ``FragmentedMP4Writer``.
package struct MovieTrack: Sendable {
  /// What a track carries.
  package typealias Kind = TrackBox.Kind

  /// What it carries.
  package var kind: Kind
  /// Ticks a second of all its times, 1…4294967295; the sample rate for audio.
  package var timescale: Int
  /// Its sample entry, a whole box.
  package var sampleEntry: [UInt8]
  /// Language: a code of ISO 639-2/T or a tag of BCP 47; empty when unknown.
  package var language: String
  /// Name that users give it, e.g. `English 5.1`; `nil` without a name.
  package var title: String?
  /// Whether it plays unless the user chooses otherwise.
  package var isDefault: Bool
  /// Ticks of its media before the presented part, 0…2^60: for audio exactly the encoder's priming,
  /// for video the delay by reordering.
  package var mediaTime: Int64
  /// Whether the edit list skips those ticks. It is `false` only for Opus for a browser's
  /// MediaSource: browsers drop the pre-skip of `dOps` already, and an edit would make them drop as
  /// much again. Other readers then play the pre-skip.
  package var editsPriming: Bool
  /// Ticks that are presented, 0…2^60: for audio exactly its valid samples.
  package var validDuration: Int64
  /// Ticks by which it begins later than the earliest track, 0…2^60.
  package var startOffset: Int64
  /// Samples to be decoded before one whose output is wanted, negative: −1 for AAC, see
  /// `OpusSampleEntry.rollDistance` for Opus; `nil` where each can be decoded alone.
  package var rollDistance: Int?
  /// Loudness, where known.
  package var loudness: TrackLoudness?
  /// Width of the picture in pixels.
  package var width: Int
  /// Height of the picture in pixels.
  package var height: Int
  /// Transformation of the picture for display: the nine numbers of `tkhd`; `nil` for none.
  package var displayMatrix: [Int32]?

  /// A track of the given facts.
  package init(
    kind: Kind, timescale: Int, sampleEntry: [UInt8], language: String = "",
    isDefault: Bool = true, mediaTime: Int64 = 0, editsPriming: Bool = true, validDuration: Int64,
    startOffset: Int64 = 0,
    rollDistance: Int? = nil, loudness: TrackLoudness? = nil, width: Int = 0, height: Int = 0,
    displayMatrix: [Int32]? = nil
  ) {
    self.kind = kind
    self.timescale = timescale
    self.sampleEntry = sampleEntry
    self.language = language
    self.isDefault = isDefault
    self.mediaTime = mediaTime
    self.editsPriming = editsPriming
    self.validDuration = validDuration
    self.startOffset = startOffset
    self.rollDistance = rollDistance
    self.loudness = loudness
    self.width = width
    self.height = height
    self.displayMatrix = displayMatrix
  }

  /// The same track, with the part of its priming that fits into its start offset as presented
  /// media.
  ///
  /// Readers play start-up samples that lie after the presentation's beginning, even if the edit
  /// skips them; Chromium then counts them twice. The first valid sample keeps its time.
  var withPresentedPriming: MovieTrack {
    guard kind == .audio, editsPriming else { return self }
    let presented = min(startOffset, mediaTime)
    var track = self
    track.startOffset -= presented
    track.mediaTime -= presented
    track.validDuration += presented
    return track
  }
}
