/// One `ac4_syncframe` of an elementary stream (TS 103 190-1, Annex G).
public struct AC4SyncFrame: Sendable, Equatable {
  /// Byte of the stream at which its sync word begins.
  public let position: Int64
  /// The `raw_ac4_frame` without sync header and checksum, as an MP4 sample holds it.
  public let rawFrame: [UInt8]
  /// Whether the checksum fits; `nil` when the frame has none.
  public let isCRCGood: Bool?
  /// Bytes before it that belong to no frame.
  public let skippedBytes: Int64
}
