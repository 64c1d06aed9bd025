import AudioCore
import Loudness
import MediaOut
import Verify

/// Reads a written WAV file back with a reader that shares nothing with the writer.
struct WAVProof {
  let encoding: SampleEncoding
  let isDualMono: Bool
  let target: OutputTarget
  let format: AudioFormat
  let frames: Int64

  /// - Throws: ``MediaError`` of kind `verification-failed` when header or length aren't as meant.
  func read(_ tell: (Int64) throws -> Void) throws -> WrittenFile {
    let reader = try WAVFileReader(
      descriptor: target.descriptor, name: target.name, layout: format.layout)
    try WAVExpectation(
      format: format, frames: frames, bits: encoding.integerBits ?? 32,
      isFloat: encoding == .float32, checksMask: WAVWriter.carries(format.layout)
    ).check(reader.header, name: target.name)
    let meter = try LoudnessMeter(format: format, dualMono: isDualMono)
    let spectrum = try LongTermSpectrum(format: format)
    let block = AudioBuffer(channels: format.channels)
    var done: Int64 = 0
    while try reader.read(into: block) {
      try meter.add(block)
      spectrum.add(block)
      done += Int64(block.frames)
      block.removeAll()
      try tell(done)
    }
    return WrittenFile(
      format: reader.header.isRF64 ? "rf64" : "wav", layout: format.layout, samples: done,
      digest: reader.digest.hexadecimal, statistics: meter.statistics(),
      spectrum: spectrum.levels)
  }
}
