import LibAV
import AudioCore
import Verify

/// Reads the samples of a written WAV file back with a reader that shares nothing with the writer, and
/// compares them with those that were written.
struct SampleProof {
  let target: OutputTarget
  /// What the header must state.
  let expectation: WAVExpectation
  /// Checksum of the bytes that were written.
  let checksum: [UInt8]

  /// What was found.
  struct Found {
    /// Type of the file, e.g. `RIFF`.
    let form: String
    /// Samples per channel.
    let samples: Int64
    /// SHA-256 of the samples as they lie in the file.
    let digest: String
  }

  /// - Throws: ``MediaError`` of kind `verification-failed` when header, length or samples aren't as
  ///   meant; what `tell` throws, which is called with the samples that have been read.
  func read(_ tell: (Int64) throws -> Void) throws -> Found {
    let reader = try WAVFileReader(
      descriptor: target.descriptor, name: target.name, channels: expectation.channels)
    try expectation.check(reader.header, name: target.name)
    let sum = try ByteChecksum()
    var done: Int64 = 0
    while let bytes = try reader.readBytes() {
      sum.update(bytes)
      done += Int64(bytes.count / reader.header.frameBytes)
      try tell(done)
    }
    guard sum.finish() == checksum else {
      throw MediaError(
        .verificationFailed, about: target.name,
        "its samples aren't those that were written; nothing was kept. Try again, or write to another "
          + "disk")
    }
    return Found(form: reader.header.form, samples: done, digest: reader.digest.hexadecimal)
  }
}
