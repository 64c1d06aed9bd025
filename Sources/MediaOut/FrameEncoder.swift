// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Signal

/// Cuts audio into an encoder's frames. Samples for a lossless encoding are rounded to its integers first.
package final class FrameEncoder {
  /// The encoder; callers read its delay, bit rate and extradata.
  package let encoder: EncoderContext
  /// Samples of every frame but the last.
  package let frameSize: Int
  /// `nil` for a lossy encoding.
  private let samples: StoredSamples?
  /// Samples waiting for a whole frame.
  private let waiting: AudioBuffer
  /// Samples that the encoder must still get, so that readers find what it makes of them.
  private var missing: Int
  /// Samples of silence that follow the sound. The encoders of AC-3 hold nothing back at the end, so that samples would be missing by
  /// which they are late.
  private let tail: Int

  /// Opens the encoder of sound that is coded as `coding` states.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` when it can't take the format.
  package init(_ coding: OutputCoding, format: AudioFormat) throws {
    let codec = coding.codec
    encoder = try EncoderContext(
      codec, format: format, bits: coding.bits, bitRate: coding.bitRate,
      options: coding.encoderOptions)
    frameSize = encoder.frameSize > 0 ? encoder.frameSize : codec.traits.freeFrame
    missing = codec.traits.fillsTwoFrames ? frameSize + 1 : 0
    tail = DolbyTrack.forms[codec] == nil ? 0 : encoder.initialPadding
    samples =
      codec.isLossless
      ? StoredSamples(channels: format.channels, bits: coding.bits, dither: coding.dither) : nil
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

  /// Samples that had to be clamped to full scale; 0 for lossy encodings, which clamp nothing.
  package var clippedSamples: Int64 { samples?.clipped ?? 0 }

  /// The samples of the last block as every reader gets them; `nil` for a lossy encoding.
  package var stored: AudioBuffer? { samples?.last }

  /// Adds `buffer` and encodes as many whole frames as there are now.
  /// - Throws: ``LibAVError`` when the encoder refuses.
  package func encode(_ buffer: AudioBuffer) throws -> [EncodedPacket] {
    guard buffer.frames > 0 else { return [] }
    waiting.append(samples?.take(buffer) ?? buffer)
    missing = max(0, missing - buffer.frames)
    return try encode(isLast: false)
  }

  /// Encodes the rest.
  /// - Throws: as ``encode(_:)``.
  package func finish() throws -> [EncodedPacket] {
    waiting.appendSilence(missing + tail)
    missing = 0
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
  /// The last block as it is stored; valid until the next one is taken.
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

extension SampleEncoding {
  /// How samples lie in memory.
  package var format: SampleFormat {
    switch self {
    case .pcm16: return .integer16
    case .pcm24: return .integer24
    case .float32: return .float32
    }
  }
}
