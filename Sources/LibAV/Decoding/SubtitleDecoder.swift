import AudioCore
import CFFmpeg

/// Decodes text subtitles; libavcodec turns all of their formats into lines of ASS.
package final class SubtitleDecoder {
  private var context: UnsafeMutablePointer<AVCodecContext>?

  /// Opens the decoder of stream `index`.
  /// - Throws: ``LibAVError`` when there is none, ``MediaError`` of kind `internal` for a bad index.
  package init(_ input: InputContext, stream index: Int) throws {
    let stream = try input.rawStream(index)
    guard let codec = avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id) else {
      throw LibAVError(code: PINNA_DECODER_NOT_FOUND)
    }
    guard let fresh = avcodec_alloc_context3(codec) else { throw LibAVError(code: PINNA_ENOMEM) }
    context = fresh
    let copied = avcodec_parameters_to_context(fresh, stream.pointee.codecpar)
    guard copied >= 0 else { throw LibAVError(code: copied) }
    fresh.pointee.pkt_timebase = stream.pointee.time_base
    let opened = avcodec_open2(fresh, codec, nil)
    guard opened >= 0 else { throw LibAVError(code: opened) }
  }

  deinit { avcodec_free_context(&context) }

  /// The texts of one packet, each as the last field of an ASS event, with its override tags.
  /// - Throws: ``LibAVError`` when the packet is damaged.
  package func decode(_ packet: Packet) throws -> [String] {
    var subtitle = AVSubtitle()
    var isThere: Int32 = 0
    let code = avcodec_decode_subtitle2(context, &subtitle, &isThere, packet.handle)
    guard code >= 0 else { throw LibAVError(code: code) }
    guard isThere != 0 else { return [] }
    defer { avsubtitle_free(&subtitle) }
    return (0..<Int(subtitle.num_rects)).compactMap { index in
      guard let line = subtitle.rects[index]?.pointee.ass else { return nil }
      // ReadOrder, layer, style, name, three margins, effect, text.
      let fields = String(cString: line).split(
        separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
      return fields.last.map(String.init)
    }
  }
}

extension InputContext {
  /// The picture attached to stream `index`, a whole image file; empty when there is none.
  package func attachedPicture(stream index: Int) -> [UInt8] {
    guard let stream = try? rawStream(index), let data = stream.pointee.attached_pic.data else {
      return []
    }
    return Array(UnsafeBufferPointer(start: data, count: Int(stream.pointee.attached_pic.size)))
  }
}
