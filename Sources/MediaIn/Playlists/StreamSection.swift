import AudioCore

/// Segments of HLS that belong together: one container, one clock (RFC 8216, 4.3.2.3).
public struct StreamSection: Sendable, Equatable {
  /// Number of its first segment in the playlist, counted from 0.
  public let firstSegment: Int
  /// How many segments it has.
  public internal(set) var segmentCount: Int
  /// Nanoseconds it lasts, as the playlist says.
  public internal(set) var duration: Int64
  /// Nanoseconds by which rounding may make that wrong.
  public internal(set) var uncertainty: Int64
  /// Whether the playlist says that nothing is there (EXT-X-GAP).
  public let isGap: Bool

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
