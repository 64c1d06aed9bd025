import AudioCore
import LibAV
import Loudness
import Samples
import Verify

/// The samples of an encoded file as its readers get them: digest and checksum, and their levels where
/// nobody has measured them yet.
final class ReadSound {
  private let meter: LoudnessMeter?
  private let spectrum: LongTermSpectrum?
  private let checksum: ByteChecksum
  private var digest = PCMDigest()
  private var packed: PackedBlock

  /// Sound of `format`, digested as `stored`; it is measured where `isMeasured` says so.
  /// - Throws: ``MediaError`` when no spectrum of it can be made.
  init(format: AudioFormat, stored: SampleFormat, isMeasured: Bool, isDualMono: Bool) throws {
    meter =
      isMeasured
      ? try LoudnessMeter(format: format, dualMono: isDualMono, needsLoudness: false) : nil
    spectrum = isMeasured ? try LongTermSpectrum(format: format) : nil
    checksum = try ByteChecksum()
    packed = PackedBlock(stored)
  }

  /// Adds the next samples.
  func add(_ block: AudioBuffer) throws {
    try meter?.add(block)
    spectrum?.add(block)
    packed.withBytes(block) {
      digest.update($0)
      checksum.update($0)
    }
  }

  /// SHA-256 of the samples' bytes.
  var hexadecimal: String { digest.hexadecimal }

  /// The account of everything that was read; the levels are those of `written` where they weren't
  /// measured. Call once.
  func close(_ written: WrittenSound.Account?) -> WrittenSound.Account? {
    guard let statistics = meter?.statistics() ?? written?.statistics else { return nil }
    return WrittenSound.Account(
      checksum: checksum.finish(), statistics: statistics,
      spectrum: spectrum?.levels ?? written?.spectrum ?? [])
  }
}
