// SPDX-License-Identifier: Apache-2.0

/// Decides from the features of a signal where people speak in it, and which frames are speech and no pause.
package struct SpeechDetector {
  /// Scores between which the decision stays as it was: beginnings and ends have fewer glides in their window.
  private static let on = 0.0
  private static let off = -0.08
  /// Frames of the longest break that is bridged, 0.6 s, and of the shortest passage, 0.4 s.
  static let longestBreak = 30
  static let shortestPassage = 20
  /// Frames on each side in which the levels of speech and background are measured: 1.5 s.
  private static let near = 75
  /// Decibels below the level of speech at which a frame is a pause (ITU-T P.56), and their power ratio.
  private static let margin = 15.9
  private static let marginPower = 0.025703957827688632
  /// ... but at least this part of the way from the background up to the speech: over loud music words rise by a few dB only.
  private static let rise = 0.35
  /// Level in dBFS below which nothing is speech.
  private static let absolute = -75.0
  /// Frames of the longest pause that belongs to the speech, 200 ms (P.56's hangover), and of the shortest burst.
  static let longestPause = 10
  static let shortestBurst = 2
  /// Frames that are worked on at once.
  static let chunk = 1024

  /// Frames in which people speak, pauses included.
  package let passages: FrameRuns
  /// Frames of passages that are speech.
  package let speech: FrameRuns

  /// Decides about all `frames` of a signal.
  package init(_ frames: SpeechFrames) {
    passages = SpeechDetector.passages(frames.scores)
    var speech = FrameRuns()
    for passage in passages.ranges {
      speech.append(SpeechDetector.speech(in: passage, frames.powers, passages), movedBy: 0)
    }
    self.speech = speech
  }

  /// The runs of scores above the lower limit that reach the upper one; short breaks bridged, then short runs dropped.
  static func passages(_ scores: [Double]) -> FrameRuns {
    let runs = FrameRuns(below: scores.count) { scores[$0] > off }
    let reaching = runs.ranges.filter { run in run.contains { scores[$0] > on } }
    return FrameRuns(reaching).bridged(longestBreak).dropping(below: shortestPassage)
  }

  /// The speech frames of one passage. Passages are further apart than pauses that are bridged.
  private static func speech(
    in passage: Range<Int>, _ powers: [Double], _ passages: FrameRuns
  ) -> FrameRuns {
    var found = FrameRuns()
    for start in stride(from: passage.lowerBound, to: passage.upperBound, by: chunk) {
      let places = start..<min(passage.upperBound, start + chunk)
      let thresholds = thresholds(at: places, powers, passages)
      let runs = FrameRuns(below: places.count) { index in
        let level = PlainMaths.decibels(power: powers[places.lowerBound + index])
        return level > thresholds[index] && level > absolute
      }
      found.append(runs, movedBy: start)
    }
    return found.bridged(longestPause).dropping(below: shortestBurst)
  }

  /// The level in dB that a frame of speech exceeds, at each of `places`.
  private static func thresholds(
    at places: Range<Int>, _ powers: [Double], _ passages: FrameRuns
  ) -> [Double] {
    let region = Neighbourhood(places, reach: 2 * near, powers, passages)
    let speech = region.speechPowers(near, marginPower)
    let background = region.lowest(near)
    return zip(speech, background).map { speech, background in
      let upper = PlainMaths.decibels(power: max(speech, 1e-12))
      let lower = PlainMaths.decibels(power: max(background, 1e-12))
      return max(upper - margin, lower + rise * (upper - lower))
    }
  }
}

/// Frames and those around them, so far as the decision about them depends on them.
private struct Neighbourhood {
  /// The frames to decide about, counted from the first one of `powers`.
  private let places: Range<Int>
  private let powers: [Double]
  /// 1 in passages.
  private let on: [Double]

  /// The frames `places` and up to `reach` on each side that exist.
  init(_ places: Range<Int>, reach: Int, _ powers: [Double], _ passages: FrameRuns) {
    let first = max(0, places.lowerBound - reach)
    let end = min(powers.count, places.upperBound + reach)
    self.places = places.lowerBound - first..<places.upperBound - first
    self.powers = Array(powers[first..<end])
    var on = [Double](repeating: 0, count: end - first)
    for range in passages.clamped(to: first..<end).ranges {
      for frame in range { on[frame - first] = 1 }
    }
    self.on = on
  }

  /// Power of speech around each place: the mean of frames in passages that lie no further than the margin below the mean of all
  /// frames in passages.
  func speechPowers(_ near: Int, _ margin: Double) -> [Double] {
    let wider = max(0, places.lowerBound - near)..<min(powers.count, places.upperBound + near)
    let mean = mean(of: on, near, at: wider)
    var active = [Double](repeating: 0, count: powers.count)
    for (index, place) in wider.enumerated() {
      active[place] = powers[place] > mean[index] * margin ? on[place] : 0
    }
    return self.mean(of: active, near, at: places)
  }

  /// Mean power of the frames that are 1 in `chosen`, around each of `places`.
  private func mean(of chosen: [Double], _ near: Int, at places: Range<Int>) -> [Double] {
    let weighted = zip(powers, chosen).map { $0 * $1 }
    let sums = WindowSums.means(weighted, before: near, after: near, at: places)
    let parts = WindowSums.means(chosen, before: near, after: near, at: places)
    return zip(sums, parts).map { $0 / max($1, 1e-9) }
  }

  /// Power of the quietest 100 ms around each place.
  func lowest(_ near: Int) -> [Double] {
    let wider = max(0, places.lowerBound - near)..<min(powers.count, places.upperBound + near)
    let means = WindowSums.means(powers, before: 2, after: 2, at: wider)
    return places.map { place in
      let first = max(wider.lowerBound, place - near) - wider.lowerBound
      let last = min(wider.upperBound - 1, place + near) - wider.lowerBound
      return means[first...last].min() ?? 0
    }
  }
}
