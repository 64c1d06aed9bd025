// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CFFmpeg
import Signal

/// An open audio encoder (AVCodecContext): one thread and `bitexact`, so that the same samples give
/// the same packets.
package final class EncoderContext {
  private var context: UnsafeMutablePointer<AVCodecContext>?
  private var frame: UnsafeMutablePointer<AVFrame>?
  private var packet: UnsafeMutablePointer<AVPacket>?
  private let format: AudioFormat
  private let encoding: AudioEncoding
  /// Factor of all samples, against what the encoder does to the level by itself.
  private let factor: Float
  private var sent: Int64 = 0
  /// The configuration after the last frame; `nil` when it hasn't changed.
  package private(set) var renewedExtradata: [UInt8]?

  /// Opens the encoder.
  ///
  /// `bits` (16 or 24) is for lossless encodings, `bitRate` in bit/s for the others; `nil` takes the
  /// codec's usual one. `options` are libavcodec's, and `q` for codecs that have ``EncodingTraits/qualities``.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` when the encoder is missing or can't take
  ///   the format, of kind `out-of-resources` when memory is out.
  package init(
    _ encoding: AudioEncoding, format: AudioFormat, bits: Int = 24, bitRate: Int? = nil,
    options: [String: String] = [:]
  ) throws {
    self.encoding = encoding
    self.format = format
    if let key = options.keys.sorted().first(where: EncoderContext.owned.contains) {
      throw MediaError(
        .usage,
        "\(setting: .encoderOptions) \(key): is what Pinna sets itself; use \(setting: .sampleRate), \(setting: .bitRate), \(setting: .bits) or \(setting: .outputLayout)"
      )
    }
    try encoding.check(format.layout)
    let traits = encoding.traits
    var options = options
    let control = try RateControl(
      encoding, format: format, bitRate: bitRate, takenFrom: &options)
    factor = traits.restoringFactor(bitRate: control.constant)
    let name = (bits == 16 ? traits.encoder16 : nil) ?? traits.encoder
    guard let codec = avcodec_find_encoder_by_name(name) else {
      throw MediaError(
        .unsupportedFeature,
        "this libavcodec has no \(name) encoder; choose another \(setting: .codec) or \(setting: .container)"
      )
    }
    guard let fresh = avcodec_alloc_context3(codec) else { throw EncoderContext.noMemory }
    context = fresh
    fresh.pointee.sample_fmt = EncoderContext.sampleFormat(traits, bits: bits)
    fresh.pointee.sample_rate = Int32(format.sampleRate)
    fresh.pointee.ch_layout = encoding.layout(for: format.layout).libAV
    fresh.pointee.time_base = AVRational(num: 1, den: Int32(format.sampleRate))
    fresh.pointee.thread_count = 1
    // The configuration goes into the file's header, not into the packets.
    fresh.pointee.flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_GLOBAL_HEADER
    if encoding.isLossless { fresh.pointee.bits_per_raw_sample = Int32(bits) }
    control.set(fresh)
    let dictionary = try OpenOptions(options)
    let code = avcodec_open2(fresh, codec, &dictionary.handle)
    guard code != PINNA_ENOMEM else { throw EncoderContext.noMemory }
    guard code >= 0 else {
      throw MediaError(
        .unsupportedFeature,
        "\(encoding.rawValue) can't take \(format.layout) at \(format.sampleRate) Hz"
          + (control.constant.map { " and \($0) bit/s" } ?? "")
          + (options.isEmpty ? "" : " with these \(setting: .encoderOptions)")
          + "; choose another \(setting: .codec), \(setting: .sampleRate) or \(setting: .outputLayout)"
      )
    }
    if let key = dictionary.unused.first {
      throw MediaError(
        .usage,
        "\(setting: .encoderOptions) \(key): the \(name) encoder doesn't know this option; remove it"
      )
    }
    frame = av_frame_alloc()
    packet = av_packet_alloc()
    guard frame != nil, packet != nil else { throw EncoderContext.noMemory }
  }

  deinit {
    av_packet_free(&packet)
    av_frame_free(&frame)
    avcodec_free_context(&context)
  }

  /// Samples of every packet but the last; 0 when any number will do.
  package var frameSize: Int { Int(context?.pointee.frame_size ?? 0) }

  /// Start-up samples before the first sample that was put in.
  package var initialPadding: Int { Int(context?.pointee.initial_padding ?? 0) }

  /// The decoder's configuration as libavcodec states it: AudioSpecificConfig, STREAMINFO, ALAC
  /// cookie or OpusHead.
  package var extradata: [UInt8] {
    guard let context, let data = context.pointee.extradata else { return [] }
    return Array(UnsafeBufferPointer(start: data, count: Int(context.pointee.extradata_size)))
  }

  /// Bit rate in bit/s the encoder aims at; 0 when lossless.
  package var bitRate: Int { Int(context?.pointee.bit_rate ?? 0) }

  /// Describes the encoded track to a container.
  func describe(_ parameters: UnsafeMutablePointer<AVCodecParameters>) throws {
    let code = avcodec_parameters_from_context(parameters, context)
    guard code >= 0 else { throw LibAVError(code: code) }
  }

  /// Encodes samples `range` of `buffer` as one frame.
  ///
  /// All frames but the last have ``frameSize`` samples where that isn't 0. For lossless encodings the
  /// samples are multiples of the integers' step.
  /// - Throws: ``LibAVError`` when the encoder refuses.
  package func encode(_ buffer: AudioBuffer, range: Range<Int>) throws -> [EncodedPacket] {
    let planes = try makeFrame(range.count)
    let format = EncoderContext.memoryFormat(sampleFormat)
    if av_sample_fmt_is_planar(sampleFormat) != 0 {
      for channel in 0..<buffer.channels {
        guard let plane = planes[channel] else { continue }
        buffer.pack(range, as: format, channel: channel, into: plane)
        if factor != 1 { EncoderContext.multiply(plane, range.count, by: factor) }
      }
    } else if let plane = planes[0] {
      buffer.pack(range, as: format, into: plane)
    }
    return try send(range.count)
  }

  /// Multiplies `count` floats at `plane`; only lossy encodings that take planes have a factor.
  private static func multiply(_ plane: UnsafeMutablePointer<UInt8>, _ count: Int, by factor: Float)
  {
    UnsafeMutableRawPointer(plane).withMemoryRebound(to: Float.self, capacity: count) { samples in
      for index in 0..<count { samples[index] *= factor }
    }
  }

  /// Drains the encoder.
  /// - Throws: as ``encode(_:range:)``.
  package func finish() throws -> [EncodedPacket] {
    let code = avcodec_send_frame(context, nil)
    guard code >= 0 || code == PINNA_EOF else { throw LibAVError(code: code) }
    return try receive()
  }

  private var sampleFormat: AVSampleFormat { context?.pointee.sample_fmt ?? AV_SAMPLE_FMT_NONE }

  /// How samples lie in a plane of the formats that ``sampleFormat(_:bits:)`` chooses.
  private static func memoryFormat(_ format: AVSampleFormat) -> SampleFormat {
    switch av_get_packed_sample_fmt(format) {
    case AV_SAMPLE_FMT_S16: return .integer16
    case AV_SAMPLE_FMT_S32: return .integer32
    default: return .float32
    }
  }

  /// Makes ``frame`` a fresh one of `count` samples; returns its planes.
  private func makeFrame(
    _ count: Int
  ) throws -> UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?> {
    guard let frame, let context else { throw EncoderContext.noMemory }
    av_frame_unref(frame)
    frame.pointee.nb_samples = Int32(count)
    frame.pointee.format = context.pointee.sample_fmt.rawValue
    frame.pointee.sample_rate = context.pointee.sample_rate
    frame.pointee.ch_layout = encoding.layout(for: format.layout).libAV
    frame.pointee.pts = sent
    guard av_frame_get_buffer(frame, 0) >= 0, let planes = frame.pointee.extended_data else {
      throw EncoderContext.noMemory
    }
    return planes
  }

  private func send(_ count: Int) throws -> [EncodedPacket] {
    let code = avcodec_send_frame(context, frame)
    guard code >= 0 else { throw LibAVError(code: code) }
    sent += Int64(count)
    return try receive()
  }

  private func receive() throws -> [EncodedPacket] {
    var packets: [EncodedPacket] = []
    guard let packet else { return packets }
    while true {
      let code = avcodec_receive_packet(context, packet)
      if code == PINNA_EAGAIN || code == PINNA_EOF { return packets }
      guard code >= 0 else { throw LibAVError(code: code) }
      defer { av_packet_unref(packet) }
      if let update = newExtradata(packet) { renewedExtradata = update }
      guard let data = packet.pointee.data, packet.pointee.size > 0 else { continue }
      packets.append(
        EncodedPacket(
          data: Array(UnsafeBufferPointer(start: data, count: Int(packet.pointee.size))),
          time: packet.pointee.pts, duration: Int(packet.pointee.duration)))
    }
  }

  /// FLAC's STREAMINFO is complete only at the end: it holds the sample count and an MD5.
  private func newExtradata(_ packet: UnsafeMutablePointer<AVPacket>) -> [UInt8]? {
    var size = 0
    guard let data = av_packet_get_side_data(packet, AV_PKT_DATA_NEW_EXTRADATA, &size) else {
      return nil
    }
    return Array(UnsafeBufferPointer(start: data, count: size))
  }

  private static func sampleFormat(_ traits: EncodingTraits, bits: Int) -> AVSampleFormat {
    let format =
      !traits.isLossless
      ? AV_SAMPLE_FMT_FLT : bits == 16 ? AV_SAMPLE_FMT_S16 : AV_SAMPLE_FMT_S32
    return traits.takesPlanes ? av_get_planar_sample_fmt(format) : format
  }

  /// Options that Pinna sets itself, because they decide what the samples are or how they are
  /// timed.
  private static let owned: Set = [
    "ar", "ac", "b", "ab", "time_base", "sample_fmt", "ch_layout", "channel_layout",
    "request_channel_layout", "frame_size", "flags", "threads", "bits_per_raw_sample", "strict",
    "initial_padding",
  ]

  private static var noMemory: MediaError {
    MediaError(.outOfResources, "no memory for an encoder: close other programs and try again")
  }
}

