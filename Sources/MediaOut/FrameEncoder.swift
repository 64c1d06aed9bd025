import AudioCore
import LibAV
import Signal

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

/// The samples of a lossless output as its readers get them: rounded to its integers, or the floats
/// themselves.
final class StoredSamples {
  /// What the last block became; valid until the next one is taken.
  private(set) var last: AudioBuffer
  /// `nil` for floats.
  private var grid: SampleGrid?
  private let rounded: AudioBuffer

  /// Samples of `channels` channels in integers of `bits` bits, or in floats for `nil`.
  init(channels: Int, bits: Int?, dither: Dither) {
    grid = bits.map { SampleGrid(bits: $0, isDithered: dither == .tpdf) }
    rounded = AudioBuffer(channels: channels)
    last = rounded
  }

  /// Samples that had to be clamped to full scale.
  var clipped: Int64 { grid?.clipped ?? 0 }

  /// Makes of `buffer` what is stored of it.
  func take(_ buffer: AudioBuffer) -> AudioBuffer {
    rounded.removeAll()
    grid?.append(buffer, to: rounded)
    last = grid == nil ? buffer : rounded
    return last
  }
}

/// How samples are stored in a WAV file (`-b`).
public enum SampleEncoding: String, Sendable, CaseIterable, Codable {
  /// 16-bit integers.
  case pcm16 = "16"
  /// 24-bit integers.
  case pcm24 = "24"
  /// 32-bit IEEE floats.
  case float32 = "32f"

  /// Bytes of one sample.
  public var bytes: Int {
    switch self {
    case .pcm16: return 2
    case .pcm24: return 3
    case .float32: return 4
    }
  }

  /// How they lie in memory.
  package var format: SampleFormat {
    switch self {
    case .pcm16: return .integer16
    case .pcm24: return .integer24
    case .float32: return .float32
    }
  }

  /// Significant bits of an integer sample; `nil` for floats.
  public var integerBits: Int? {
    switch self {
    case .pcm16: return 16
    case .pcm24: return 24
    case .float32: return nil
    }
  }
}

/// Noise added before rounding to integers (`--dither`).
public enum Dither: String, Sendable, CaseIterable, Codable {
  /// Plain rounding to nearest, ties to even.
  case none
  /// Triangular noise of ±1 LSB from a fixed seed, so that outputs repeat.
  case tpdf
}
