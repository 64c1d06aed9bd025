import LibAV

/// File format and encoding of the outputs.
public enum OutputForm: Sendable, Equatable {
  /// WAV or RF64 with PCM.
  case wav
  /// Fragmented MP4 with an encoded track; the bit rate, in bit/s, is for lossy encodings.
  case fragmentedMP4(AudioEncoding, bitRate: Int?)

  /// The usual extension of its files.
  public var fileExtension: String { self == .wav ? "wav" : "mp4" }

  /// Whether reading the file back gives other samples than were written.
  var isLossy: Bool {
    guard case .fragmentedMP4(let encoding, _) = self else { return false }
    return !encoding.isLossless
  }
}
