import AudioCore
import LibAV
import MediaOut
import Verify

/// Reads a written WAV file back with a reader that shares nothing with the writer, and compares its
/// samples with those that were written.
struct WAVProof {
  let encoding: SampleEncoding
  let target: OutputTarget
  let format: AudioFormat
  let frames: Int64
  /// What was written.
  let account: WrittenSound.Account

  /// - Throws: ``MediaError`` of kind `verification-failed` when header, length or samples aren't as
  ///   meant.
  func read(_ tell: (Int64) throws -> Void) throws -> WrittenFile {
    let reader = try WAVFileReader(
      descriptor: target.descriptor, name: target.name, layout: format.layout)
    try WAVExpectation(
      format: format, frames: frames, bits: encoding.integerBits ?? 32,
      isFloat: encoding == .float32, checksMask: WAVWriter.carries(format.layout)
    ).check(reader.header, name: target.name)
    let checksum = try ByteChecksum()
    var done: Int64 = 0
    while let bytes = try reader.readBytes() {
      checksum.update(bytes)
      done += Int64(bytes.count / reader.header.frameBytes)
      try tell(done)
    }
    guard checksum.finish() == account.checksum else {
      throw MediaError(
        .verificationFailed, about: target.name,
        "its samples aren't those that were written; nothing was kept. Try again, or write to another "
          + "disk")
    }
    return WrittenFile(
      format: reader.header.isRF64 ? "rf64" : "wav", layout: format.layout, samples: done,
      digest: reader.digest.hexadecimal, statistics: account.statistics,
      spectrum: account.spectrum)
  }
}
