// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Essentials
import Loudness
import Platform
import Rendering
import Report

/// Brings all ways of one excerpt to one loudness by gain alone, and stores them as FLAC of 24 bits.
struct LevelMatch {
  /// The loudness that excerpts are brought to where their peaks allow it, LUFS.
  static let usual = -16.0
  /// Largest true peak, dBTP.
  static let peak = -1.0

  private let raw: [WayRenderer.Rendered]
  private let renderer: WayRenderer
  private let id: String
  private let what: String

  /// Matches `raw`, whose files are called `id`; messages call them `what`.
  init(_ raw: [WayRenderer.Rendered], renderer: WayRenderer, id: String, what: String) {
    self.raw = raw
    self.what = what
    self.renderer = renderer
    self.id = id
  }

  /// Media of one loudness.
  struct Matched {
    /// The loudness, LUFS.
    let target: Double
    /// Samples of each: those of the shortest.
    let samples: Int64
    /// The level of each, in the order of what was rendered.
    let levels: [AuditionReport.Level]
    /// The FLAC file of each.
    let bytes: [Data]
  }

  /// The media.
  /// - Throws: ``MediaError``: `usage` for silence, `verificationFailed` when a level misses the target.
  func media() async throws -> Matched {
    let target = try target()
    let samples = raw.map(\.samples).min() ?? 0
    var (levels, bytes) = ([AuditionReport.Level](), [Data]())
    for (number, way) in raw.enumerated() {
      let path = "\(renderer.scratch.path)/\(id)-\(number).flac"
      var rendition = Rendition(
        .channels(.stereo),
        level: LoudnessTarget(integrated: target, truePeak: LevelMatch.peak, peakPolicy: .fail))
      rendition.taps = [Tap(.post, "fades of 20 ms at both ends") { _ in EdgeFade() }]
      var output = OutputRequest(.file(path), rendition, container: Container(.flac))
      output.carriage.keepsMetadata = false
      var clip = Clip(.file(way.path))
      // Sounds of different lengths would drift apart when they are repeated.
      clip.range.end = .after(.samples(samples))
      let report = try await renderer.run(RenderRequest(clips: [clip], outputs: [output]))
      levels.append(try level(report, target))
      bytes.append(Data(try LocalFile(path: path).wholeContent()))
    }
    return Matched(target: target, samples: samples, levels: levels, bytes: bytes)
  }

  /// The loudest that gain alone can bring all to, at most ``usual``.
  private func target() throws -> Double {
    try raw.reduce(LevelMatch.usual) { target, way in
      guard let loudness = way.integrated, let peak = way.truePeak else {
        throw MediaError(
          .usage, about: what,
          "is silent, or quieter than −70 LUFS, in one of its ways; let it begin elsewhere")
      }
      // The fades take some loudness, and the gain makes up for it: up to 0.2 dB in a second.
      return min(target, loudness + LevelMatch.peak - 0.3 - peak)
    }
  }

  private func level(_ report: RenderReport, _ target: Double) throws -> AuditionReport.Level {
    guard let output = report.outputs.first, let loudness = output.integrated,
      let peak = output.truePeak, abs(loudness - target) <= AuditionMaker.tolerance / 2
    else {
      throw MediaError(
        .verificationFailed, about: what,
        "can't be brought to one loudness within \(AuditionMaker.tolerance) LU; choose another stretch"
      )
    }
    return AuditionReport.Level(
      way: "", gainDB: output.gainDB, integrated: loudness, truePeak: peak,
      pcmSHA256: output.pcmSHA256)
  }
}

/// Fades the first and the last 20 ms, so that an excerpt doesn't begin and end with a click.
final class EdgeFade: AudioTap {
  /// Length of a fade in seconds.
  static let seconds = 0.02

  let latency = 0
  private var length = 0
  private var position = 0
  private var held = AudioBuffer(channels: 0)

  func prepare(_ format: AudioFormat) throws -> AudioFormat {
    length = Int(EdgeFade.seconds * Double(format.sampleRate))
    held = AudioBuffer(channels: format.channels)
    return format
  }

  // The last samples are known only at the end, so as many as a fade takes are held back.
  func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    let start = held.frames
    held.append(input)
    for channel in 0..<held.channels {
      let plane = held.channel(channel)
      for index in 0..<input.frames where position + index < length {
        plane[start + index] *= Float(position + index) / Float(length)
      }
    }
    position += input.frames
    let ready = held.frames - length
    guard ready > 0 else { return }
    output.append(held, range: 0..<ready)
    held.removeFirst(ready)
  }

  func finish(into output: AudioBuffer) throws {
    let count = held.frames
    for channel in 0..<held.channels {
      let plane = held.channel(channel)
      for index in 0..<count { plane[index] *= Float(count - 1 - index) / Float(max(1, count)) }
    }
    output.append(held)
  }
}
