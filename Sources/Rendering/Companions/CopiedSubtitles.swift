import AudioCore
import ISOBMFF
import MediaIn
import MediaOut

/// Feeds a subtitle track to the writer as timed text: one sample for each time in which the same
/// texts are shown, empty ones between.
final class CopiedSubtitles: CodedTrack {
  /// Ticks a second.
  private static let timescale: Int64 = 1000

  let name: String
  let track: MovieTrack
  private var samples: ArraySlice<MediaSample>

  init(_ subtitles: CarriedSubtitles) {
    let made = CopiedSubtitles.samples(subtitles.cues)
    samples = made[...]
    name = subtitles.source
    var track = MovieTrack(
      kind: .text, timescale: Int(CopiedSubtitles.timescale),
      sampleEntry: TimedTextSampleEntry(isForced: subtitles.isForced).encoded,
      language: subtitles.language, isDefault: subtitles.isDefault,
      validDuration: made.last.map { $0.decodeTime + $0.duration } ?? 0)
    track.title = subtitles.title
    self.track = track
  }

  func next() -> MediaSample? { samples.popFirst() }

  /// Texts shown at the same time stand below each other, because timed text can't overlap.
  static func samples(_ cues: [SubtitleCue]) -> [MediaSample] {
    let times = Set([0] + cues.flatMap { [$0.start, $0.end] }).sorted()
    var active: [SubtitleCue] = []
    var waiting = cues[...]
    return zip(times, times.dropFirst()).map { begin, end in
      active.removeAll { $0.end <= begin }
      while let cue = waiting.first, cue.start <= begin {
        if cue.end > begin { active.append(cue) }
        waiting.removeFirst()
      }
      return MediaSample(
        data: TimedTextSampleEntry.sample(.joined(active.map(\.text))), decodeTime: begin,
        duration: end - begin)
    }
  }
}
