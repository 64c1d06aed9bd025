// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CFFmpeg
import Signal

/// One decoded audio frame (AVFrame).
package final class Frame {
  var handle: UnsafeMutablePointer<AVFrame>?

  /// An empty frame.
  /// - Throws: ``LibAVError`` when memory is out.
  package init() throws {
    handle = av_frame_alloc()
    guard handle != nil else { throw LibAVError(code: PINNA_ENOMEM) }
  }

  deinit { av_frame_free(&handle) }

  /// Samples per channel.
  package var frames: Int { Int(handle?.pointee.nb_samples ?? 0) }
  /// Hz.
  package var sampleRate: Int { Int(handle?.pointee.sample_rate ?? 0) }
  /// Number of channels.
  package var channels: Int { Int(handle?.pointee.ch_layout.nb_channels ?? 0) }
  /// The layout, when the decoder names one.
  package var layout: ChannelLayout? {
    handle.flatMap { ChannelLayout($0.pointee.ch_layout) }
  }

  /// The order of the sound field in ACN and SN3D that the channels are, when the decoder says so.
  package var fieldOrder: Int? {
    guard let handle else { return nil }
    let order = withUnsafePointer(to: handle.pointee.ch_layout) { pinna_ambisonic_order($0) }
    return order < 0 ? nil : Int(order)
  }

  /// Presentation time in ticks of the stream.
  package var presentationTime: Int64? {
    guard let pts = handle?.pointee.best_effort_timestamp, pts != PINNA_NOPTS else { return nil }
    return pts
  }

  /// Whether the decoder met damage and concealed it.
  package var isDamaged: Bool {
    guard let handle else { return false }
    return handle.pointee.decode_error_flags != 0
      || handle.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
  }

  /// Name of the sample format, e.g. `s16p`.
  package var sampleFormat: String {
    guard let handle, let name = av_get_sample_fmt_name(AVSampleFormat(handle.pointee.format))
    else { return "none" }
    return String(cString: name)
  }

  /// Samples to skip at the start and to discard at the end, as signalled by container or codec.
  package var skip: (start: Int, end: Int) {
    guard let handle, let side = av_frame_get_side_data(handle, AV_FRAME_DATA_SKIP_SAMPLES),
      side.pointee.size >= 8
    else { return (0, 0) }
    let data = UnsafeRawPointer(side.pointee.data)
    let start = data?.loadUnaligned(as: UInt32.self) ?? 0
    let end = data?.loadUnaligned(fromByteOffset: 4, as: UInt32.self) ?? 0
    return (Int(UInt32(littleEndian: start)), Int(UInt32(littleEndian: end)))
  }

  /// Appends the samples to `buffer` as planar Float32, full scale ±1.
  ///
  /// Integers up to 24 bits convert exactly; 32-bit integers and doubles round to Float32.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for an unknown sample format.
  package func append(to buffer: AudioBuffer) throws {
    guard let handle else { return }
    let packed = av_get_packed_sample_fmt(AVSampleFormat(handle.pointee.format))
    guard let format = Frame.memoryFormat(packed) else {
      throw MediaError(.unsupportedFeature, "sample format \(sampleFormat) isn't supported")
    }
    let (count, channels) = (frames, self.channels)
    let start = buffer.grow(by: count)
    if av_sample_fmt_is_planar(AVSampleFormat(handle.pointee.format)) == 0 {
      guard let plane = handle.pointee.extended_data[0] else { return }
      return buffer.unpack(plane, count: count, as: format, at: start)
    }
    for channel in 0..<channels {
      guard let plane = handle.pointee.extended_data[channel] else { continue }
      buffer.unpack(plane, count: count, as: format, at: start, channel: channel)
    }
  }

  /// How samples lie in memory in a packed format; `nil` for an unknown one.
  private static func memoryFormat(_ format: AVSampleFormat) -> SampleFormat? {
    switch format {
    case AV_SAMPLE_FMT_FLT: return .float32
    case AV_SAMPLE_FMT_DBL: return .float64
    case AV_SAMPLE_FMT_S16: return .integer16
    case AV_SAMPLE_FMT_S32: return .integer32
    case AV_SAMPLE_FMT_U8: return .unsigned8
    case AV_SAMPLE_FMT_S64: return .integer64
    default: return nil
    }
  }
}

/// Layouts as libav's functions take and give them.
extension ChannelLayout {
  /// libav's own form of the layout; it owns no memory.
  var libAV: AVChannelLayout {
    unnamed > 0 ? pinna_layout_unnamed(Int32(unnamed)) : pinna_layout_from_mask(mask)
  }

  /// The loudspeakers that `layout` names; `nil` where it names none, or others than Pinna knows.
  init?(_ layout: AVChannelLayout) {
    self.init(mask: withUnsafePointer(to: layout) { pinna_layout_mask($0) })
  }
}
