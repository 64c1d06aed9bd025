import AudioCore

/// The properties that a written WAV file must have.
package struct WAVExpectation: Sendable {
  /// Rate and layout.
  package var format: AudioFormat
  /// Samples per channel.
  package var frames: Int64
  /// Bits a sample.
  package var bits: Int
  /// Whether samples are floats.
  package var isFloat: Bool
  /// Whether the channel mask must name the layout.
  package var checksMask: Bool

  /// An expectation.
  package init(
    format: AudioFormat, frames: Int64, bits: Int, isFloat: Bool, checksMask: Bool
  ) {
    self.format = format
    self.frames = frames
    self.bits = bits
    self.isFloat = isFloat
    self.checksMask = checksMask
  }

  /// Compares a header with the expectation.
  /// - Throws: ``MediaError`` of kind `verificationFailed` that names the first difference.
  package func check(_ header: WAVHeader, name: String) throws {
    let mask = UInt32(truncatingIfNeeded: format.layout.mask)
    let checks: [(String, Int64, Int64)] = [
      ("sample rate", Int64(header.sampleRate), Int64(format.sampleRate)),
      ("channel count", Int64(header.channels), Int64(format.channels)),
      ("bits a sample", Int64(header.bits), Int64(bits)),
      ("float flag", header.isFloat ? 1 : 0, isFloat ? 1 : 0),
      ("sample count", header.frames, frames),
      (
        "channel mask", Int64(checksMask ? header.channelMask ?? 0 : 0),
        Int64(checksMask ? mask : 0)
      ),
    ]
    for (what, got, wanted) in checks where got != wanted {
      throw WAVHeader.failure(name, "its \(what) is \(got), not \(wanted)")
    }
  }
}
