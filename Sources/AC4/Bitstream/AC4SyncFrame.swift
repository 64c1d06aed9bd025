/// One `ac4_syncframe` of an elementary stream (TS 103 190-1, Annex G).
package struct AC4SyncFrame: Sendable, Equatable {
  /// Byte of the stream at which its sync word begins.
  package let position: Int64
  /// The `raw_ac4_frame` without sync header and checksum, as an MP4 sample holds it.
  package let rawFrame: [UInt8]
  /// Whether the checksum fits; `nil` when the frame has none.
  package let isCRCGood: Bool?
  /// Bytes before it that belong to no frame.
  package let skippedBytes: Int64
}
