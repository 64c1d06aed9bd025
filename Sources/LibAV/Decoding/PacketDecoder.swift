import AudioCore
import CFFmpeg

/// Decodes the packets of an encoder without a container around them.
package final class PacketDecoder {
  private let decoder: DecoderContext
  private let packet: Packet
  private let frame: Frame

  /// A decoder for what `encoder` gives.
  /// - Throws: ``LibAVError`` when libavcodec has no decoder for it or memory is out.
  package init(of encoder: EncoderContext) throws {
    packet = try Packet()
    frame = try Frame()
    var parameters = avcodec_parameters_alloc()
    defer { avcodec_parameters_free(&parameters) }
    guard let parameters else { throw LibAVError(code: PINNA_ENOMEM) }
    try encoder.describe(parameters)
    decoder = try DecoderContext(
      parameters: parameters, timeBase: AVRational(num: 1, den: parameters.pointee.sample_rate),
      options: [:])
  }

  /// Decodes `coded` and appends its samples to `buffer`, start-up samples included.
  /// - Throws: ``LibAVError`` when it can't be decoded, ``MediaError`` of kind `internal` when it has
  ///   another number of channels.
  package func decode(_ coded: EncodedPacket, into buffer: AudioBuffer) throws {
    try packet.fill(coded.data)
    try decoder.send(packet)
    while try decoder.receive(into: frame) {
      guard frame.channels == buffer.channels else {
        throw MediaError(.internal, "a packet decodes to \(frame.channels) channels")
      }
      try frame.append(to: buffer)
    }
  }
}
