/// Figures of programmes under one gain: each alone and all together.
struct ProgrammeSet {
  let tracks: [LoudnessStatistics]
  let measurements: [LoudnessMeasurement]
  let whole: LoudnessMeasurement

  init(_ tracks: [LoudnessStatistics]) {
    self.tracks = tracks
    measurements = tracks.map(\.measurement)
    whole =
      measurements.count == 1
      ? measurements[0] : LoudnessStatistics.combined(tracks).measurement
  }

  /// The loudness that is brought to the target, in LUFS; `nil` for silence.
  func level(_ reference: LoudnessTarget.Reference) -> Double? {
    switch reference {
    case .programme: return whole.integrated
    case .loudestTrack: return measurements.compactMap(\.integrated).max()
    }
  }

  /// The figures after a gain of `gainDB` dB.
  func scaled(byDB gainDB: Double) -> ProgrammeSet {
    ProgrammeSet(tracks.map { $0.scaled(byDB: gainDB) })
  }
}
