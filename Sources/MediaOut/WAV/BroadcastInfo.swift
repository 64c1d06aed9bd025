/// Content of the `bext` chunk (EBU Tech 3285, version 2).
package struct BroadcastInfo: Sendable, Equatable {
  /// Free text, at most 256 bytes.
  package var description: String
  /// Samples since midnight of the first sample.
  package var timeReference: UInt64
  /// Integrated loudness, LUFS.
  package var loudness: Double?
  /// Loudness range, LU.
  package var range: Double?
  /// Maximum true peak, dBTP.
  package var truePeak: Double?
  /// Maximum momentary loudness, LUFS.
  package var momentaryMax: Double?
  /// Maximum short-term loudness, LUFS.
  package var shortTermMax: Double?
  /// One line a processing step (EBU R 98), each ended by CR LF.
  package var codingHistory: String

  /// Information with its coding history; loudness fields are unset.
  package init(description: String, timeReference: UInt64, codingHistory: String) {
    self.description = description
    self.timeReference = timeReference
    self.codingHistory = codingHistory
  }
}
