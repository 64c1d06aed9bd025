import Loudness

/// Peaks above the limit that lie close together, so that they are lowered by one encoding of the sound
/// around them.
struct PeakJob {
  /// Frames between two peaks from which on each gets an encoding of its own.
  private static let gap = 12
  /// Frames that one job may reach over, so that its sound fits in memory.
  private static let length = 96

  /// In the order of their places; not empty.
  private(set) var peaks: [PeakLocator.Peak]
  /// The packets to be replaced at first.
  private(set) var span: ClosedRange<Int>

  /// The highest of the peaks, linear.
  var highest: Float { peaks.reduce(0) { max($0, $1.level) } }

  /// Jobs for `peaks`, which are in the order of their places; `reach` gives the samples that lowering a
  /// peak changes.
  static func jobs(
    for peaks: [PeakLocator.Peak], grid: PacketGrid, reach: (Int64) -> Range<Int64>
  ) -> [PeakJob] {
    var jobs: [PeakJob] = []
    for peak in peaks {
      let span = grid.packets(over: reach(peak.position))
      if let last = jobs.last, span.lowerBound - last.span.upperBound <= gap,
        span.upperBound - last.span.lowerBound < length
      {
        jobs[jobs.count - 1].peaks.append(peak)
        jobs[jobs.count - 1].span =
          last.span.lowerBound...max(last.span.upperBound, span.upperBound)
      } else {
        jobs.append(PeakJob(peaks: [peak], span: span))
      }
    }
    return jobs
  }
}
