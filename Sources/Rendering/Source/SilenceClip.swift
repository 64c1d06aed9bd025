// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaIn
import Report

/// Silence of a given length as an input.
public struct Silence: Sendable, Hashable, Codable {
  /// Length.
  public var length: TimeSpec
  /// Rate in Hz, 8000…384,000.
  public var sampleRate: Int
  /// Channels.
  public var layout: ChannelLayout

  /// Silence; by default stereo at 48 kHz.
  public init(_ length: TimeSpec, sampleRate: Int = 48_000, layout: ChannelLayout = .stereo) {
    self.length = length
    self.sampleRate = sampleRate
    self.layout = layout
  }

  /// Silence as text names it: `silence:10s`, `silence:10s:5.1` or `silence:10s:5.1:96000`; `nil` for
  /// any other text.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard (2...4).contains(parts.count), parts[0] == "silence",
      let length = try? TimeSpec(parts[1], option: "silence")
    else { return nil }
    self.init(length)
    if parts.count > 2 {
      guard let layout = ChannelLayout(name: parts[2]) else { return nil }
      self.layout = layout
    }
    if parts.count > 3 {
      guard let rate = Int(parts[3]), (8_000...384_000).contains(rate) else { return nil }
      sampleRate = rate
    }
  }
}

extension OpenedClip {
  /// The range that `clip` asks for of `silence`.
  /// - Throws: ``MediaError`` of kind `usage` for an empty range.
  init(_ silence: Silence, clip: Clip, log: DiagnosticLog) throws {
    let rate = silence.sampleRate
    let range = try clip.range.samples(at: rate)
    let length = silence.length.samples(at: rate)
    let frames = max(0, min(range.upperBound, length) - range.lowerBound)
    let plan = try TrimPlan(
      facts: GaplessFacts(container: nil, codec: .named("pcm_f32le")), rate: rate,
      option: .automatic, first: TimedBlock(frames: 0, position: 0), log: log)
    self.init(
      facts: RenderReport.Input(
        path: clip.input.name, container: "none", stream: 0, codec: "silence", profile: nil,
        layout: silence.layout.name, rate: rate, language: nil, dialnorm: nil, drc: nil,
        objects: .no),
      source: SilentSource(
        Programme(AudioFormat(sampleRate: rate, layout: silence.layout)), frames: frames),
      start: range.lowerBound, absoluteStart: range.lowerBound,
      asked: range.upperBound == .max ? nil : range.upperBound - range.lowerBound,
      expected: frames,
      progress: {
        Progress(
          summary: TimelineSummary(
            plan: plan, decoded: frames, startTrim: 0, endTrim: 0, valid: frames, gaps: []))
      })
  }
}

/// Delivers silence.
private final class SilentSource: ProgrammeSource {
  /// Samples appended at a time.
  private static let step: Int64 = 4096

  let programme: Programme
  private var left: Int64

  init(_ programme: Programme, frames: Int64) {
    self.programme = programme
    left = frames
  }

  func read(into block: ProgrammeBlock) -> Bool {
    let count = min(left, SilentSource.step)
    block.appendSilence(Int(count))
    left -= count
    return left > 0
  }
}
