import CFFmpeg

/// The checksum of a page of Ogg (RFC 3533, 6): CRC-32 with generator 0x04C11DB7, not reflected.
package enum OggChecksum {
  /// The checksum of a page whose own field holds zeros.
  package static func of(_ page: [UInt8]) -> UInt32 {
    // libavutil has the bytes of such a checksum in reverse.
    av_crc(av_crc_get_table(AV_CRC_32_IEEE), 0, page, page.count).byteSwapped
  }
}
