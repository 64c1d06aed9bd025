import AudioCore
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
  /// Samples to be decoded before one whose output is wanted, negative, as
  /// ``EncodingTraits/rollDistance(frame:)`` gives it; `nil` where each can be decoded alone.
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

/// One coded sample (packet, access unit) of a track.
package struct MediaSample: Sendable {
  /// Its bytes.
  package var data: [UInt8]
  /// When it is decoded, in track ticks from 0 at the track's first sample; the writer adds the
  /// track's start offset. Strictly ascending.
  package var decodeTime: Int64
  /// Ticks it lasts, 1…4294967295. What counts is the time to the next sample; this is used for
  /// the last one.
  package var duration: Int64
  /// Ticks from decoding to presentation, 0…4294967295.
  package var compositionOffset: Int64
  /// Whether decoding may begin here.
  package var isSync: Bool

  /// A sample of the given facts.
  package init(
    data: [UInt8], decodeTime: Int64, duration: Int64, compositionOffset: Int64 = 0,
    isSync: Bool = true
  ) {
    self.data = data
    self.decodeTime = decodeTime
    self.duration = duration
    self.compositionOffset = compositionOffset
    self.isSync = isSync
  }
}

/// A track whose samples are coded already: it is pulled while its file is written.
package protocol CodedTrack: AnyObject {
  /// What it is, for messages: the file and which of its tracks.
  var name: String { get }

  /// Its facts.
  var track: MovieTrack { get }

  /// The next sample in decoding order; `nil` after the last.
  /// - Throws: ``MediaError`` when it can't be read.
  func next() throws -> MediaSample?
}

/// The titles of chapters as a track of QuickTime: one sample for each chapter, which lasts until the next one
/// begins. The sound's track refers to it, so that players list the titles; nothing draws it.
///
/// Players read it besides `chpl`, which holds 255 chapters at most.
package final class ChapterTrack: CodedTrack {
  /// Chapters that players see without this track.
  package static let limitWithout = 255

  /// For messages.
  package let name = "the track of chapters"
  /// Its facts.
  package let track: MovieTrack
  private var samples: ArraySlice<MediaSample>

  /// A track of `markers`, which are in order and at different samples of `rate` Hz; the last one lasts to
  /// `end`, or one sample where it begins later.
  ///
  /// `nil` without markers, and where a chapter lasts longer than a sample of MP4 can: 2^32 − 1 ticks, a day at
  /// 48 kHz.
  package init?(_ markers: [ProgrammeMarker], rate: Int, end: MediaTime, language: String = "") {
    let starts = markers.map { max(0, $0.time.samples(at: rate)) }
    guard let first = starts.first, let last = starts.last else { return nil }
    let ends = starts.dropFirst() + [max(last + 1, end.samples(at: rate))]
    guard zip(starts, ends).allSatisfy({ (1...Int64(UInt32.max)).contains($1 - $0) }) else {
      return nil
    }
    samples =
      zip(markers, zip(starts, ends)).map { marker, times in
        MediaSample(
          data: ChapterSampleEntry.sample(marker.title), decodeTime: times.0 - first,
          duration: times.1 - times.0)
      }[...]
    track = MovieTrack(
      kind: .chapters, timescale: rate, sampleEntry: ChapterSampleEntry().encoded,
      language: language, isDefault: false, validDuration: (ends.last ?? last) - first,
      startOffset: first)
  }

  /// The next chapter.
  package func next() -> MediaSample? { samples.popFirst() }
}
