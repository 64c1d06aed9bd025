/// Where a fragment lies in the output and what it presents: a media segment of HLS.
package struct FragmentRecord: Sendable, Equatable {
  /// Number, from 1.
  package let sequenceNumber: Int
  /// Offset of its first byte, counted over everything written.
  package let offset: Int64
  /// Bytes in all.
  package let size: Int64
  /// Presentation time of its beginning in ticks of the reference track; start-up samples, which
  /// are never presented, take no time.
  package let start: Int64
  /// Ticks of the reference track that it presents. All fragments together present exactly its
  /// valid duration when it is an audio track.
  package let duration: Int64
  /// Whether its first sample of the reference track can be decoded without any before.
  package let startsWithSync: Bool
}
