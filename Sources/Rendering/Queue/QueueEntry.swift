import AudioCore
import Loudness
import PlayQueue

/// One item of a queue after its file was looked at.
enum QueueEntry {
  /// Samples of a track.
  case sound(QueueTrack.Key, QueueTrack, Range<Int64>)
  /// Silence of this length; samples count at the programme's rate.
  case silence(TimeSpec)

  /// Its exact length in a programme of `rate` Hz.
  func length(at rate: Int) -> MediaTime {
    switch self {
    case .sound(_, let track, let range):
      return MediaTime(
        ticks: Int64(range.count), rate: Int64(track.programme.sampleRate))
    case .silence(let length): return Placement.length(ofSilence: length, at: rate)
    }
  }

  /// What its track holds; `nil` for silence.
  var programme: Programme? {
    guard case .sound(_, let track, _) = self else { return nil }
    return track.programme
  }

  /// The rate of the programme of `entries` in Hz: `asked`, else what the queue says, else the one that most samples
  /// have.
  /// - Throws: ``MediaError`` of kind `usage` for a rate at which loudness isn't measured.
  static func rate(
    asked: Int?, _ input: QueueInput, _ entries: [QueueEntry]
  ) throws -> Int {
    let lengths = entries.map { $0.length(at: 48_000) }
    let asked = asked ?? input.queue.rate
    let rate = Placement.programmeRate(asked: asked, input.queue, lengths: lengths) ?? 48_000
    guard LoudnessMeter.sampleRates.contains(rate) else {
      throw MediaError(
        .usage, about: input.name, "rate \(rate): give a sample rate between 8000 and 384000 Hz")
    }
    return rate
  }

  /// The items of `input`, each looked up in `tracks`.
  /// - Throws: ``MediaError`` naming the first item that can't be used.
  static func all(of input: QueueInput, _ tracks: QueueTracks) throws -> [QueueEntry] {
    do { try input.queue.validate() } catch { throw input.error(error) }
    return try input.queue.items.enumerated().map { index, item in
      switch item.source {
      case .silence(let length): return .silence(length)
      case .file(let path, let track, let range):
        return try input.naming(index) {
          let key = QueueTrack.Key(path: path, track: track)
          let found = try tracks.track(key)
          let samples = try range.samples(
            of: found.frames, at: found.programme.sampleRate, item: index + 1)
          return .sound(key, found, samples)
        }
      }
    }
  }
}
