// SPDX-License-Identifier: Apache-2.0
import AudioCore

@testable import MediaIn

/// A decoder whose blocks a test lists. Its n-th sample (from 1) has the value n, so that every output
/// sample shows where it came from; silence is 0.
final class ScriptedSource: TimedSource {
  let programme: Programme
  let timestampTolerance: Int64
  let codecFrame: Int64
  let clockUncertainty: Int64
  private var blocks: ArraySlice<TimedBlock>
  private var next: Float = 1

  init(
    _ blocks: [TimedBlock], rate: Int = 48_000, tolerance: Int64 = 16, frame: Int64 = 0,
    uncertainty: Int64 = 0
  ) {
    programme = Programme(AudioFormat(sampleRate: rate, layout: .mono))
    timestampTolerance = tolerance
    codecFrame = frame
    clockUncertainty = uncertainty
    self.blocks = blocks[...]
  }

  func read(into block: ProgrammeBlock) throws -> TimedBlock? {
    guard let facts = blocks.popFirst() else { return nil }
    let start = block.audio.grow(by: facts.frames)
    let plane = block.audio.channel(0)
    for index in 0..<facts.frames {
      plane[start + index] = next
      next += 1
    }
    return facts
  }
}

/// Samples and report of a trimmed decode.
struct Trimmed {
  let samples: [Float]
  let summary: TimelineSummary
  let degradations: [Diagnostic]
  let decisions: [Decision]

  /// Kinds of the degradations.
  var kinds: [String] { degradations.map(\.code.rawValue) }

  /// decoded = start trim + valid + end trim.
  var keepsLaw: Bool {
    summary.skipped + summary.decoded == summary.startTrim + summary.valid + summary.endTrim
      && summary.valid == Int64(samples.count)
  }

  init(
    _ blocks: [TimedBlock], _ facts: GaplessFacts = Trimmed.facts(), rate: Int = 48_000,
    tolerance: Int64 = 16, frame: Int64 = 0, uncertainty: Int64 = 0,
    priming: PrimingOption = .keep, gaps: GapPolicy = .fill
  ) throws {
    let log = DiagnosticLog()
    let script = ScriptedSource(
      blocks, rate: rate, tolerance: tolerance, frame: frame, uncertainty: uncertainty)
    let source = try TrimmedSource(
      source: script, facts: facts, priming: priming, gaps: gaps, log: log)
    samples = try Trimmed.drain(source)
    summary = source.summary
    degradations = log.degradations
    decisions = log.decisions
  }

  /// Facts of a lossy track that states no delay.
  static func facts(_ codec: String = "aac", container: String = "mp4") -> GaplessFacts {
    GaplessFacts(container: .named(container), codec: .named(codec))
  }

  /// Reads all of a source.
  static func drain(_ source: any ProgrammeSource) throws -> [Float] {
    let block = ProgrammeBlock(source.programme)
    var result: [Float] = []
    var more = true
    while more {
      block.removeAll()
      more = try source.read(into: block)
      result += Array(block.audio.channel(0))
    }
    return result
  }

  /// Consecutive blocks of these sizes, the first at `start`.
  static func blocks(_ sizes: [Int], start: Int64 = 0) -> [TimedBlock] {
    var position = start
    return sizes.map { size in
      defer { position += Int64(size) }
      return TimedBlock(frames: size, position: position)
    }
  }

  /// The values `first…last`.
  static func ramp(_ first: Int, _ last: Int) -> [Float] {
    first <= last ? (first...last).map { Float($0) } : []
  }
}
