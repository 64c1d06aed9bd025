import AudioCore

/// Moves times of the source, in milliseconds, to the output's presentation, and cuts them to it.
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
  }

  /// The part of a time on the source's clock that the output presents; `nil` when it presents none.
  func clip(start: Int64, end: Int64) -> (start: Int64, end: Int64)? {
    let first = max(begin, start.clamped(to: CueWindow.bounds) + shift)
    let last = min(self.end, end.clamped(to: CueWindow.bounds) + shift)
    return last > first && last > 0 ? (max(0, first), last) : nil
  }

  /// The same for a time that counts from the beginning of the source's presentation.
  func clip(fromOrigin start: Int64, end: Int64) -> (start: Int64, end: Int64)? {
    clip(
      start: start.clamped(to: CueWindow.bounds) + origin,
      end: end.clamped(to: CueWindow.bounds) + origin)
  }
}
