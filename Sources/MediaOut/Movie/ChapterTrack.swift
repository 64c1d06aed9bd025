import AudioCore
import ISOBMFF

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
