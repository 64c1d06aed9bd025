import AudioCore
import LibAV

/// Cuts audio into an encoder's frames. Samples for a lossless encoding are rounded to its integers first.
package final class FrameEncoder {
  /// Samples of a frame where the encoder takes any number.
  private static let anyFrame = 4096
  /// Samples of PCM that lie together.
  private static let pcmFrame = 1024

  /// The encoder; callers read its delay, bit rate and extradata.
  package let encoder: EncoderContext
  /// Samples of every frame but the last.
  package let frameSize: Int
  /// `nil` for a lossy encoding.
  private let samples: StoredSamples?
  /// Samples waiting for a whole frame.
  private let waiting: AudioBuffer

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
    samples =
      encoding.isLossless
      ? StoredSamples(channels: format.channels, bits: bits, dither: dither) : nil
    waiting = AudioBuffer(channels: format.channels, capacity: 1 << 15)
  }

  /// The packets of `body`, whose failures say that the file called `name` can't be encoded as `coding`.
  static func naming(
    _ name: String, _ coding: String, _ body: () throws -> [EncodedPacket]
  ) throws -> [EncodedPacket] {
    do { return try body() } catch let error as LibAVError {
      throw error.failure(.internal, about: name, "can't be encoded as \(coding)")
    }
  }

  /// Opens the encoder of an audio track in MP4.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` when it can't take the format.
  package convenience init(_ settings: FragmentedAudioSettings) throws {
    try self.init(
      settings.encoding, format: settings.format, bits: settings.bits, bitRate: settings.bitRate,
      dither: settings.dither, options: settings.encoderOptions)
  }

  /// Samples that had to be clamped to full scale; 0 for lossy encodings, which clamp nothing.
  package var clippedSamples: Int64 { samples?.clipped ?? 0 }

  /// The samples of the last block as every reader gets them; `nil` for a lossy encoding.
  package var stored: AudioBuffer? { samples?.last }

  /// Adds `buffer` and encodes as many whole frames as there are now.
  /// - Throws: ``LibAVError`` when the encoder refuses.
  package func encode(_ buffer: AudioBuffer) throws -> [EncodedPacket] {
    guard buffer.frames > 0 else { return [] }
    waiting.append(samples?.take(buffer) ?? buffer)
    return try encode(isLast: false)
  }

  /// Encodes the rest.
  /// - Throws: as ``encode(_:)``.
  package func finish() throws -> [EncodedPacket] {
    let rest = try encode(isLast: true)
    return rest + (try encoder.finish())
  }

  private func encode(isLast: Bool) throws -> [EncodedPacket] {
    var position = 0
    var result: [EncodedPacket] = []
    while waiting.frames - position >= frameSize || isLast && position < waiting.frames {
      let count = min(frameSize, waiting.frames - position)
      result += try encoder.encode(waiting, range: position..<position + count)
      position += count
    }
    waiting.removeFirst(position)
    return result
  }
}
