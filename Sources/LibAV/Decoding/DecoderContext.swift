// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CFFmpeg

/// An open audio decoder (AVCodecContext) that trims nothing by itself.
package final class DecoderContext {
  private var context: UnsafeMutablePointer<AVCodecContext>?
  private let leastPacket: Int32

  /// Opens the decoder for `parameters`.
  ///
  /// One thread and `bitexact` are set, so that the bits don't depend on the machine's load. Skip
  /// side data is handed on and not applied (`skip_manual`): the timeline is the one owner of
  /// trimming.
  init(
    parameters: UnsafeMutablePointer<AVCodecParameters>, timeBase: AVRational,
    options: [String: String], verifiesChecksums: Bool = true, leastPacket: Int = 0
  ) throws {
    self.leastPacket = Int32(min(leastPacket, Int(AV_INPUT_BUFFER_PADDING_SIZE)))
    guard let codec = DecoderContext.codec(parameters.pointee.codec_id) else {
      throw LibAVError(code: PINNA_DECODER_NOT_FOUND)
    }
    guard let fresh = avcodec_alloc_context3(codec) else { throw LibAVError(code: PINNA_ENOMEM) }
    context = fresh
    let copied = avcodec_parameters_to_context(fresh, parameters)
    guard copied >= 0 else { throw LibAVError(code: copied) }
    fresh.pointee.pkt_timebase = timeBase
    fresh.pointee.thread_count = 1
    fresh.pointee.flags |= AV_CODEC_FLAG_BITEXACT
    fresh.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL
    // Private data begin with a class, which av_opt_find follows, only where the codec has one.
    let hasOptions = codec.pointee.priv_class != nil
    var known = options.filter {
      hasOptions && av_opt_find(fresh.pointee.priv_data, $0.key, nil, 0, 0) != nil
    }
    // Checksums are verified where that is possible, and damage is an error instead of being concealed.
    known["err_detect"] = verifiesChecksums ? "crccheck+explode" : "explode"
    let dictionary = try OpenOptions(known)
    let opened = avcodec_open2(fresh, codec, &dictionary.handle)
    guard opened >= 0 else { throw LibAVError(code: opened) }
  }

  deinit { avcodec_free_context(&context) }

  /// The decoder of a codec.
  private static func codec(_ id: AVCodecID) -> UnsafePointer<AVCodec>? {
    // FFmpeg 7.1's own decoder of Speex gives 640 samples for a frame of 320 at 16 kHz; that of 5.1 is right.
    let isDoubled = id == AV_CODEC_ID_SPEEX && avcodec_version() >> 16 > 59
    let library = isDoubled ? avcodec_find_decoder_by_name("libspeex") : nil
    return library ?? avcodec_find_decoder(id)
  }

  /// Name of the decoder in use.
  package var name: String {
    context.flatMap { $0.pointee.codec }.map { String(cString: $0.pointee.name) } ?? ""
  }

  /// Hands a packet to the decoder; `nil` starts draining.
  /// - Throws: ``LibAVError`` when the packet is damaged.
  package func send(_ packet: Packet?) throws {
    let size = packet?.handle?.pointee.size ?? 0
    // Zeros follow the bytes of every packet (AV_INPUT_BUFFER_PADDING_SIZE). An empty one would end the stream.
    if size > 0, size < leastPacket { packet?.handle?.pointee.size = leastPacket }
    let code = avcodec_send_packet(context, packet?.handle)
    packet?.handle?.pointee.size = size
    guard code >= 0 || code == PINNA_EOF else { throw LibAVError(code: code) }
  }

  /// Takes the next decoded frame; `false` when the decoder wants more packets or is drained.
  /// - Throws: ``LibAVError`` when the packet was damaged.
  package func receive(into frame: Frame) throws -> Bool {
    let code = avcodec_receive_frame(context, frame.handle)
    if code == PINNA_EAGAIN || code == PINNA_EOF { return false }
    guard code >= 0 else { throw LibAVError(code: code) }
    return true
  }
}

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
