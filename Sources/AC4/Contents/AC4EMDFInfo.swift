/// Version and key of an EMDF container, in which a stream carries data for other uses (`emdf_info`,
/// TS 103 190-1, 4.2.3.12).
package struct AC4EMDFInfo: Sendable, Equatable {
  /// `emdf_version`.
  package let version: Int
  /// `key_id`.
  package let key: Int
  /// Index of the substream with the payloads, if the stream has it.
  package let substream: Int?
}
