/// Content of the `bext` chunk (EBU Tech 3285, version 2).
public struct BroadcastInfo: Sendable, Equatable {
  /// Free text, at most 256 bytes.
  public var description: String
  /// Samples since midnight of the first sample.
  public var timeReference: UInt64
  /// Integrated loudness, LUFS.
  public var loudness: Double?
  /// Loudness range, LU.
  public var range: Double?
  /// Maximum true peak, dBTP.
  public var truePeak: Double?
  /// Maximum momentary loudness, LUFS.
  public var momentaryMax: Double?
  /// Maximum short-term loudness, LUFS.
  public var shortTermMax: Double?
  /// One line a processing step (EBU R 98), each ended by CR LF.
  public var codingHistory: String

  /// Information with its coding history; loudness fields are unset.
  public init(description: String, timeReference: UInt64, codingHistory: String) {
    self.description = description
    self.timeReference = timeReference
    self.codingHistory = codingHistory
  }
}
