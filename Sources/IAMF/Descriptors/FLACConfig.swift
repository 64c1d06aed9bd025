/// Settings of FLAC: its metadata blocks, STREAMINFO first (RFC 9639, 8.2).
package struct FLACConfig: Equatable, Sendable {
  /// Bytes of STREAMINFO.
  static let streamInfoBytes = 34

  /// STREAMINFO without its block header.
  package var streamInfo: [UInt8]
  /// Fewest samples of a block.
  package var shortestBlock: Int
  /// Most samples of a block.
  package var longestBlock: Int
  /// Samples per second.
  package var sampleRate: Int
  /// Always 2, and says nothing: each substream has its own number of channels.
  package var channels: Int
  /// Bits of a sample.
  package var bitDepth: Int
  /// Samples in all; 0 where the encoder didn't know.
  package var totalSamples: Int
}

extension FLACConfig {
  init(_ bits: inout BitReader) throws(IAMFError) {
    let header = try bits.read(8)
    guard header & 0x7F == 0, try bits.read(24) >= FLACConfig.streamInfoBytes else {
      throw .malformed("FLAC without STREAMINFO")
    }
    var info = bits
    streamInfo = try bits.bytes(FLACConfig.streamInfoBytes)
    shortestBlock = try info.read(16)
    longestBlock = try info.read(16)
    try info.skip(48)
    sampleRate = try info.read(20)
    channels = try info.read(3) + 1
    bitDepth = try info.read(5) + 1
    totalSamples = try info.read(4) << 32
    totalSamples += try info.read(32)
    guard sampleRate > 0 else { throw .malformed("a sample rate of 0") }
  }

  /// The STREAMINFO that a decoder of a substream of one or two channels takes.
  package func streamInfo(channels: Int) -> [UInt8] {
    FLACConfig.streamInfo(streamInfo, channels: channels)
  }

  /// The 34 bytes `streamInfo` with another number of channels, 1 to 8.
  static func streamInfo(_ streamInfo: [UInt8], channels: Int) -> [UInt8] {
    var bytes = streamInfo
    // Bits 100…102 hold the channels less one.
    bytes[12] = bytes[12] & 0xF1 | UInt8(channels - 1) << 1
    return bytes
  }
}
