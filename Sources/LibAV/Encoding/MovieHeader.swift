// SPDX-License-Identifier: Apache-2.0
import CFFmpeg

/// Has libavformat's MP4 muxer describe a stream that is copied: no samples, only the header, in
/// which the caller finds the sample entry.
enum MovieHeader {
  /// `ftyp` and `moov` for one stream.
  /// - Throws: ``LibAVError`` when MP4 can't hold its codec.
  static func bytes(for stream: UnsafePointer<AVStream>, tag: String?) throws -> [UInt8] {
    var muxer: UnsafeMutablePointer<AVFormatContext>?
    let allocated = avformat_alloc_output_context2(&muxer, nil, "mp4", nil)
    guard allocated >= 0, let context = muxer else { throw LibAVError(code: allocated) }
    defer { avformat_free_context(context) }
    let options = try OpenOptions([
      "movflags": "+frag_keyframe+empty_moov+default_base_moof", "strict": "-2",
    ])
    context.pointee.flags |= AVFMT_FLAG_BITEXACT
    guard let fresh = avformat_new_stream(context, nil) else {
      throw LibAVError(code: PINNA_ENOMEM)
    }
    let copied = avcodec_parameters_copy(fresh.pointee.codecpar, stream.pointee.codecpar)
    guard copied >= 0 else { throw LibAVError(code: copied) }
    fresh.pointee.codecpar.pointee.codec_tag = tag.map(code) ?? 0
    fresh.pointee.time_base = stream.pointee.time_base
    // The container's ratio outweighs the bitstream's, and libavformat refuses two that differ.
    if stream.pointee.sample_aspect_ratio.num != 0 {
      fresh.pointee.codecpar.pointee.sample_aspect_ratio = stream.pointee.sample_aspect_ratio
    }
    fresh.pointee.sample_aspect_ratio = fresh.pointee.codecpar.pointee.sample_aspect_ratio
    guard pinna_copy_side_data(fresh, stream) >= 0 else { throw LibAVError(code: PINNA_ENOMEM) }
    let opened = avio_open_dyn_buf(&context.pointee.pb)
    guard opened >= 0 else { throw LibAVError(code: opened) }
    let written = avformat_write_header(context, &options.handle)
    var memory: UnsafeMutablePointer<UInt8>?
    let size = avio_close_dyn_buf(context.pointee.pb, &memory)
    context.pointee.pb = nil
    defer { av_free(memory) }
    guard written >= 0, let memory else { throw LibAVError(code: written) }
    return Array(UnsafeBufferPointer(start: memory, count: Int(size)))
  }

  private static func code(_ tag: String) -> UInt32 {
    tag.utf8.prefix(4).enumerated().reduce(0) { $0 | UInt32($1.element) << UInt32(8 * $1.offset) }
  }
}

extension InputContext {
  /// `ftyp` and `moov` of an MP4 file that would hold stream `index` alone, with sample entry `tag`
  /// where there is a choice, e.g. `hvc1`.
  /// - Throws: ``LibAVError`` when MP4 can't hold its codec, ``MediaError`` of kind `internal` for a
  ///   bad index.
  package func movieHeader(stream index: Int, tag: String? = nil) throws -> [UInt8] {
    try MovieHeader.bytes(for: try rawStream(index), tag: tag)
  }
}
