import CFFmpeg

/// Properties of a video stream in the container's or codec's header.
package struct PictureInfo: Sendable, Equatable {
  /// Width in pixels.
  package var width: Int
  /// Height in pixels.
  package var height: Int
  /// Frames a second as numerator and denominator, averaged over the stream; `nil` when unknown.
  package var frameRate: Ratio?
  /// Number of pictures by which presentation is later than decoding.
  package var reorderDelay: Int
  /// Transformation for display as in `tkhd` (ISO/IEC 14496-12, 8.3.2): nine numbers, rows first,
  /// fixed point; `nil` where pictures are shown as they are.
  package var displayMatrix: [Int32]?
  /// Transfer characteristics as libav names them, e.g. `bt709`, `smpte2084`; `nil` when unknown.
  package var transfer: String?
  /// Dolby Vision profile, level and base layer compatibility (`dvcC`, `dvvC`); `nil` without.
  package var dolbyVision: DolbyVision?

  /// A fraction of integers.
  package struct Ratio: Sendable, Equatable {
    /// Above the line.
    package var numerator: Int
    /// Below the line, from 1.
    package var denominator: Int
  }

  /// What makes up a Dolby Vision codec string.
  package struct DolbyVision: Sendable, Equatable {
    /// Profile, e.g. 5 or 8.
    package var profile: Int
    /// Level, e.g. 6.
    package var level: Int
    /// What the base layer is compatible with: 0 nothing, 1 HDR10, 2 SDR, 4 HLG.
    package var compatibility: Int
  }

  init?(stream: AVStream) {
    let parameters = stream.codecpar.pointee
    guard parameters.codec_type == AVMEDIA_TYPE_VIDEO else { return nil }
    width = Int(parameters.width)
    height = Int(parameters.height)
    let rate = stream.avg_frame_rate
    frameRate =
      rate.num > 0 && rate.den > 0
      ? Ratio(numerator: Int(rate.num), denominator: Int(rate.den)) : nil
    reorderDelay = Int(parameters.video_delay)
    transfer =
      parameters.color_trc == AVCOL_TRC_UNSPECIFIED
      ? nil : av_color_transfer_name(parameters.color_trc).map { String(cString: $0) }
    var copy = stream
    displayMatrix = PictureInfo.sideData(&copy, AV_PKT_DATA_DISPLAYMATRIX).flatMap { data in
      data.count < 36
        ? nil : (0..<9).map { data.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self) }
    }
    dolbyVision = PictureInfo.sideData(&copy, AV_PKT_DATA_DOVI_CONF).flatMap { data in
      guard data.count >= MemoryLayout<AVDOVIDecoderConfigurationRecord>.size else { return nil }
      let record = data.loadUnaligned(as: AVDOVIDecoderConfigurationRecord.self)
      return DolbyVision(
        profile: Int(record.dv_profile), level: Int(record.dv_level),
        compatibility: Int(record.dv_bl_signal_compatibility_id))
    }
  }

  private static func sideData(
    _ stream: inout AVStream, _ type: AVPacketSideDataType
  ) -> UnsafeRawBufferPointer? {
    var size = 0
    return withUnsafePointer(to: &stream) { pinna_side_data($0, type, &size) }
      .map { UnsafeRawBufferPointer(start: $0, count: size) }
  }
}
