import AudioCore
import Platform

/// Replaces samples of a track that can't be sound by silence, and reports them.
struct SampleCheck {
  private var finiteness = FinitenessGuard()
  private let log: DiagnosticLog
  /// Whether decoded samples are floating point, so that they can be anything.
  private let isFloat: Bool

  /// A check of samples whose libavcodec format is called `sampleFormat`, e.g. `fltp`.
  init(sampleFormat: String, log: DiagnosticLog) {
    self.log = log
    isFloat = sampleFormat.hasPrefix("flt") || sampleFormat.hasPrefix("dbl")
  }

  /// Replaces samples of `buffer` that can't be sound, from frame `start` on; `time` is the track's time
  /// at that frame.
  ///
  /// The first finding is reported now and not at the end of the track, because a job that renders only a
  /// range stops reading before that end.
  mutating func check(_ buffer: AudioBuffer, from start: Int, time: @autoclosure () -> MediaTime) {
    guard isFloat else { return }
    let before = (finiteness.replaced, finiteness.implausible)
    finiteness.check(buffer, from: start)
    if before.0 == 0, finiteness.replaced > 0 {
      log.degrade(
        .nonFiniteSamples,
        "NaN or infinite samples, the first after \(time()), are replaced by silence")
    }
    if before.1 == 0, finiteness.implausible > 0 {
      log.degrade(
        .implausibleSamples,
        "samples beyond +193 dBFS, the first after \(time()), are replaced by silence")
    }
  }

  /// Judges the track as a whole at its end.
  /// - Throws: ``MediaError`` of kind `damaged` when no sample was usable.
  func close(path: String, isLossless: Bool) throws {
    let unusable = finiteness.replaced + finiteness.implausible
    guard unusable == 0 || unusable < finiteness.seen else {
      throw MediaError(
        .damaged, about: path, "every sample is NaN or infinite; give an intact copy")
    }
    // Lossy codecs exceed full scale by their nature, which is no news. In a lossless file the author put
    // such samples there, so it is reported that they are kept.
    guard isLossless, finiteness.peak > 1 else { return }
    let level = (200 * log10(Double(finiteness.peak))).rounded() / 10
    log.decide(
      .fullScale, "kept",
      why: "samples reach \(level) dB above full scale; a player without gain would clip them")
  }
}
