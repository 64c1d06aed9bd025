/// Version and key of an EMDF container (`emdf_info`, TS 103 190-1, 4.2.3.12).
public struct AC4EMDFInfo: Sendable, Equatable {
  /// `emdf_version`.
  public let version: Int
  /// `key_id`.
  public let key: Int
  /// Substream with the payloads, if there is one.
  public let substream: Int?
}
