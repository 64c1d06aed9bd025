/// One `ac4_syncframe` of an elementary stream (TS 103 190-1, Annex G).
package struct AC4SyncFrame: Sendable, Equatable {
  /// Position of its sync word in the stream, in bytes.
  package let position: Int64
  /// The `raw_ac4_frame` without sync header and checksum, as an MP4 sample holds it.
  package let rawFrame: [UInt8]
  /// Whether the checksum matches; `nil` when the frame has none.
  package let isCRCGood: Bool?
  /// Bytes between the frame before and this one that belong to no frame.
  package let skippedBytes: Int64
}
