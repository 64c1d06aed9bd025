import AudioCore

/// The properties that a written WAV file must have.
package struct WAVExpectation: Sendable {
  /// Samples per second.
  package var sampleRate: Int
  /// Number of channels.
  package var channels: Int
  /// Samples per channel.
  package var frames: Int64
  /// Bits a sample.
  package var bits: Int
  /// Whether samples are floats.
  package var isFloat: Bool
  /// The channel mask; `nil` where none is expected or it doesn't matter.
  package var mask: UInt32?
  /// Positions and titles of named samples.
  package var markers: [(position: UInt32, title: String)] = []

  /// An expectation.
  package init(
    sampleRate: Int, channels: Int, frames: Int64, bits: Int, isFloat: Bool, mask: UInt32? = nil
  ) {
    self.sampleRate = sampleRate
    self.channels = channels
    self.frames = frames
    self.bits = bits
    self.isFloat = isFloat
    self.mask = mask
  }

  /// Compares a header with the expectation.
  /// - Throws: ``MediaError`` of kind `verificationFailed` that names the first difference.
  package func check(_ header: WAVHeader, name: String) throws {
    let checks: [(String, Int64, Int64)] = [
      ("sample rate", Int64(header.sampleRate), Int64(sampleRate)),
      ("channel count", Int64(header.channels), Int64(channels)),
      ("bits a sample", Int64(header.bits), Int64(bits)),
      ("float flag", header.isFloat ? 1 : 0, isFloat ? 1 : 0),
      ("sample count", header.frames, frames),
      ("channel mask", mask == nil ? 0 : Int64(header.channelMask ?? 0), Int64(mask ?? 0)),
    ]
    for (what, got, wanted) in checks where got != wanted {
      throw WAVHeader.failure(name, "its \(what) is \(got), not \(wanted)")
    }
    try checkMarkers(header, name: name)
  }

  /// Markers lie behind the samples, so the size of the whole must count them.
  private func checkMarkers(_ header: WAVHeader, name: String) throws {
    guard header.cuePoints.count == markers.count else {
      throw WAVHeader.failure(
        name, "it has \(header.cuePoints.count) markers, not \(markers.count)")
    }
    for (index, (got, wanted)) in zip(header.cuePoints, markers).enumerated() {
      guard got.position == wanted.position, got.title == wanted.title else {
        throw WAVHeader.failure(
          name,
          "its marker \(index + 1) is \"\(got.title)\" at sample \(got.position), not "
            + "\"\(wanted.title)\" at \(wanted.position)")
      }
    }
    guard markers.isEmpty || header.statedBytes == header.fileBytes - 8 else {
      throw WAVHeader.failure(
        name, "it states \(header.statedBytes) bytes, not \(header.fileBytes - 8)")
    }
  }
}
