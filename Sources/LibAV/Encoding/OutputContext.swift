import AudioCore
import CFFmpeg

/// A container that libavformat writes (AVFormatContext) to an open descriptor: one audio track as an
/// ``EncoderContext`` makes it, tags and a cover picture. `bitexact`, so that the same packets give the
/// same bytes.
package final class OutputContext {
  private var context: UnsafeMutablePointer<AVFormatContext>?
  private var packet: UnsafeMutablePointer<AVPacket>?
  private let output: DescriptorIO
  private var isOpen = false

  /// Writes the header.
  /// - Parameters:
  ///   - format: libavformat's name of the container, e.g. `flac`.
  ///   - descriptor: where it goes, from the front; stays the caller's.
  ///   - cover: the cover picture.
  ///   - inserted: bytes between those of libavformat.
  /// - Throws: ``LibAVError`` when this libavformat lacks the container or refuses the track.
  package init(
    format: String, descriptor: Int32, encoder: EncoderContext, tags: [String: String],
    cover: AttachedPicture? = nil, inserted: InsertedBytes? = nil
  ) throws {
    output = try DescriptorIO(descriptor: descriptor, inserted: inserted)
    packet = av_packet_alloc()
    let code = avformat_alloc_output_context2(&context, nil, format, nil)
    guard code >= 0, let context, packet != nil else {
      av_packet_free(&packet)
      throw LibAVError(code: code < 0 ? code : PINNA_ENOMEM)
    }
    context.pointee.pb = output.handle
    context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT
    do {
      for (key, value) in tags.sorted(by: { $0.key < $1.key }) {
        let stored = av_dict_set(&context.pointee.metadata, key, value, 0)
        guard stored >= 0 else { throw LibAVError(code: stored) }
      }
      try addStreams(to: context, encoder, cover)
      let started = avformat_write_header(context, nil)
      guard started >= 0 else { throw LibAVError(code: started) }
      isOpen = true
      if let cover { try write(cover.bytes, time: 0, duration: 0, stream: 1) }
    } catch {
      av_packet_free(&packet)
      avformat_free_context(context)
      self.context = nil
      throw error
    }
  }

  deinit {
    av_packet_free(&packet)
    // `output` frees the AVIOContext, which it owns.
    avformat_free_context(context)
  }

  /// The first failure to write as an `errno`; 0 without one.
  package var failure: Int32 { output.failure }

  /// Writes packets in order.
  /// - Throws: ``LibAVError``; ``failure`` is then the `errno`, or 0 when it wasn't the disk.
  package func write(_ packets: [EncodedPacket]) throws {
    for packet in packets {
      try write(packet.data, time: packet.time, duration: Int64(packet.duration), stream: 0)
    }
  }

  /// Completes the file. `renewed` is the encoder's configuration after the last frame.
  /// - Throws: as ``write(_:)``.
  package func finish(renewed: [UInt8]?) throws {
    guard isOpen, let context else { return }
    isOpen = false
    if let renewed { try renew(renewed) }
    let code = av_write_trailer(context)
    avio_flush(context.pointee.pb)
    output.cut()
    guard code >= 0, failure == 0 else { throw LibAVError(code: code < 0 ? code : PINNA_EIO) }
  }

  private func addStreams(
    to context: UnsafeMutablePointer<AVFormatContext>, _ encoder: EncoderContext,
    _ cover: AttachedPicture?
  ) throws {
    guard let stream = avformat_new_stream(context, nil) else {
      throw LibAVError(code: PINNA_ENOMEM)
    }
    try encoder.describe(stream.pointee.codecpar)
    guard let cover else { return }
    guard let picture = avformat_new_stream(context, nil) else {
      throw LibAVError(code: PINNA_ENOMEM)
    }
    picture.pointee.codecpar.pointee.codec_type = AVMEDIA_TYPE_VIDEO
    picture.pointee.codecpar.pointee.codec_id =
      cover.bytes.first == 0xFF ? AV_CODEC_ID_MJPEG : AV_CODEC_ID_PNG
    picture.pointee.codecpar.pointee.width = Int32(clamping: cover.width)
    picture.pointee.codecpar.pointee.height = Int32(clamping: cover.height)
    picture.pointee.disposition |= AV_DISPOSITION_ATTACHED_PIC
  }

  /// Writes one packet. The duration of the last packet decides where Ogg's last page ends.
  private func write(_ data: [UInt8], time: Int64, duration: Int64, stream: Int32) throws {
    guard let context, let packet else { return }
    guard av_new_packet(packet, Int32(clamping: data.count)) >= 0 else {
      throw LibAVError(code: PINNA_ENOMEM)
    }
    defer { av_packet_unref(packet) }
    data.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress, let target = packet.pointee.data {
        UnsafeMutableRawPointer(target).copyMemory(from: base, byteCount: bytes.count)
      }
    }
    packet.pointee.stream_index = stream
    packet.pointee.pts = time
    packet.pointee.dts = time
    packet.pointee.duration = duration
    packet.pointee.flags |= AV_PKT_FLAG_KEY
    let code = av_write_frame(context, packet)
    guard code >= 0, failure == 0 else { throw LibAVError(code: code < 0 ? code : PINNA_EIO) }
  }

  /// Hands the muxer the configuration that is known only at the end, as a packet without data.
  private func renew(_ configuration: [UInt8]) throws {
    guard let context, let packet else { return }
    defer { av_packet_unref(packet) }
    guard
      let side = av_packet_new_side_data(
        packet, AV_PKT_DATA_NEW_EXTRADATA, configuration.count)
    else { throw LibAVError(code: PINNA_ENOMEM) }
    configuration.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress {
        UnsafeMutableRawPointer(side).copyMemory(from: base, byteCount: bytes.count)
      }
    }
    packet.pointee.stream_index = 0
    let code = av_write_frame(context, packet)
    guard code >= 0 else { throw LibAVError(code: code) }
  }
}
