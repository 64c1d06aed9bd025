/// A chunk of a RIFF, RF64 or BW64 file.
package struct WaveChunk: Sendable, Equatable {
  /// The four characters of its type, e.g. `axml`.
  package let id: String
  /// Where its payload begins in the file, in bytes.
  package let offset: Int64
  /// Bytes of its payload.
  package let size: Int64
}
