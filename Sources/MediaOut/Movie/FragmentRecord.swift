/// Where a fragment lies in the output and what it presents: a media segment of HLS.
public struct FragmentRecord: Sendable, Equatable {
  /// Number, from 1.
  public let sequenceNumber: Int
  /// Offset of its first byte, counted over everything written.
  public let offset: Int64
  /// Bytes in all.
  public let size: Int64
  /// Presentation time of its beginning in ticks of the reference track; start-up samples, which
  /// are never presented, take no time.
  public let start: Int64
  /// Ticks of the reference track that it presents. All fragments together present exactly its
  /// valid duration when it is an audio track.
  public let duration: Int64
  /// Whether its first sample of the reference track can be decoded without any before.
  public let startsWithSync: Bool
}
