/// The edit list of a track (ISO/IEC 14496-12, 8.6.6).
public struct EditListBox: Sendable, Equatable {
  /// One edit.
  public struct Entry: Sendable, Equatable {
    /// Length on the presentation timeline, in movie timescale ticks; 0 means "to the end".
    public let duration: Int64
    /// Start in the media, in media timescale ticks; −1 for an empty edit.
    public let mediaTime: Int64
  }

  /// The edits in order.
  public let entries: [Entry]

  /// Parses the payload of an `elst` box; entries cut off by its end are left out.
  public init(payload: [UInt8]) {
    let isLong = payload.first == 1
    let size = isLong ? 20 : 12
    let count = min(Int(payload.bigEndian32(at: 4)), max(0, payload.count - 8) / size)
    entries = (0..<count).map { index in
      let offset = 8 + index * size
      if isLong {
        return Entry(
          duration: Int64(clamping: payload.bigEndian64(at: offset)),
          mediaTime: Int64(bitPattern: payload.bigEndian64(at: offset + 8)))
      }
      return Entry(
        duration: Int64(payload.bigEndian32(at: offset)),
        mediaTime: Int64(Int32(bitPattern: payload.bigEndian32(at: offset + 4))))
    }
  }
}