/// How the bits of an encoding are spent: at a bit rate, by a quality, or as the encoder pleases.
private struct RateControl {
  /// The name of the option for a quality, as ffmpeg's `-q:a` has it. libavcodec has a flag and a field in its place.
  private static let option = "q"

  /// bit/s; `nil` for a quality, and for an encoding that has none.
  let constant: Int?
  private let quality: Double?

  /// The choice of `bitRate` and `options`; the quality is taken out of the options.
  /// - Throws: ``MediaError`` of kind `usage` for both at once and for values that the codec doesn't have.
  init(
    _ encoding: AudioEncoding, format: AudioFormat, bitRate: Int?,
    takenFrom options: inout [String: String]
  ) throws {
    let traits = encoding.traits
    if let qualities = traits.qualities, let text = options.removeValue(forKey: RateControl.option)
    {
      guard let value = Double(text), qualities.contains(value) else {
        throw MediaError(
          .usage,
          "\(setting: .encoderOptions) \(RateControl.option)=\(text): give a quality from 0, the best, to 9"
        )
      }
      guard bitRate == nil else {
        throw MediaError(
          .usage,
          "\(setting: .encoderOptions) \(RateControl.option): a quality makes the bit rate vary, so \(setting: .bitRate) plays no part; drop one"
        )
      }
      (constant, quality) = (nil, value)
      return
    }
    quality = nil
    guard !encoding.isLossless else {
      constant = nil
      return
    }
    constant =
      bitRate ?? traits.usualBitRate(channels: format.channels, at: format.sampleRate)
    let rates = traits.bitRates(format.sampleRate)
    // An average may be any number.
    let isAverage = ["1", "true"].contains(options["abr"])
    guard let constant, !rates.isEmpty, !isAverage, !rates.contains(constant) else { return }
    throw MediaError(
      .usage,
      "\(setting: .bitRate) \(constant): \(encoding.rawValue) at \(format.sampleRate) Hz has no such bit rate; give one of "
        + rates.map { "\($0 / 1000)k" }.joined(separator: ", "))
  }

  /// Tells `context`.
  func set(_ context: UnsafeMutablePointer<AVCodecContext>) {
    if let constant { context.pointee.bit_rate = Int64(constant) }
    guard let quality else { return }
    context.pointee.flags |= AV_CODEC_FLAG_QSCALE
    context.pointee.global_quality = Int32((quality * Double(FF_QP2LAMBDA)).rounded())
  }
}

package struct EncodedPacket: Sendable, Equatable {
  /// The payload.
  package let data: [UInt8]
  /// Time of its first sample; negative while start-up samples last.
  package let time: Int64
  /// Samples it decodes to.
  package let duration: Int

  /// A packet of `duration` samples from `time` on.
  package init(data: [UInt8], time: Int64, duration: Int) {
    self.data = data
    self.time = time
    self.duration = duration
  }
}
