/// How the samples of a WAV file are stored (`fmt ` chunk).
package struct WaveFormat: Sendable, Equatable {
  /// What a sample is.
  package enum Encoding: Sendable, Equatable {
    /// Integers; those of 8 bits have no sign.
    case pcm
    /// IEEE 754 floating point.
    case float
  }

  /// What a sample is.
  package let encoding: Encoding
  /// Channels, 1…65535.
  package let channels: Int
  /// Samples per second of each channel, at least 1.
  package let rate: Int
  /// Bits of a sample, a multiple of 8: 8…64.
  package let bits: Int

  /// Bytes of one sample of all channels.
  package var bytesPerFrame: Int { channels * bits / 8 }

  /// Reads the payload of a `fmt ` chunk.
  /// - Throws: ``ADMError`` of code `container` or `unsupported`.
  init(_ payload: [UInt8]) throws(ADMError) {
    guard payload.count >= 16 else {
      throw ADMError(.container, "the fmt chunk has \(payload.count) bytes, and 16 are needed")
    }
    var tag = payload.littleEndian16(at: 0)
    // WAVE_FORMAT_EXTENSIBLE: the true tag is the beginning of the subformat's identifier.
    if tag == 0xFFFE, payload.count >= 26 { tag = payload.littleEndian16(at: 24) }
    switch tag {
    case 1: encoding = .pcm
    case 3: encoding = .float
    default:
      throw ADMError(
        .unsupported,
        "the samples have the format tag \(tag); only PCM (1) and floating point (3) carry objects")
    }
    channels = payload.littleEndian16(at: 2)
    rate = Int(payload.littleEndian32(at: 4))
    let frame = payload.littleEndian16(at: 12)
    // Samples of 20 bits, say, lie in 24; the frame's size tells.
    bits = (payload.littleEndian16(at: 14) + 7) / 8 * 8
    guard channels > 0, rate > 0, (8...64).contains(bits), encoding == .pcm || bits >= 32 else {
      throw ADMError(
        .container, "the fmt chunk states \(channels) channels of \(bits) bits at \(rate) Hz")
    }
    // The field has 16 bits, which frames of very many channels exceed.
    guard frame == bytesPerFrame & 0xFFFF else {
      throw ADMError(
        .container,
        "the fmt chunk states \(frame) bytes a frame, but \(channels) channels of \(bits) bits take "
          + "\(bytesPerFrame)")
    }
  }
}
