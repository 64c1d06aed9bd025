import AudioCore
import CFFmpeg

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
    guard let handle else { return nil }
    return withUnsafePointer(to: handle.pointee.ch_layout) {
      ChannelLayout(mask: pinna_layout_mask($0))
    }
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
    let count = frames
    let start = buffer.grow(by: count)
    let format = AVSampleFormat(handle.pointee.format)
    let isPlanar = av_sample_fmt_is_planar(format) != 0
    let channels = self.channels
    for channel in 0..<channels {
      let plane = handle.pointee.extended_data[isPlanar ? channel : 0]
      guard let plane, let target = buffer.channel(channel).baseAddress else { continue }
      let stride = isPlanar ? 1 : channels
      let offset = isPlanar ? 0 : channel
      guard
        convert(
          UnsafeRawPointer(plane), packed: av_get_packed_sample_fmt(format), offset, stride, count,
          target + start)
      else {
        throw MediaError(.unsupportedFeature, "sample format \(sampleFormat) isn't supported")
      }
    }
  }
}

/// Converts one channel; returns `false` for an unknown format.
private func convert(
  _ source: UnsafeRawPointer, packed: AVSampleFormat, _ offset: Int, _ stride: Int, _ count: Int,
  _ target: UnsafeMutablePointer<Float>
) -> Bool {
  switch packed {
  case AV_SAMPLE_FMT_FLT:
    let samples = source.assumingMemoryBound(to: Float.self) + offset
    if stride == 1 {
      target.update(from: samples, count: count)
    } else {
      for index in 0..<count { target[index] = samples[index * stride] }
    }
  case AV_SAMPLE_FMT_DBL:
    let samples = source.assumingMemoryBound(to: Double.self) + offset
    for index in 0..<count { target[index] = Float(samples[index * stride]) }
  case AV_SAMPLE_FMT_S16:
    let samples = source.assumingMemoryBound(to: Int16.self) + offset
    for index in 0..<count { target[index] = Float(samples[index * stride]) * 0x1p-15 }
  case AV_SAMPLE_FMT_S32:
    let samples = source.assumingMemoryBound(to: Int32.self) + offset
    for index in 0..<count { target[index] = Float(samples[index * stride]) * 0x1p-31 }
  case AV_SAMPLE_FMT_U8:
    let samples = source.assumingMemoryBound(to: UInt8.self) + offset
    for index in 0..<count { target[index] = (Float(samples[index * stride]) - 128) * 0x1p-7 }
  case AV_SAMPLE_FMT_S64:
    let samples = source.assumingMemoryBound(to: Int64.self) + offset
    for index in 0..<count { target[index] = Float(samples[index * stride]) * 0x1p-63 }
  default:
    return false
  }
  return true
}
