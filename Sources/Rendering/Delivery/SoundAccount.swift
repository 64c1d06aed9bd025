import AudioCore
import LibAV
import Loudness
import Samples
import Verify

/// Takes account of the samples that are written.
protocol SoundAccount: AnyObject {
  /// Adds the next samples; the buffer may change afterwards.
  /// - Throws: ``MediaError`` when samples can't be measured.
  func add(_ block: AudioBuffer) throws

  /// The account of everything that was added. Call once.
  /// - Throws: as ``add(_:)``.
  func close() throws -> WrittenSound.Account
}

/// Measures the samples of a lossless output, and keeps a checksum of their bytes: when the file holds the
/// same bytes, the figures are those of the file.
final class DirectAccount: SoundAccount {
  private let meter: LoudnessMeter
  private let spectrum: LongTermSpectrum
  private let checksum: ByteChecksum
  private var packed: PackedBlock

  /// An account of `format`, whose samples the proof reads as `stored`; `isDualMono` as the meter takes
  /// it.
  /// - Throws: ``MediaError`` when no spectrum of them can be made.
  init(format: AudioFormat, isDualMono: Bool, stored: SampleFormat) throws {
    meter = try LoudnessMeter(format: format, dualMono: isDualMono, needsLoudness: false)
    spectrum = try LongTermSpectrum(format: format)
    checksum = try ByteChecksum()
    packed = PackedBlock(stored)
  }

  func add(_ block: AudioBuffer) throws {
    try meter.add(block)
    spectrum.add(block)
    packed.withBytes(block) { checksum.update($0) }
  }

  func close() -> WrittenSound.Account {
    WrittenSound.Account(
      checksum: checksum.finish(), statistics: meter.statistics(), spectrum: spectrum.levels)
  }
}
