/// Gives the coded frames of one audio track in order, as MP4 holds them.
protocol AccessUnitSource: AnyObject {
  /// Ticks a second of all times.
  var timescale: Int64 { get }

  /// Where time 0 lies on the source's clock, in seconds as ticks over a rate; known once the first
  /// unit has been read.
  var origin: (ticks: Int64, rate: Int64) { get }

  /// The next frame; `nil` behind the last.
  /// - Throws: ``MediaError`` when the track is damaged or has gaps.
  func next() throws -> AccessUnit?
}
