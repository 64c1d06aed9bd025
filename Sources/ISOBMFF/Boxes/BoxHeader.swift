/// Type and extent of one box (ISO/IEC 14496-12, 4.2).
public struct BoxHeader: Sendable, Equatable {
  /// Four-character type.
  public let type: String
  /// Offset of the first payload byte.
  public let payload: Int64
  /// Offset after the last payload byte, never beyond the parent's end.
  public let end: Int64
  /// Whether the box claims to reach beyond its parent.
  public let isTruncated: Bool
  /// Whether the box states no size and lasts to the end of its parent.
  public var isOpen = false

  /// Bytes of payload.
  public var payloadSize: Int { Int(end - payload) }
}
