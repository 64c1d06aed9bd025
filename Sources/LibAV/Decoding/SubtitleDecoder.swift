// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CFFmpeg

/// A text of subtitles, as an event of ASS has it.
package struct SubtitleEvent {
  /// Name of its style; empty for none.
  package let style: String
  /// The text with its override tags.
  package let text: String

  /// A text of the style `style`.
  package init(style: String = "", text: String) { (self.style, self.text) = (style, text) }
}

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

  /// The script's head, with its styles, as ASS; libavcodec makes one up for other formats.
  package var header: [UInt8] {
    guard let context, let bytes = context.pointee.subtitle_header else { return [] }
    return Array(
      UnsafeBufferPointer(start: bytes, count: Int(context.pointee.subtitle_header_size)))
  }

  /// The texts of one packet.
  /// - Throws: ``LibAVError`` when the packet is damaged.
  package func decode(_ packet: Packet) throws -> [SubtitleEvent] {
    var subtitle = AVSubtitle()
    var isThere: Int32 = 0
    let code = avcodec_decode_subtitle2(context, &subtitle, &isThere, packet.handle)
    guard code >= 0 else { throw LibAVError(code: code) }
    guard isThere != 0 else { return [] }
    defer { avsubtitle_free(&subtitle) }
    return (0..<Int(subtitle.num_rects)).compactMap { index in
      guard let line = subtitle.rects[index]?.pointee.ass else { return nil }
      // ReadOrder, layer, style, name, three margins, effect, text.
      // By bytes: a comma with a combining mark after it still ends a field.
      let fields = String(cString: line).utf8.split(
        separator: UInt8(ascii: ","), maxSplits: 8, omittingEmptySubsequences: false)
      guard let text = fields.last else { return nil }
      return SubtitleEvent(
        style: fields.count > 3 ? String(decoding: fields[2], as: UTF8.self) : "",
        text: String(decoding: text, as: UTF8.self))
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
