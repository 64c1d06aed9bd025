import CFFmpeg

/// CRC-32 with generator 0x04C11DB7, not reflected: of pages of Ogg (RFC 3533, 6), which begins with zeros, and of sections of
/// transport streams (ISO/IEC 13818-1, Annex A), which begins with ones.
package enum PlainCRC {
  /// The checksum of `bytes` that follow others with the checksum `start`.
  package static func of(_ bytes: some Collection<UInt8>, from start: UInt32 = 0) -> UInt32 {
    // libavutil keeps the bytes of such a checksum in reverse.
    let table = av_crc_get_table(AV_CRC_32_IEEE)
    let sum = bytes.withContiguousStorageIfAvailable {
      av_crc(table, start.byteSwapped, $0.baseAddress, $0.count)
    }
    return
      (sum
      ?? Array(bytes).withUnsafeBufferPointer {
        av_crc(table, start.byteSwapped, $0.baseAddress, $0.count)
      }).byteSwapped
  }
}
