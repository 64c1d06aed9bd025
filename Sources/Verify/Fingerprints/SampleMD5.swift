import AudioCore
import Platform

/// MD5 of samples as FLAC's STREAMINFO states it: interleaved little-endian integers (RFC 9639, 8.2).
package struct SampleMD5 {
  private var digest = Digest(.md5)
  private var packed: PackedBlock

  /// An empty digest, for samples of 16 or 24 bits.
  package init(bits: Int) { packed = PackedBlock(bits == 16 ? .integer16 : .integer24) }

  /// Adds a block whose samples are exact in that many bits.
  package mutating func update(_ block: AudioBuffer) {
    packed.withBytes(block) { digest.update($0) }
  }

  /// The 16 bytes of the digest so far.
  package var finalized: [UInt8] { digest.bytes }
}
