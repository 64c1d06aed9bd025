import ADM
import AudioCore

/// Makes the planes of a programme of a file's tracks.
final class PlaneMixer {
  private let planes: [ScenePlane]
  /// Samples before the ones to be mixed that delays reach back to.
  let history: Int

  /// A mixer for `planes`.
  init(_ planes: [ScenePlane]) {
    self.planes = planes
    history = planes.map(\.terms.delay).max() ?? 0
  }

  /// Appends samples to `target`, which has a channel for each plane: one for each of `tracks` behind the
  /// first ``history``, of which the first has number `position`.
  func mix(_ tracks: AudioBuffer, at position: Int64, into target: AudioBuffer) {
    let count = tracks.frames - history
    let start = target.frames
    target.appendSilence(count)
    for (index, plane) in planes.enumerated() {
      let first = Int(min(max(0, plane.range.lowerBound - position), Int64(count)))
      let end = Int(min(max(0, plane.range.upperBound - position), Int64(count)))
      guard first < end, let to = target.channel(index).baseAddress else { continue }
      for term in plane.terms.terms {
        guard let from = tracks.channel(term.track).baseAddress else { continue }
        PlaneMixer.add(
          from + history - term.delay + first, to + start + first, end - first,
          Float(term.gain * plane.gain))
      }
    }
  }

  /// Adds `count` samples; a gain of 1 changes none.
  private static func add(
    _ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>, _ count: Int,
    _ gain: Float
  ) {
    for index in 0..<count { target[index] += gain * source[index] }
  }
}
