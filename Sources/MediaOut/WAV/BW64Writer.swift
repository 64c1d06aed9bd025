// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// Writes WAV files for audio definition metadata (BW64, ITU-R BS.2088-1): tracks without a channel mask,
/// chunks before and behind the samples.
///
/// The metadata may be complete only after the last sample; the header's sizes are written again then.
package final class BW64Writer: AudioSink {
  /// Samples of each track written so far.
  package private(set) var frames: Int64 = 0
  /// Chunks that ``close()`` writes behind the samples and in front of the tags, such as `axml`.
  package var trailing: [WAVChunk] = []

  private let settings: SoundSettings
  private let header: BW64Header
  private let name: String
  private let file: BufferedDescriptor
  private let samples: StoredSamples
  private var bytes: [UInt8] = []

  /// Starts a file on `descriptor`, which stays open; `name` appears in messages. Chunks that are known,
  /// such as `chna`, lie before the samples.
  ///
  /// The former content of the descriptor's file is overwritten, and any rest is cut off by ``close()``.
  /// - Throws: ``MediaError``: `unsupportedFeature` for track counts and rates that the format can't
  ///   state, `diskFull` or `outputUnwritable`.
  package init(
    descriptor: Int32, name: String, settings: SoundSettings, leading: [WAVChunk] = []
  ) throws {
    let (format, coding) = (settings.format, settings.coding)
    guard format.channels > 0, format.channels * coding.encoding.bytes <= Int(UInt16.max),
      format.sampleRate > 0, format.sampleRate <= 1_000_000
    else {
      throw MediaError(
        .unsupportedFeature, about: name,
        "BW64 can't hold \(format.channels) tracks at \(format.sampleRate) Hz")
    }
    self.settings = settings
    self.name = name
    let broadcast = settings.texts.broadcast?.chunk(settings.texts.loudness)
    header = BW64Header(
      tracks: format.channels, sampleRate: format.sampleRate, encoding: coding.encoding,
      leading: [broadcast].compactMap(\.self) + leading)
    file = BufferedDescriptor(descriptor: descriptor)
    samples = StoredSamples(
      channels: format.channels, bits: coding.encoding.integerBits, dither: coding.dither)
    try file.put(header.bytes(data: 0, trailing: 0), to: name)
  }

  /// Samples that had to be clamped to full scale.
  package var clippedSamples: Int64 { samples.clipped }

  /// The samples of the last block as every reader gets them.
  package var stored: AudioBuffer? { samples.last }

  /// Writes all of `buffer`, which has a plane for each track.
  /// - Throws: ``MediaError`` of kind `diskFull` or `outputUnwritable`.
  package func write(_ buffer: AudioBuffer) throws {
    precondition(buffer.channels == settings.format.channels, "track counts differ")
    guard buffer.frames > 0 else { return }
    let samples = samples.take(buffer)
    let count = buffer.frames * header.frame
    if bytes.count < count { bytes = [UInt8](repeating: 0, count: count) }
    let written = bytes.withUnsafeMutableBytes { target -> Bool in
      guard let base = target.baseAddress else { return false }
      samples.pack(0..<samples.frames, as: settings.coding.encoding.format, into: base)
      return file.write(base, count) == count
    }
    guard written else { throw OutputFailure.error(file.failure, name) }
    frames += Int64(buffer.frames)
  }

  /// Writes ``trailing`` and the header's sizes.
  /// - Throws: ``MediaError`` when the last bytes can't be written.
  package func close() throws {
    let data = frames * Int64(header.frame)
    let rest = (trailing + WAVChunk.id3(settings.texts)).flatMap(\.stored)
    try file.put((data % 2 == 0 ? [] : [0]) + rest, to: name)
    guard file.seek(0, SEEK_SET) == 0 else { throw OutputFailure.error(file.failure, name) }
    try file.put(header.bytes(data: data, trailing: Int64(rest.count)), to: name)
    guard file.finish() else { throw OutputFailure.error(file.failure, name) }
  }
}

/// The part of a BW64 file before its samples (ITU-R BS.2088-1).
///
/// While 32 bits hold all sizes, the file begins with `RIFF`, and a `JUNK` chunk keeps the place of `ds64`,
/// so that older programs read it. A header has the same length either way.
struct BW64Header: Sendable {
  let tracks: Int
  let sampleRate: Int
  let encoding: SampleEncoding
  /// Chunks between the format and the samples.
  let leading: [WAVChunk]

  /// Bytes of one sample of all tracks.
  var frame: Int { tracks * encoding.bytes }

  /// Content of `ds64` without a table.
  private static let longSizes = 28

  /// The header for `data` bytes of samples and `trailing` bytes of chunks behind them.
  func bytes(data: Int64, trailing: Int64) -> [UInt8] {
    let chunks = [WAVChunk(id: "fmt ", bytes: format)] + leading
    let middle = chunks.flatMap(\.stored)
    let riff = Int64(4 + 8 + BW64Header.longSizes + middle.count + 8) + data + data % 2 + trailing
    let isLong = riff > Int64(UInt32.max) - 8
    let sizes =
      riff.littleEndianBytes + data.littleEndianBytes + Array(repeating: 0, count: 12)
    let place = WAVChunk(
      id: isLong ? "ds64" : "JUNK",
      bytes: isLong ? sizes : Array(repeating: 0, count: BW64Header.longSizes))
    return Array((isLong ? "BW64" : "RIFF").utf8) + short(riff, isLong) + Array("WAVE".utf8)
      + place.stored + middle + Array("data".utf8) + short(data, isLong)
  }

  /// A size of 32 bits, or what says that it stands in `ds64`.
  private func short(_ size: Int64, _ isLong: Bool) -> [UInt8] {
    (isLong ? UInt32.max : UInt32(clamping: size)).littleEndianBytes
  }

  /// The content of `fmt `: WAVE_FORMAT_PCM, or WAVE_FORMAT_IEEE_FLOAT with the size of no extension.
  private var format: [UInt8] {
    let isFloat = encoding.integerBits == nil
    let rate = UInt32(clamping: sampleRate).littleEndianBytes
    return UInt16(isFloat ? 3 : 1).littleEndianBytes
      + UInt16(clamping: tracks).littleEndianBytes + rate
      + UInt32(clamping: sampleRate * frame).littleEndianBytes
      + UInt16(clamping: frame).littleEndianBytes
      + UInt16(8 * encoding.bytes).littleEndianBytes + (isFloat ? [0, 0] : [])
  }
}
