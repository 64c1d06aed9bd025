// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The choice of the tick that all times of a file are rounded to.
package enum TimestampScale {
  /// Times of a track, as far as the choice depends on them.
  package struct Times: Sendable, Equatable {
    /// Time of the first block, encoder delay included.
    package var start: MediaTime
    /// Time from each block to the next; `nil` where that varies.
    package var step: MediaTime?
    /// Samples a second of sound; `nil` for other tracks.
    package var sampleRate: Int?

    /// Times of a track. With a step that varies, each tick of `start.rate` may be a time.
    package init(start: MediaTime, step: MediaTime?, sampleRate: Int? = nil) {
      self.start = start
      self.step = step
      self.sampleRate = sampleRate
    }

    /// Whether no time has to be rounded to whole milliseconds.
    fileprivate var areMilliseconds: Bool {
      let step = self.step ?? MediaTime(ticks: 1, rate: start.rate)
      return [start, step].allSatisfy {
        $0.ticks.multipliedReportingOverflow(by: 1000).overflow == false
          && $0.ticks * 1000 % $0.rate == 0
      }
    }
  }

  /// The tick that most programs take, and all that pass over the element.
  package static let millisecond: Int64 = 1_000_000
  /// A tick that rounds by a quarter of a sample at 48 kHz at most and holds milliseconds. Sixteen bits then hold a third of a
  /// second, which bounds the clusters.
  package static let fine: Int64 = 10_000
  /// The tick for sound above 96 kHz; a cluster lasts a sixth of a second at most.
  package static let finest: Int64 = 5_000

  /// Nanoseconds of a tick: a millisecond where no time of these tracks needs rounding, else a fine one.
  package static func choose(_ tracks: [Times]) -> Int64 {
    if tracks.allSatisfy(\.areMilliseconds) { return millisecond }
    return (tracks.compactMap(\.sampleRate).max() ?? 0) > 96_000 ? finest : fine
  }
}
