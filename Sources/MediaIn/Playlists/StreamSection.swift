import AudioCore

/// Consecutive segments of HLS that share a container and a clock (RFC 8216, 4.3.2.3).
package struct StreamSection: Sendable, Equatable {
  /// Number of its first segment in the playlist, counted from 0.
  package let firstSegment: Int
  /// How many segments it has.
  package internal(set) var segmentCount: Int
  /// Duration that the playlist states, in nanoseconds.
  package internal(set) var duration: Int64
  /// Greatest rounding error of the duration, in nanoseconds.
  package internal(set) var uncertainty: Int64
  /// Whether the playlist states that the segments are missing (EXT-X-GAP).
  package let isGap: Bool

  /// Groups the segments of a playlist: a discontinuity, another initialisation section or a gap
  /// begins a new section.
  static func sections(of segments: [PlaylistSegment]) -> [StreamSection] {
    var result: [StreamSection] = []
    for (index, segment) in segments.enumerated() {
      let before = index > 0 ? segments[index - 1] : nil
      let goesOn =
        !segment.isDiscontinuous && segment.map == before?.map && segment.isGap == before?.isGap
      if goesOn, !result.isEmpty {
        result[result.count - 1].segmentCount += 1
        result[result.count - 1].duration += segment.duration
        result[result.count - 1].uncertainty += segment.uncertainty
      } else {
        result.append(
          StreamSection(
            firstSegment: index, segmentCount: 1, duration: segment.duration,
            uncertainty: segment.uncertainty, isGap: segment.isGap))
      }
    }
    return result
  }
}
