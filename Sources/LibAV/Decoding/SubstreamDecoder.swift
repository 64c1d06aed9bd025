import AudioCore
import CFFmpeg

/// Decodes frames of a coded stream that no container describes: the caller names the codec and its settings.
package final class SubstreamDecoder {
  private let decoder: DecoderContext
  private let packet: Packet
  private let frame: Frame
  private let channels: Int

  /// A decoder that removes no start-up samples.
  /// - Parameters:
  ///   - codec: libavcodec's name.
  ///   - header: the codec's header as a container would store it, e.g. an AudioSpecificConfig.
  ///   - channels: 1 or 2.
  ///   - sampleRate: in Hz.
  /// - Throws: ``LibAVError`` when libavcodec lacks the codec, refuses the header, or memory is out.
  package init(codec: String, header: [UInt8], channels: Int, sampleRate: Int) throws {
    guard let descriptor = avcodec_descriptor_get_by_name(codec) else {
      throw LibAVError(code: PINNA_DECODER_NOT_FOUND)
    }
    packet = try Packet()
    frame = try Frame()
    self.channels = channels
    var parameters = avcodec_parameters_alloc()
    defer { avcodec_parameters_free(&parameters) }
    guard let parameters else { throw LibAVError(code: PINNA_ENOMEM) }
    parameters.pointee.codec_type = AVMEDIA_TYPE_AUDIO
    parameters.pointee.codec_id = descriptor.pointee.id
    parameters.pointee.sample_rate = Int32(clamping: sampleRate)
    av_channel_layout_default(&parameters.pointee.ch_layout, Int32(clamping: channels))
    // The padding is part of what libavcodec asks for; it frees the bytes with the parameters.
    let padded = header.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)
    guard let bytes = av_mallocz(padded) else { throw LibAVError(code: PINNA_ENOMEM) }
    header.withUnsafeBytes { source in
      if let base = source.baseAddress { bytes.copyMemory(from: base, byteCount: source.count) }
    }
    parameters.pointee.extradata = bytes.assumingMemoryBound(to: UInt8.self)
    parameters.pointee.extradata_size = Int32(clamping: header.count)
    decoder = try DecoderContext(
      parameters: parameters, timeBase: AVRational(num: 1, den: Int32(clamping: sampleRate)),
      options: [:])
  }

  /// Decodes a frame and appends its samples to `buffer`, which has as many planes as the stream has channels.
  /// - Throws: ``LibAVError`` when it can't be decoded, or has another number of channels.
  package func decode(_ bytes: [UInt8], into buffer: AudioBuffer) throws {
    try packet.fill(bytes)
    try decoder.send(packet)
    while try decoder.receive(into: frame) {
      guard frame.channels == channels else { throw LibAVError(code: PINNA_INVALIDDATA) }
      try frame.append(to: buffer)
    }
  }
}
