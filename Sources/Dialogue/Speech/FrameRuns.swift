// SPDX-License-Identifier: Apache-2.0

/// A set of frames as runs, ascending and never next to each other.
package struct FrameRuns: Sendable, Equatable {
  /// The runs.
  package private(set) var ranges: [Range<Int>] = []

  /// No frames.
  package init() {}

  /// The frames of `ranges`, which ascend and don't overlap.
  package init(_ ranges: some Sequence<Range<Int>>) {
    for range in ranges { append(range) }
  }

  /// The frames below `count` that `holds` is true of.
  package init(below count: Int, where holds: (Int) -> Bool) {
    var start: Int?
    for frame in 0..<count {
      if holds(frame) {
        start = start ?? frame
      } else if let begun = start {
        ranges.append(begun..<frame)
        start = nil
      }
    }
    if let start { ranges.append(start..<count) }
  }

  /// Number of frames.
  package var count: Int { ranges.reduce(0) { $0 + $1.count } }

  /// Adds a run that begins where the last one ends, or later.
  package mutating func append(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    if let last = ranges.last, last.upperBound >= range.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
    } else {
      ranges.append(range)
    }
  }

  /// Adds the runs of `other`, `distance` frames later.
  package mutating func append(_ other: FrameRuns, movedBy distance: Int) {
    for range in other.ranges {
      append(range.lowerBound + distance..<range.upperBound + distance)
    }
  }

  /// The runs with breaks of at most `longest` frames between two of them filled.
  package func bridged(_ longest: Int) -> FrameRuns {
    var bridged = FrameRuns()
    for range in ranges {
      if let last = bridged.ranges.last, range.lowerBound - last.upperBound <= longest {
        bridged.append(last.upperBound..<range.upperBound)
      } else {
        bridged.append(range)
      }
    }
    return bridged
  }

  /// The runs of at least `least` frames.
  package func dropping(below least: Int) -> FrameRuns {
    FrameRuns(ranges.filter { $0.count >= least })
  }

  /// The frames that are in both sets.
  package func intersection(_ other: FrameRuns) -> FrameRuns {
    var common = FrameRuns()
    var (one, two) = (0, 0)
    while one < ranges.count && two < other.ranges.count {
      let (a, b) = (ranges[one], other.ranges[two])
      let start = max(a.lowerBound, b.lowerBound)
      let end = min(a.upperBound, b.upperBound)
      if start < end { common.append(start..<end) }
      if a.upperBound < b.upperBound { one += 1 } else { two += 1 }
    }
    return common
  }

  /// The frames in `range`.
  package func clamped(to range: Range<Int>) -> FrameRuns {
    // Long programmes have thousands of runs, and are asked for each of their passages.
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    var inside = FrameRuns()
    while low < ranges.count, ranges[low].lowerBound < range.upperBound {
      inside.append(ranges[low].clamped(to: range))
      low += 1
    }
    return inside
  }

  /// The frames below `count` that aren't in the set.
  package func complement(below count: Int) -> FrameRuns {
    var rest = FrameRuns()
    var start = 0
    for range in ranges {
      rest.append(start..<max(start, min(range.lowerBound, count)))
      start = range.upperBound
    }
    rest.append(start..<max(start, count))
    return rest
  }

  /// The frames of either set.
  package func joined(_ other: FrameRuns) -> FrameRuns {
    FrameRuns((ranges + other.ranges).sorted { $0.lowerBound < $1.lowerBound })
  }
}
