// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Loudness
import TestSupport

@testable import Dialogue

/// Programmes with known words, beside the checkout: the truth by construction, what a report must keep, and the figures of an
/// independent implementation in double precision.
struct DialogueCase: Decodable, Sendable {
  struct Truth: Decodable, Sendable {
    let speech: [[Double]]?
    let share: Double
    let stemLoudness, dialogueLoudness, programmeLoudness: Double?
  }
  struct Passage: Decodable, Sendable {
    let begin, end, loudness: Double
    let certain: Bool
  }
  struct Figures: Decodable, Sendable {
    let source, verdict, confidence: String
    let dialogueLoudness, sourceLoudness, programmeLoudness, dialogueRange: Double?
    let share: Double
    let passages: [Passage]
    let frameAccuracy: Double
  }
  struct Tolerance: Decodable, Sendable {
    let dl, source, share, shareMost, programme: Double?
    let verdict: String?
    let verdicts, confidence, sources: [String]?
  }

  let file, layout: String
  let rate: Int
  let parts: [String]?
  let truth: Truth
  let others: Figures
  let tolerance: Tolerance

  private enum CodingKeys: String, CodingKey {
    case file, layout, rate, parts, truth, tolerance
    case others = "prototype"
  }

  private struct File: Decodable {
    let cases: [String: DialogueCase]
  }

  /// Folder of the cases, if it is here.
  static let folder = SharedMedia.beside("dialogue/cases")
  static let isPresent = folder != nil && Tool.isInstalled("ffmpeg")

  static func path(_ name: String) -> String { (folder ?? "/nowhere") + "/" + name }

  /// All cases by name.
  static let all: [String: DialogueCase] = {
    guard isPresent, let data = FileManager.default.contents(atPath: path("expected.json")) else {
      return [:]
    }
    return (try? JSONDecoder().decode(File.self, from: data).cases) ?? [:]
  }()

  static let names = all.keys.sorted()

  /// The layout with the places of its surrounds as the cases mean them.
  var channelLayout: ChannelLayout {
    ChannelLayout(name: layout == "5.1" ? "5.1(side)" : layout) ?? .mono
  }

  /// Samples of all channels of the layout.
  func planes() throws -> [[Float]] {
    let arguments = [
      "-nostdin", "-v", "error", "-i", DialogueCase.path(file), "-f", "f32le", "-",
    ]
    let samples = Signals.floats(try Tool.run("ffmpeg", arguments).output)
    let stored = parts ?? channelLayout.speakers.map(\.name)
    let planes = stored.indices.map { Signals.channel($0, of: stored.count, in: samples) }
    let silence = [Float](repeating: 0, count: planes[0].count)
    return channelLayout.speakers.map { speaker in
      stored.firstIndex(of: speaker.name).map { planes[$0] } ?? silence
    }
  }

  /// Part of 10 ms that are judged as the truth says.
  func accuracy(_ found: FoundDialogue) -> Double {
    let spans = (truth.speech ?? []).map {
      Int(($0[0] * 100).rounded())..<Int(($0[1] * 100).rounded())
    }
    var right = 0
    for tenth in 0..<2 * found.frames {
      let isSpoken = spans.contains { $0.contains(tenth) }
      let isFound = found.speech.ranges.contains { $0.contains(tenth / 2) }
      if isSpoken == isFound { right += 1 }
    }
    return Double(right) / Double(2 * found.frames)
  }
}

/// All that is measured of one programme.
struct DialogueStudy: Sendable {
  let found: FoundDialogue
  let figures: DialogueLoudness
  let energies: StepEnergies

  /// Measures planes in blocks of `block` samples (0: the whole at once); `stated` is the sum of the stated dialogue.
  init(
    _ planes: [[Float]], rate: Int, layout: ChannelLayout, block: Int = 4800,
    stated: [Float]? = nil
  ) throws {
    let mixes = EvidenceMix.mixes(for: layout)
    let finder = try DialogueFinder(sampleRate: rate, mixes: mixes, hasStated: stated != nil)
    let meter = try LoudnessMeter(
      format: AudioFormat(sampleRate: rate, layout: layout), measuresTruePeak: false)
    let count = planes[0].count
    for start in stride(from: 0, to: count, by: block == 0 ? max(1, count) : block) {
      let range = start..<(block == 0 ? count : min(count, start + block))
      let buffer = Signals.buffer(planes, range)
      if let stated {
        try stated.withUnsafeBufferPointer {
          try finder.add(buffer, stated: $0.baseAddress?.advanced(by: start))
        }
      } else {
        try finder.add(buffer)
      }
      try meter.add(buffer)
    }
    let findings = finder.finish()
    let statistics = meter.statistics()
    found = findings.dialogue
    energies = StepEnergies(meanSquares: statistics.meanSquares, sampleRate: rate)
    figures = DialogueLoudness(
      found, energies: energies, programme: statistics.measurement,
      own: findings.energies.map { StepEnergies(meanSquares: $0, sampleRate: rate) })
  }

  init(_ name: String, block: Int = 4800) throws {
    guard let known = DialogueCase.all[name] else { throw ToolFailure(text: "no case \(name)") }
    try self.init(known.planes(), rate: known.rate, layout: known.channelLayout, block: block)
  }
}
