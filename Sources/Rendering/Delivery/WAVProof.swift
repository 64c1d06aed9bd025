import AudioCore
import MediaOut
import Verify

/// Reads a written WAV file back with a reader that shares nothing with the writer, and compares its
/// samples with those that were written.
struct WAVProof {
  let encoding: SampleEncoding
  let target: OutputTarget
  let format: AudioFormat
  let frames: Int64
  /// Named samples that were written.
  var markers: [CuePoint] = []

  /// Reads the file that `account` was taken of.
  /// - Throws: ``MediaError`` of kind `verification-failed` when header, length or samples aren't as
  ///   meant.
  func read(
    _ account: WrittenSound.Account, _ tell: (Int64) throws -> Void
  ) throws -> WrittenFile {
    let found = try readSamples(account.checksum, tell)
    return WrittenFile(
      format: found.form, layout: format.layout, samples: found.samples,
      digest: found.digest, statistics: account.statistics, spectrum: account.spectrum)
  }

  /// Reads the samples, whose bytes have `checksum`; the form is `wav` or `rf64`.
  /// - Throws: as ``read(_:_:)``.
  func readSamples(
    _ checksum: [UInt8], _ tell: (Int64) throws -> Void
  ) throws -> (form: String, samples: Int64, digest: String) {
    // Channels that no mask names must have none; of layouts, some don't fit into masks.
    let mask =
      format.layout.unnamed > 0
      ? 0
      : WAVWriter.carries(format.layout) ? UInt32(truncatingIfNeeded: format.layout.mask) : nil
    var expectation = WAVExpectation(
      sampleRate: format.sampleRate, channels: format.channels, frames: frames,
      bits: encoding.integerBits ?? 32, isFloat: encoding == .float32, mask: mask)
    expectation.markers = markers.map { ($0.position, $0.title) }
    let found = try SampleProof(target: target, expectation: expectation, checksum: checksum)
      .read(tell)
    return (found.form == "RIFF" ? "wav" : "rf64", found.samples, found.digest)
  }
}
