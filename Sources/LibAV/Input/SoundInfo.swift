import AudioCore
import CFFmpeg

/// What a container or codec header says of an audio stream.
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
