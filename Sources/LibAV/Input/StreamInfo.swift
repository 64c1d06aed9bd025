// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CFFmpeg

/// Properties of one stream in its container, before decoding.
package struct StreamInfo: Sendable {
  package typealias Kind = StreamKind

  /// Index in the container.
  package var index: Int
  /// Container's own id of the stream (MP4 track id, TS PID).
  package var id: Int
  /// Kind of stream.
  package var kind: Kind
  /// libav's codec name, e.g. `eac3`; `none` when unknown.
  package var codec: String
  /// Codec profile, e.g. `HE-AAC`, or `nil`.
  package var profile: String?
  /// The sample entry or codec tag as four characters, when it is printable.
  package var tag: String?
  /// Facts about the sound; empty for other kinds of stream.
  package var sound: SoundInfo
  /// Seconds per tick as numerator and denominator.
  package var timeBase: (numerator: Int64, denominator: Int64)
  /// First timestamp in ticks.
  package var startTime: Int64?
  /// Duration in ticks.
  package var duration: Int64?
  /// Bit/s as the header states them, or a tag of Matroska's statistics; `nil` when unknown.
  package var bitRate: Int?
  /// Codec header bytes.
  package var extradata: [UInt8]
  /// Tags of the stream; keys lower case.
  package var metadata: [String: String]
  /// Whether the container marks the stream as default.
  package var isDefault: Bool
  /// Other marks: `forced`, `comment`, `hearing_impaired`, `visual_impaired`, `dub`.
  package var dispositions: [String]
  /// Whether it is in the language of the content's making, as Matroska says it.
  package var isOriginal = false

  /// Properties of the pictures; `nil` for other kinds of streams.
  package var picture: PictureInfo?

  /// The one audio stream of a raw file that libav doesn't know.
  package init(elementary codec: String) {
    (index, id, kind, self.codec) = (0, 0, .audio, codec)
    sound = SoundInfo()
    timeBase = (1, 1)
    extradata = []
    metadata = [:]
    isDefault = true
    dispositions = []
  }

  /// Traits of the codec.
  package var codecTraits: CodecTraits {
    sound.isDirectStream ? .directStream : CodecTraits.named(codec)
  }

  /// Options that libavcodec's decoder of this stream needs besides those that are asked for.
  package var decoderOptions: [String: String] {
    sound.channels == 2 ? codecTraits.stereoOptions : [:]
  }

  /// Name of the coding where it is one of sound in space that Pinna doesn't decode, e.g. `APAC`; `nil` for any other.
  package var spatialCoding: String? {
    CodecTraits.spatialCodings[codec] ?? tag.flatMap { CodecTraits.spatialCodings[$0] }
  }

  /// ISO 639 code or tag of BCP 47, if any.
  package var language: String? { metadata["language"] }

  /// Notes a tag of BCP 47, in whose presence the code counts no more (RFC 9559, 5.1.4.1.19). A tag that says the same leaves the code.
  package mutating func stateLanguage(_ text: String) {
    guard let tag = LanguageTag(text), language.flatMap(LanguageTag.init)?.text != tag.text
    else { return }
    metadata["language"] = tag.text
  }

  /// `ticks` of this stream as samples at `rate`, rounded to nearest.
  package func samples(_ ticks: Int64, at rate: Int) -> Int64 {
    MediaTime.rescale(ticks, by: timeBase.numerator * Int64(rate), over: timeBase.denominator)
  }
}

/// The facts about an audio stream in a container or codec header.
package struct SoundInfo: Sendable {
  /// Hz; 0 when unknown.
  package var sampleRate = 0
  /// Number of channels; 0 when unknown.
  package var channels = 0
  /// The layout, when the container or codec names one.
  package var layout: ChannelLayout?
  /// The order of the sound field in ACN and SN3D that the channels are, when container or codec say so.
  package var fieldOrder: Int?
  /// Samples in a codec frame; 0 when it varies.
  package var frameSize = 0
  /// Whether the codec gives back exactly what went in.
  package var isLossless = false
  /// Significant bits of integer samples; 0 when unknown or lossy.
  package var bitsPerSample = 0
  /// Bytes of a packet of coded sound, or of one sample of all channels of plain sound; 0 when unknown.
  package var blockBytes = 0
  /// Samples the codec puts before the programme, as the container or codec header says.
  package var initialPadding = 0

  /// Whether WavPack holds a stream of single bits (DSD).
  package var isDirectStream = false

  /// Nothing is known yet.
  init() {}

  init(_ parameters: AVCodecParameters) {
    sampleRate = Int(parameters.sample_rate)
    channels = Int(parameters.ch_layout.nb_channels)
    layout = ChannelLayout(parameters.ch_layout)
    let order = withUnsafePointer(to: parameters.ch_layout) { pinna_ambisonic_order($0) }
    fieldOrder = order < 0 ? nil : Int(order)
    frameSize = Int(parameters.frame_size)
    let properties = avcodec_descriptor_get(parameters.codec_id)?.pointee.props ?? 0
    isLossless = properties & AV_CODEC_PROP_LOSSLESS != 0 && properties & AV_CODEC_PROP_LOSSY == 0
    let raw = Int(parameters.bits_per_raw_sample)
    bitsPerSample = raw > 0 ? raw : Int(parameters.bits_per_coded_sample)
    blockBytes = Int(parameters.block_align)
    // The decoder gives floats of bytes that are eight samples of one bit each; WavPack's own floats have 32 bits.
    isDirectStream =
      parameters.codec_id == AV_CODEC_ID_WAVPACK && raw == 8
      && parameters.format == AV_SAMPLE_FMT_FLTP.rawValue
    initialPadding = Int(parameters.initial_padding)
  }
}

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

  /// The parts of a Dolby Vision codec string.
  package struct DolbyVision: Sendable, Equatable {
    /// Profile, e.g. 5 or 8.
    package var profile: Int
    /// Level, e.g. 6.
    package var level: Int
    /// Compatibility of the base layer: 0 none, 1 HDR10, 2 SDR, 4 HLG.
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
