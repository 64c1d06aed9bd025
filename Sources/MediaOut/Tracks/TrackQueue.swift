// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The samples of one track that aren't written yet.
///
/// The newest is held back: how long it lasts is only known from the next one, or from the end of
/// the track.
struct TrackQueue {
  let track: OutputTrackFacts
  private var pending: [MediaSample] = []
  private var isFirst = true
  private var isClosed = false

  init(_ track: OutputTrackFacts) { self.track = track }

  /// The newest sample.
  var last: MediaSample? { pending.last }

  /// Ticks of media from the first sample to the last that is presented.
  private var mediaEnd: Int64 { track.priming + track.length }

  /// Takes a sample, which determines how long the one before lasts. Audio after the last valid
  /// sample is left out.
  /// - Returns: whether it was taken.
  mutating func add(_ sample: MediaSample, name: String) throws -> Bool {
    guard sample.decodeTime >= 0, sample.decodeTime < 1 << 60,
      (1...Int64(UInt32.max)).contains(sample.duration),
      (0...Int64(UInt32.max)).contains(sample.compositionOffset)
    else { throw MediaError(.internal, about: name, "a sample's times are out of range") }
    // A track without a valid sample takes none.
    if track.kind == .sound, mediaEnd <= 0 { return false }
    guard let last = pending.indices.last else {
      guard isFirst, sample.decodeTime == 0 else {
        throw MediaError(.internal, about: name, "the first sample must be decoded at 0")
      }
      isFirst = false
      pending.append(sample)
      return true
    }
    let duration = sample.decodeTime - pending[last].decodeTime
    guard (1...Int64(UInt32.max)).contains(duration) else {
      throw MediaError(
        .internal, about: name, "decode time \(sample.decodeTime) doesn't follow the sample before")
    }
    if track.kind == .sound, sample.decodeTime >= mediaEnd { return false }
    pending[last].duration = duration
    pending.append(sample)
    return true
  }

  /// Ends the track; the last audio sample is cut to what is valid, unless it is to keep its length.
  mutating func close(name: String, cutsEnd: Bool = true) throws {
    isClosed = true
    guard track.kind == .sound else { return }
    let last = pending.indices.last
    let missing = mediaEnd - (last.map { pending[$0].decodeTime + pending[$0].duration } ?? 0)
    guard missing <= 0 else {
      throw MediaError(.internal, about: name, "its media end \(missing) samples early")
    }
    if let last, cutsEnd { pending[last].duration += missing }
  }

  /// Whether nothing more can come that begins before `cut`. Fragments don't wait for subtitles and
  /// chapters, which may be minutes apart.
  func isComplete(before cut: MediaTime) -> Bool {
    isClosed || track.kind == .subtitles || track.kind == .chapters
      || (last.map { track.instant($0) >= cut } ?? false)
  }

  /// Whether nothing more can come that is decoded before `time`.
  func isComplete(beforeDecoding time: Int64) -> Bool {
    isClosed || (last.map { $0.decodeTime >= time } ?? false)
  }

  /// Removes and returns the settled samples that are decoded before `time`, or all.
  mutating func take(beforeDecoding time: Int64?) -> [MediaSample] {
    takeWhile { sample in time.map { sample.decodeTime < $0 } ?? true }
  }

  /// Removes and returns the settled samples that begin before `cut`, or all.
  mutating func take(before cut: MediaTime?) -> [MediaSample] {
    let track = track
    return takeWhile { sample in
      cut.map { track.instant(sample) < $0 } ?? true
    }
  }

  private mutating func takeWhile(_ belongs: (MediaSample) -> Bool) -> [MediaSample] {
    // Chapters state how long they last.
    let isSettled = isClosed || track.kind == .chapters
    let settled = isSettled ? pending.count : max(0, pending.count - 1)
    var count = 0
    while count < settled, belongs(pending[count]) { count += 1 }
    let taken = Array(pending.prefix(count))
    pending.removeFirst(count)
    return taken
  }
}
