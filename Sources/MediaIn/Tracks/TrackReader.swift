import AudioCore

/// A decoded audio track: its programme, and how far decoding has come.
package protocol TrackReader: TimedSource {
  /// What was known of the track when it was opened.
  var track: TrackDescription { get }
  /// Samples handed out or left out so far.
  var decodedSamples: Int64 { get }
  /// Samples handed out before the bitstream first stated another mix to two channels than the
  /// programme's facts; `nil` while it hasn't.
  var downmixChange: Int64? { get }
  /// What is known of the programme's objects; empty for a bed.
  /// - Throws: ``MediaError`` for objects whose times can't be read.
  func objects() throws -> [ObjectFacts]
}

extension TrackReader {
  /// None.
  package func objects() -> [ObjectFacts] { [] }
}
