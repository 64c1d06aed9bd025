// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Loudness
import MediaIn
import Platform
import Report
import Signal
import Tagging

/// Measures music files and gives them the loudness tags by which players level them; the sound stays as it is.
package struct LoudnessTagger: Sendable {
  /// Gains that are lowered so that a player doesn't lift a peak above the ceiling.
  package enum Clipping: String, Sendable, CaseIterable {
    case off
    /// Gains above 0 dB.
    case positive
    /// All gains.
    case always
  }

  /// Peaks that the tags state.
  package enum Peaks: String, Sendable, CaseIterable {
    /// The largest sample, as ReplayGain 2.0 has it.
    case sample
    /// The true peak (ITU-R BS.1770, Annex 2).
    case trueness = "true"
  }

  /// Loudness that gains lead to, in LUFS.
  package var reference = LoudnessTags.usualReference
  /// Whether files of one folder are an album.
  package var isAlbum = false
  package var peaks = Peaks.sample
  /// Whether mono counts as two equal channels (+3.01 LU).
  package var isDualMono = false
  package var clipping = Clipping.off
  /// Level that a peak keeps below with ``clipping``, in dB of full scale.
  package var ceiling = -1.0
  package var skipsTagged = false
  package var removes = false
  package var isDryRun = false
  package var options = TagReplacement.Options()

  /// A tagger with the defaults of ReplayGain 2.0.
  package init() {}

  /// Whether the tags of the file at `path` need not be made.
  /// - Throws: ``MediaError`` where it can't be read, or has no place for tags.
  package func skips(_ path: String) throws -> Bool {
    let stored = try StoredLoudness(path: path)
    guard skipsTagged, !removes else { return false }
    let tags = stored.format == .oggOpus ? stored.r128 : stored.replayGain
    return tags.trackGain != nil && (!isAlbum || tags.albumGain != nil)
  }

  /// Levels of a file, and sentences on what of them is in doubt.
  package struct Measured: Sendable {
    package let statistics: LoudnessStatistics
    package let doubts: [String]
  }

  /// Measures the file at `path`.
  /// - Throws: ``MediaError`` that names the file; of kind `damaged` where its sound isn't whole, because a gain of a part would be wrong.
  package func measure(_ path: String) throws -> Measured {
    var measurer = MediaMeasurer()
    measurer.isDualMono = isDualMono
    let (statistics, found) = try measurer.statistics(path: path)
    if let damage = found.first(where: { $0.class == .damage }) {
      throw MediaError(
        .damaged, about: path,
        "its sound isn't whole (\(damage.message)), so that its level would be wrong; it gets no tags"
      )
    }
    return Measured(statistics: statistics, doubts: found.map(\.message))
  }

  /// The tags of a track beside `album`, the tracks of its album; `nil` where it belongs to none.
  package func tags(
    _ track: LoudnessStatistics, album: LoudnessStatistics?
  ) -> LoudnessTags {
    let (own, all) = (figures(track), album.map(figures))
    return LoudnessTags(
      trackGain: own.gain, trackPeak: own.peak, albumGain: all?.gain, albumPeak: all?.peak,
      referenceLoudness: reference == LoudnessTags.usualReference ? nil : reference)
  }

  private func figures(_ statistics: LoudnessStatistics) -> (gain: Double?, peak: Double?) {
    let levels = statistics.measurement
    let peak = peaks == .sample ? levels.samplePeak : levels.truePeak
    var gain = levels.integrated.map { reference - $0 }
    if let peak, let wanted = gain, clipping == .always || clipping == .positive && wanted > 0 {
      let highest = ceiling - peak
      gain = clipping == .positive ? max(0, min(wanted, highest)) : min(wanted, highest)
    }
    // Silence has a peak of 0 and no gain.
    return (gain, peak.map { pow(10, $0 / 20) } ?? (levels.integrated == nil ? nil : 0))
  }

  /// Writes `tags` into the file at `path`, after its coded sound in the copy has been found equal.
  /// - Throws: as ``TagReplacement/apply(to:digest:)``.
  package func write(
    _ tags: LoudnessTags, into path: String, integrated: Double? = nil, doubts: [String] = []
  ) throws -> TagReport {
    var report = TagReport(path: path, state: .planned)
    report.integrated = integrated
    report.trackGainDB = tags.trackGain
    report.trackPeak = tags.trackPeak
    report.albumGainDB = tags.albumGain
    report.albumPeak = tags.albumPeak
    report.reference = tags.trackGain ?? tags.albumGain == nil ? nil : reference
    report.notes = doubts
    guard !isDryRun else { return report }
    let outcome = try TagReplacement(tags, options: options).apply(
      to: path, digest: LoudnessTagger.digest)
    switch outcome {
    case .unchanged: report.state = .unchanged
    case .replaced(let notes):
      report.state = removes ? .removed : .tagged
      report.notes += notes
    }
    return report
  }

  /// A digest of the coded sound of a file: its own bytes where they lie in one piece, else the packets that libavformat reads.
  private static func digest(_ file: LocalFile) throws -> [UInt8] {
    if let bytes = try SoundBytes.digest(of: file) { return bytes }
    LibAVLog.install()
    let media = try MediaFile(file: file)
    guard let container = media.container else {
      throw MediaError(.unsupportedFeature, about: file.path, "has packets that can't be compared")
    }
    container.select(streams: Set(media.streams.filter { $0.kind == .audio }.map(\.index)))
    var digest = Digest(.sha256)
    let packet = try Packet()
    while try container.read(into: packet) {
      packet.withBytes { digest.update(UnsafeRawBufferPointer($0)) }
    }
    return Array(digest.hexadecimal.utf8)
  }
}
