import ADM
import AudioCore
import Platform
import Samples

/// Reads the samples of a WAV file with any number of channels.
final class WaveSamples {
  /// Bytes that are read at once, unless a single frame is larger.
  private static let chunk = 1 << 18

  /// Samples of each channel.
  let frames: Int64
  private let file: LocalFile
  private let data: WaveChunk
  private let format: SampleFormat
  private let bytesPerFrame: Int
  private var position: Int64 = 0

  /// The samples that the `data` chunk of `wave` holds.
  /// - Throws: ``MediaError`` of kind `unsupportedCodec` for a width of samples that isn't known.
  init(_ file: LocalFile, _ wave: WaveFile) throws {
    self.file = file
    data = wave.data
    frames = wave.frames
    bytesPerFrame = wave.format.bytesPerFrame
    switch (wave.format.encoding, wave.format.bits) {
    case (.pcm, 8): format = .unsigned8
    case (.pcm, 16): format = .integer16
    case (.pcm, 24): format = .integer24
    case (.pcm, 32): format = .integer32
    case (.pcm, 64): format = .integer64
    case (.float, 32): format = .float32
    case (.float, 64): format = .float64
    default:
      throw MediaError(
        .unsupportedCodec, about: file.path,
        "samples of \(wave.format.bits) bits can't be read; convert them to 24 bits")
    }
  }

  /// What libavcodec would decode the samples as.
  var decodedFormat: String {
    switch format {
    case .unsigned8: return "u8"
    case .integer16: return "s16"
    case .integer24, .integer32: return "s32"
    case .integer64: return "s64"
    case .float32: return "flt"
    case .float64: return "dbl"
    }
  }

  /// Goes to sample `target`, 0…``frames``.
  func seek(to target: Int64) { position = min(max(0, target), frames) }

  /// Appends the next samples of all channels to `buffer`.
  /// - Returns: how many; 0 at the end.
  /// - Throws: ``MediaError`` of kind `inputUnreadable` when the file ends earlier than before.
  func read(into buffer: AudioBuffer) throws -> Int {
    let most = Int64(max(1, WaveSamples.chunk / bytesPerFrame))
    let count = Int(min(most, frames - position))
    guard count > 0 else { return 0 }
    let bytes = file.bytes(
      at: data.offset + position * Int64(bytesPerFrame), count: count * bytesPerFrame)
    guard bytes.count == count * bytesPerFrame else {
      throw MediaError(
        .inputUnreadable, about: file.path,
        "ends earlier than when it was opened; run again when it is complete")
    }
    let start = buffer.grow(by: count)
    bytes.withUnsafeBytes { raw in
      if let base = raw.baseAddress { buffer.unpack(base, count: count, as: format, at: start) }
    }
    position += Int64(count)
    return count
  }
}
