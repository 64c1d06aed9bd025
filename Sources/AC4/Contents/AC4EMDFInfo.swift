/// Version and key of an EMDF container (`emdf_info`, TS 103 190-1, 4.2.3.12).
package struct AC4EMDFInfo: Sendable, Equatable {
  /// `emdf_version`.
  package let version: Int
  /// `key_id`.
  package let key: Int
  /// Substream with the payloads, if there is one.
  package let substream: Int?
}
