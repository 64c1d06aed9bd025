/// Type and extent of one box (ISO/IEC 14496-12, 4.2).
package struct BoxHeader: Sendable, Equatable {
  /// Four-character type.
  package let type: String
  /// Offset of the first payload byte.
  package let payload: Int64
  /// Offset after the last payload byte, never beyond the parent's end.
  package let end: Int64
  /// Whether the box claims to reach beyond its parent.
  package let isTruncated: Bool
  /// Whether the box states no size and lasts to the end of its parent.
  package var isOpen = false

  /// Bytes of payload.
  package var payloadSize: Int { Int(end - payload) }
}
