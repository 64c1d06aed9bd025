import AudioCore

/// Moves times of the source to the output's presentation, and cuts them to it: those of subtitles in
/// milliseconds, those of chapters exactly.
struct CueWindow {
  /// Bounds of all times; damaged times saturate here.
  private static let bounds: ClosedRange<Int64> = -(1 << 58)...(1 << 58)

  /// Milliseconds from the source's clock to the output's.
  private let shift: Int64
  /// Where the source's presentation begins on its clock.
  private let origin: Int64
  /// First and last millisecond of what the output presents.
  private let begin: Int64
  private let end: Int64
  /// The output's clock, and the same bounds exactly; no last one without an end.
  private let clock: PresentationClock
  private let exactBegin: MediaTime
  private let exactEnd: MediaTime?
  private let tempo: Tempo
  /// Samples a second of the output.
  private let rate: Int

  /// - Parameters:
  ///   - hasStart: whether a range begins later than the input.
  ///   - audio: the place of the sound.
  ///   - clock: the output's clock.
  init(hasStart: Bool, audio: Companions.Place, clock: PresentationClock) {
    shift = clock.time(0, numerator: 1, denominator: 1000, timescale: 1000)
    func milliseconds(_ ticks: Int64) -> Int64 {
      MediaTime.rescale(ticks, by: 1000, over: audio.sourceRate).clamped(to: CueWindow.bounds)
    }
    origin = milliseconds(audio.origin)
    let start = milliseconds(audio.start) + shift
    begin = hasStart ? start : 0
    end = audio.length.map { start + milliseconds($0) } ?? .max
    self.clock = clock
    tempo = audio.tempo
    rate = Int(audio.rate)
    exactBegin = hasStart ? clock.soundStart : MediaTime(ticks: 0, rate: 1)
    exactEnd = audio.length.map { clock.soundStart + MediaTime(ticks: $0, rate: audio.sourceRate) }
  }

  /// The part of a time on the source's clock that the output presents; `nil` when it presents none.
  func clip(start: Int64, end: Int64) -> (start: Int64, end: Int64)? {
    let first = max(begin, start.clamped(to: CueWindow.bounds) + shift)
    let last = min(self.end, end.clamped(to: CueWindow.bounds) + shift)
    guard last > first, last > 0 else { return nil }
    let start = paced(max(0, first))
    // However much faster the sound becomes, a text has a length.
    return (start, max(start + 1, paced(last)))
  }

  /// Where in the output a part of the source begins, exactly; `nil` when the output presents none of it.
  func begin(of start: MediaTime, end: MediaTime) -> MediaTime? {
    let first = max(exactBegin, clock.time(start))
    let last = clock.time(end)
    let bound = exactEnd.map { min($0, last) } ?? last
    guard first < bound else { return nil }
    // A tempo moves times against the beginning of the sound.
    return clock.soundStart + tempo.time(first + -clock.soundStart, rate: rate)
  }

  /// The same for milliseconds of the output.
  private func paced(_ milliseconds: Int64) -> Int64 {
    let start = clock.soundStart.samples(at: 1000)
    return start + tempo.frames(milliseconds - start)
  }

  /// The same as ``clip(start:end:)`` for a time that counts from the beginning of the source's presentation.
  func clip(fromOrigin start: Int64, end: Int64) -> (start: Int64, end: Int64)? {
    clip(
      start: start.clamped(to: CueWindow.bounds) + origin,
      end: end.clamped(to: CueWindow.bounds) + origin)
  }
}
