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
  /// What was written.
  let account: WrittenSound.Account

  /// - Throws: ``MediaError`` of kind `verification-failed` when header, length or samples aren't as
  ///   meant.
  func read(_ tell: (Int64) throws -> Void) throws -> WrittenFile {
    var expectation = WAVExpectation(
      sampleRate: format.sampleRate, channels: format.channels, frames: frames,
      bits: encoding.integerBits ?? 32, isFloat: encoding == .float32,
      mask: WAVWriter.carries(format.layout)
        ? UInt32(truncatingIfNeeded: format.layout.mask) : nil)
    expectation.markers = markers.map { ($0.position, $0.title) }
    let found = try SampleProof(
      target: target, expectation: expectation, checksum: account.checksum
    ).read(tell)
    return WrittenFile(
      format: found.form == "RIFF" ? "wav" : "rf64", layout: format.layout, samples: found.samples,
      digest: found.digest, statistics: account.statistics, spectrum: account.spectrum)
  }
}
