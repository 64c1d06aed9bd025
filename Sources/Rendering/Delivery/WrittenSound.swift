import Loudness

/// What went into a file while it was written.
struct WrittenSound {
  /// The samples as every reader of the file must find them.
  struct Account {
    /// Checksum of their bytes in the form that ``SoundAccount`` was made for.
    let checksum: [UInt8]
    /// What they measure.
    let statistics: LoudnessStatistics
    /// Levels of ``LongTermSpectrum/frequencies``, dB.
    let spectrum: [Double?]
  }

  /// Samples that had to be clipped to full scale.
  let clipped: Int64
  /// Checksum of the bytes of the samples, in the form that the proof reads; `nil` for a lossy encoding.
  let checksum: [UInt8]?
  /// `nil` for a lossy encoding, whose readers get other samples than were written, and for planes that are kept.
  let account: Account?
}
