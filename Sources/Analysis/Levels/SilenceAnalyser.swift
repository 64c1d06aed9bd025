// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// A stretch of a programme in samples.
package struct SampleRange: Sendable, Codable, Equatable {
  /// Its first sample.
  package var first: Int64
  /// Its length in samples.
  package var count: Int64

  /// The sample behind its last one.
  package var end: Int64 { first + count }
}

/// The silent and the sounding parts of a programme.
package struct SilenceFindings: Sendable, Codable, Equatable {
  /// Level that all channels stay below in silence, dBFS.
  package var thresholdDBFS: Double
  /// Shortest silence that counts, in samples.
  package var leastSamples: Int64
  /// Samples per second.
  package var sampleRate: Int
  /// Length of the programme in samples.
  package var samples: Int64
  /// The first silences, in order; at most as many as were to be kept.
  package var silences: [SampleRange]
  /// Number of all silences, those that weren't kept too.
  package var count: Int64
  /// Samples of all silences together.
  package var silentSamples: Int64

  /// Whether ``silences`` has all of them.
  package var isComplete: Bool { Int64(silences.count) == count }

  /// Parts between the silences, in order, which can serve as chapters.
  ///
  /// When ``isComplete`` is false, they end where the last silence that was kept begins.
  package var soundingParts: [SampleRange] {
    var parts: [SampleRange] = []
    var position: Int64 = 0
    for silence in silences {
      if silence.first > position {
        parts.append(SampleRange(first: position, count: silence.first - position))
      }
      position = silence.end
    }
    if isComplete, position < samples {
      parts.append(SampleRange(first: position, count: samples - position))
    }
    return parts
  }
}

/// Finds the runs in which all channels stay below a threshold for some time.
///
/// The samples found are those of ffmpeg's `silencedetect`: a sample is silent when its magnitude is below the
/// threshold in every channel.
package final class SilenceAnalyser: Analyser {
  /// Samples that are looked at together before they are looked at one by one.
  private static let stretch = 64

  private let format: AudioFormat
  private let threshold: Float
  private let mostKept: Int
  private var runStart: Int64 = 0
  private var position: Int64 = 0
  private var findings: SilenceFindings

  /// An analyser of sound in `format`.
  /// - Parameters:
  ///   - thresholdDBFS: level that all channels stay below.
  ///   - leastSeconds: shortest silence that counts, to the nearest sample.
  ///   - mostKept: number of silences that are kept; later ones are only counted.
  package init(
    _ format: AudioFormat, thresholdDBFS: Double = -60, leastSeconds: Double = 2,
    mostKept: Int = 10_000
  ) {
    self.format = format
    self.mostKept = mostKept
    threshold = Float(Decibels.amplitude(thresholdDBFS))
    let samples = (max(0, leastSeconds) * Double(format.sampleRate)).rounded()
    findings = SilenceFindings(
      thresholdDBFS: thresholdDBFS, leastSamples: max(1, Int64(exactly: samples) ?? .max),
      sampleRate: format.sampleRate, samples: 0, silences: [], count: 0, silentSamples: 0)
  }

  /// Takes the next block.
  /// - Throws: ``MediaError`` of kind `internal` for another number of channels.
  package func add(_ block: AudioBuffer) throws {
    try check(block, format)
    let planes = (0..<format.channels).map { UnsafeBufferPointer(block.channel($0)) }
    var start = 0
    while start < block.frames {
      let end = min(block.frames, start + SilenceAnalyser.stretch)
      if planes.contains(where: { isLoud($0, start..<end) }) {
        for index in start..<end where planes.contains(where: { isLoud($0, index..<index + 1) }) {
          close(at: position + Int64(index))
        }
      }
      start = end
    }
    position += Int64(block.frames)
  }

  /// Answers what was found.
  package func finish() throws -> SilenceFindings {
    close(at: position)
    findings.samples = position
    return findings
  }

  /// Whether a sample of `range` isn't below the threshold; one that is no number isn't.
  private func isLoud(_ plane: UnsafeBufferPointer<Float>, _ range: Range<Int>) -> Bool {
    guard let base = plane.baseAddress else { return false }
    var loud: UInt32 = 0
    for index in range { loud |= base[index].magnitude < threshold ? 0 : 1 }
    return loud != 0
  }

  /// Ends the current run at the loud sample `end`, and begins the next one behind it.
  private func close(at end: Int64) {
    let run = SampleRange(first: runStart, count: end - runStart)
    runStart = end + 1
    guard run.count >= findings.leastSamples else { return }
    findings.count += 1
    findings.silentSamples += run.count
    if findings.silences.count < mostKept { findings.silences.append(run) }
  }
}
