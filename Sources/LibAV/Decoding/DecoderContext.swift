import AudioCore
import CFFmpeg

/// An open audio decoder (AVCodecContext) that trims nothing by itself.
package final class DecoderContext {
  private var context: UnsafeMutablePointer<AVCodecContext>?
  private let leastPacket: Int32

  /// Opens the decoder for `parameters`.
  ///
  /// It uses one thread and `bitexact`, so that the bits don't depend on the machine's load. Skip
  /// side data is handed on and not applied (`skip_manual`): the timeline is the one owner of
  /// trimming.
  init(
    parameters: UnsafeMutablePointer<AVCodecParameters>, timeBase: AVRational,
    options: [String: String], verifiesChecksums: Bool = true, leastPacket: Int = 0
  ) throws {
    self.leastPacket = Int32(min(leastPacket, Int(AV_INPUT_BUFFER_PADDING_SIZE)))
    guard let codec = avcodec_find_decoder(parameters.pointee.codec_id) else {
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
