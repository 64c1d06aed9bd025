import AudioCore
import Platform
import Samples

/// Writes WAV files for audio definition metadata (BW64, ITU-R BS.2088-1): tracks without a channel mask,
/// chunks before and behind the samples.
///
/// The metadata may be complete only after the last sample; the header's sizes are written again then.
package final class BW64Writer: AudioSink {
  /// Samples of each track written so far.
  package private(set) var frames: Int64 = 0
  /// Chunks that ``close()`` writes behind the samples, such as `axml`.
  package var trailing: [WAVChunk] = []

  private let settings: BW64Settings
  private let header: BW64Header
  private let name: String
  private let file: BufferedDescriptor
  private let samples: StoredSamples
  private var bytes: [UInt8] = []

  /// Starts a file on `descriptor`, which stays open; `name` appears in messages. Chunks that are known,
  /// such as `chna`, lie before the samples.
  ///
  /// What the descriptor's file held before is overwritten, and any rest is cut off by ``close()``.
  /// - Throws: ``MediaError``: `unsupportedFeature` for track counts and rates that the format can't
  ///   state, `diskFull` or `outputUnwritable`.
  package init(
    descriptor: Int32, name: String, settings: BW64Settings, leading: [WAVChunk] = []
  ) throws {
    guard settings.tracks > 0, settings.tracks * settings.encoding.bytes <= Int(UInt16.max),
      settings.sampleRate > 0, settings.sampleRate <= 1_000_000
    else {
      throw MediaError(
        .unsupportedFeature, about: name,
        "BW64 can't hold \(settings.tracks) tracks at \(settings.sampleRate) Hz")
    }
    self.settings = settings
    self.name = name
    header = BW64Header(settings: settings, leading: leading)
    file = BufferedDescriptor(descriptor: descriptor)
    samples = StoredSamples(
      channels: settings.tracks, bits: settings.encoding.integerBits, dither: settings.dither)
    try file.put(header.bytes(data: 0, trailing: 0), to: name)
  }

  /// Samples that had to be clamped to full scale.
  package var clippedSamples: Int64 { samples.clipped }

  /// The samples of the last block as every reader gets them.
  package var stored: AudioBuffer? { samples.last }

  /// Writes all of `buffer`, which has a plane for each track.
  /// - Throws: ``MediaError`` of kind `diskFull` or `outputUnwritable`.
  package func write(_ buffer: AudioBuffer) throws {
    precondition(buffer.channels == settings.tracks, "track counts differ")
    guard buffer.frames > 0 else { return }
    let samples = samples.take(buffer)
    let count = buffer.frames * settings.tracks * settings.encoding.bytes
    if bytes.count < count { bytes = [UInt8](repeating: 0, count: count) }
    let written = bytes.withUnsafeMutableBytes { target -> Bool in
      guard let base = target.baseAddress else { return false }
      samples.pack(0..<samples.frames, as: settings.encoding.format, into: base)
      return file.write(base, count) == count
    }
    guard written else { throw OutputFailure.error(file.failure, name) }
    frames += Int64(buffer.frames)
  }

  /// Writes ``trailing`` and the header's sizes.
  /// - Throws: ``MediaError`` when the last bytes can't be written.
  package func close() throws {
    let data = frames * Int64(settings.tracks * settings.encoding.bytes)
    let rest = trailing.flatMap(\.stored)
    try file.put((data % 2 == 0 ? [] : [0]) + rest, to: name)
    guard file.seek(0, SEEK_SET) == 0 else { throw OutputFailure.error(file.failure, name) }
    try file.put(header.bytes(data: data, trailing: Int64(rest.count)), to: name)
    guard file.finish() else { throw OutputFailure.error(file.failure, name) }
  }
}
