import AudioCore
import LibAV

/// Cuts audio into an encoder's frames: integers from our own quantiser where the encoding is
/// lossless, floats otherwise.
package final class FrameEncoder {
  /// Samples of a frame where the encoder takes any number.
  private static let anyFrame = 4096
  /// Samples of PCM that lie together.
  private static let pcmFrame = 1024

  /// The encoder; callers read its delay, bit rate and extradata.
  package let encoder: EncoderContext
  /// Samples of every frame but the last.
  package let frameSize: Int
  private let isLossless: Bool
  private let channels: Int
  private var quantizer: Quantizer
  /// Samples waiting for a whole frame: floats for lossy encodings, interleaved integers else.
  private let waiting: AudioBuffer
  private var integers: [Int32] = []

  /// Opens the encoder. `bits` and `dither` are for lossless encodings, `bitRate` for the others.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` when it can't take the format.
  init(
    _ encoding: AudioEncoding, format: AudioFormat, bits: Int, bitRate: Int?, dither: Dither,
    options: [String: String] = [:]
  ) throws {
    encoder = try EncoderContext(
      encoding, format: format, bits: bits, bitRate: bitRate, options: options)
    let free = encoding == .pcm ? FrameEncoder.pcmFrame : FrameEncoder.anyFrame
    frameSize = encoder.frameSize > 0 ? encoder.frameSize : free
    isLossless = encoding.isLossless
    channels = format.channels
    quantizer = Quantizer(bits: bits, dither: dither)
    waiting = AudioBuffer(channels: format.channels, capacity: 1 << 15)
  }

  /// Opens the encoder of an audio track in MP4.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` when it can't take the format.
  package convenience init(_ settings: FragmentedAudioSettings) throws {
    try self.init(
      settings.encoding, format: settings.format, bits: settings.bits, bitRate: settings.bitRate,
      dither: settings.dither, options: settings.encoderOptions)
  }

  /// Samples that had to be clamped to full scale; 0 for lossy encodings, which clamp nothing.
  package var clippedSamples: Int64 { quantizer.clipped }

  /// Adds `buffer` and encodes as many whole frames as there are now.
  /// - Throws: ``LibAVError`` when the encoder refuses.
  package func encode(_ buffer: AudioBuffer) throws -> [EncodedPacket] {
    guard buffer.frames > 0 else { return [] }
    if isLossless {
      let start = integers.count
      integers.append(contentsOf: repeatElement(0, count: buffer.frames * channels))
      integers.withUnsafeMutableBufferPointer { target in
        if let base = target.baseAddress { quantizer.convert(buffer, into: base + start) }
      }
    } else {
      waiting.append(buffer)
    }
    return try encode(isLast: false)
  }

  /// Encodes the rest.
  /// - Throws: as ``encode(_:)``.
  package func finish() throws -> [EncodedPacket] {
    let rest = try encode(isLast: true)
    return rest + (try encoder.finish())
  }

  private func encode(isLast: Bool) throws -> [EncodedPacket] {
    let held = isLossless ? integers.count / channels : waiting.frames
    var position = 0
    var result: [EncodedPacket] = []
    while held - position >= frameSize || isLast && position < held {
      let count = min(frameSize, held - position)
      result += try encodeFrame(at: position, count: count)
      position += count
    }
    if isLossless {
      integers.removeFirst(position * channels)
    } else {
      waiting.removeFirst(position)
    }
    return result
  }

  private func encodeFrame(at position: Int, count: Int) throws -> [EncodedPacket] {
    guard isLossless else {
      return try encoder.encode(waiting, range: position..<position + count)
    }
    return try integers.withUnsafeBufferPointer { samples in
      guard let base = samples.baseAddress else { return [] }
      return try encoder.encode(interleaved: base + position * channels, count: count)
    }
  }
}
