// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CFFmpeg

/// An open PNG encoder (AVCodecContext) for pictures of one size: one thread and `bitexact`, so that the same
/// pixels give the same bytes with the same libavcodec.
package final class PNGEncoder {
  /// Greatest width and height in pixels.
  package static let largestSide = 16_384

  private var context: UnsafeMutablePointer<AVCodecContext>?
  private var frame: UnsafeMutablePointer<AVFrame>?
  private var packet: UnsafeMutablePointer<AVPacket>?
  private let width: Int
  private let height: Int

  /// Opens the encoder for pictures of `width` × `height` pixels.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` when this libavcodec has no PNG encoder, of kind
  ///   `internal` for sizes outside 1…``largestSide``, of kind `outOfResources` when memory is out.
  package init(width: Int, height: Int) throws {
    self.width = width
    self.height = height
    let sides = 1...PNGEncoder.largestSide
    guard sides.contains(width), sides.contains(height) else {
      throw MediaError(.internal, "a PNG of \(width) × \(height) pixels can't be written")
    }
    guard let codec = avcodec_find_encoder_by_name("png") else {
      throw MediaError(
        .unsupportedFeature,
        "this libavcodec has no png encoder; install one that has, or leave pictures out")
    }
    guard let fresh = avcodec_alloc_context3(codec) else { throw PNGEncoder.noMemory }
    context = fresh
    fresh.pointee.width = Int32(width)
    fresh.pointee.height = Int32(height)
    fresh.pointee.pix_fmt = AV_PIX_FMT_RGB24
    // Encoders of pictures demand a time base; a single one has no time.
    fresh.pointee.time_base = AVRational(num: 1, den: 1)
    fresh.pointee.thread_count = 1
    fresh.pointee.flags |= AV_CODEC_FLAG_BITEXACT
    let options = try OpenOptions(["pred": "mixed"])
    let code = avcodec_open2(fresh, codec, &options.handle)
    guard code >= 0 else {
      throw LibAVError(code: code).failure(
        .unsupportedFeature, "libavcodec's png encoder can't be opened; leave pictures out")
    }
    frame = av_frame_alloc()
    packet = av_packet_alloc()
    guard frame != nil, packet != nil else { throw PNGEncoder.noMemory }
  }

  deinit {
    av_packet_free(&packet)
    av_frame_free(&frame)
    avcodec_free_context(&context)
  }

  /// Makes a PNG file of `pixels`: rows from the top, three bytes (red, green, blue; sRGB) for each pixel.
  /// - Throws: ``MediaError`` of kind `internal` for another number of bytes, of kind `outOfResources` when memory is out,
  ///   or ``LibAVError`` when the encoder refuses.
  package func encode(rgb pixels: [UInt8]) throws -> [UInt8] {
    guard pixels.count == 3 * width * height else {
      throw MediaError(
        .internal, "\(pixels.count) bytes are no picture of \(width) × \(height) pixels")
    }
    try fill(pixels)
    let sent = avcodec_send_frame(context, frame)
    guard sent >= 0 else { throw LibAVError(code: sent) }
    let received = avcodec_receive_packet(context, packet)
    guard received >= 0 else { throw LibAVError(code: received) }
    defer { av_packet_unref(packet) }
    guard let packet, let data = packet.pointee.data else {
      throw MediaError(.internal, "libavcodec's png encoder gave nothing")
    }
    return Array(UnsafeBufferPointer(start: data, count: Int(packet.pointee.size)))
  }

  /// Makes ``frame`` a fresh one that holds `pixels`.
  private func fill(_ pixels: [UInt8]) throws {
    guard let frame else { throw PNGEncoder.noMemory }
    av_frame_unref(frame)
    frame.pointee.width = Int32(width)
    frame.pointee.height = Int32(height)
    frame.pointee.format = AV_PIX_FMT_RGB24.rawValue
    guard av_frame_get_buffer(frame, 0) >= 0, let plane = frame.pointee.data.0 else {
      throw PNGEncoder.noMemory
    }
    // Rows of a frame are padded.
    let stride = Int(frame.pointee.linesize.0)
    pixels.withUnsafeBufferPointer { pixels in
      guard let base = pixels.baseAddress else { return }
      for row in 0..<height {
        (plane + row * stride).update(from: base + 3 * width * row, count: 3 * width)
      }
    }
  }

  private static var noMemory: MediaError {
    MediaError(.outOfResources, "no memory for a picture: close other programs and try again")
  }
}
