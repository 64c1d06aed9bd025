// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Dialogue

/// Programmes with known words against their truth and against an independent implementation.
@Suite(
  .enabled(if: DialogueCase.isPresent, "needs ../shared/dialogue and ffmpeg"),
  .tags(.media, .system), .fullRunOnly)
struct DialogueCaseTests {
  private func isNear(_ one: Double?, _ other: Double?, _ tolerance: Double) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return (one - other).magnitude <= tolerance
  }

  @Test("dialogue is found and measured as the programme was made", arguments: DialogueCase.names)
  func theTruthIsKept(name: String) throws {
    let known = try #require(DialogueCase.all[name])
    let figures = try DialogueStudy(name).figures
    let tolerance = known.tolerance
    #expect(
      (tolerance.verdicts ?? [tolerance.verdict ?? ""]).contains(figures.verdict.rawValue))
    if let allowed = tolerance.confidence {
      #expect(allowed.contains(figures.confidence.rawValue))
    }
    if let allowed = tolerance.sources { #expect(allowed.contains(figures.source.rawValue)) }
    #expect(isNear(figures.programmeLoudness, known.truth.programmeLoudness, 0.1))
    if let dl = tolerance.dl {
      #expect(isNear(figures.dialogueLoudness, known.truth.dialogueLoudness, dl))
    }
    if let source = tolerance.source {
      #expect(isNear(figures.sourceLoudness, known.truth.stemLoudness, source))
    }
    if let share = tolerance.share {
      #expect((figures.share - known.truth.share).magnitude <= share)
    }
    if let most = tolerance.shareMost { #expect(figures.share <= most) }
  }

  @Test(
    "the figures are those of an implementation in double precision",
    arguments: DialogueCase.names)
  func anotherImplementationAgrees(name: String) throws {
    let wanted = try #require(DialogueCase.all[name]).others
    let figures = try DialogueStudy(name).figures
    if ProcessInfo.processInfo.environment["PINNA_SHOW"] != nil {
      print(
        "CASE", name, figures.dialogueLoudness ?? .nan, wanted.dialogueLoudness ?? .nan,
        figures.share, wanted.share, figures.verdict, figures.confidence,
        figures.dialogueRange ?? .nan, wanted.dialogueRange ?? .nan)
    }
    #expect(figures.source.rawValue == wanted.source)
    #expect(figures.verdict.rawValue == wanted.verdict)
    #expect(figures.confidence.rawValue == wanted.confidence)
    #expect(isNear(figures.dialogueLoudness, wanted.dialogueLoudness, 0.05))
    #expect(isNear(figures.sourceLoudness, wanted.sourceLoudness, 0.05))
    #expect(isNear(figures.programmeLoudness, wanted.programmeLoudness, 0.05))
    #expect(isNear(figures.dialogueRange, wanted.dialogueRange, 0.1))
    #expect((figures.share - wanted.share).magnitude <= 0.005)
    try #require(figures.passages.count == wanted.passages.count)
    for (one, other) in zip(figures.passages, wanted.passages) {
      #expect((one.begin - other.begin).magnitude <= 0.04 + 1e-9)
      #expect((one.end - other.end).magnitude <= 0.04 + 1e-9)
      #expect(one.certain == other.certain)
      #expect(isNear(one.loudness, other.loudness, 0.1))
    }
  }

  @Test(
    "speech and pauses are distinguished in clean recordings",
    arguments: [
      ("01-clean-en", 0.95), ("02-clean-fr", 0.95), ("03-clean-es", 0.95), ("04-clean-ru", 0.95),
      ("13-telephone", 0.94), ("17-two-levels", 0.94),
    ])
  func framesAreJudgedRightly(name: String, least: Double) throws {
    let known = try #require(DialogueCase.all[name])
    let accuracy = known.accuracy(try DialogueStudy(name).found)
    #expect(accuracy >= least)
    #expect((accuracy - known.others.frameAccuracy).magnitude < 0.005)
  }

  @Test("a report has the same bits however the programme is cut, on any number of threads")
  func blocksDontMatter() async throws {
    let known = try #require(DialogueCase.all["06-film-5.1"])
    let planes = try known.planes().map { Array($0.prefix(12 * known.rate)) }
    let wanted = try DialogueStudy(
      planes, rate: known.rate, layout: known.channelLayout, block: 0)
    let blocks = [256, 480, 1024, 4096, 5000, 0, 480, 256]
    let all = try await withThrowingTaskGroup(of: DialogueStudy.self) { group in
      for block in blocks {
        group.addTask {
          try DialogueStudy(planes, rate: known.rate, layout: known.channelLayout, block: block)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(wanted.found.speech.count > 100)
    for study in all {
      #expect(study.found == wanted.found)
      #expect(study.figures == wanted.figures)
    }
  }

  @Test("stated dialogue counts where it is heard; else the next signal, and the report says so")
  func statedDialogueComesFirst() throws {
    let known = try #require(DialogueCase.all["06-film-5.1"])
    let planes = try known.planes()
    let wanted = try DialogueStudy("06-film-5.1").figures
    let stated = try DialogueStudy(
      planes, rate: known.rate, layout: known.channelLayout, stated: planes[2]
    ).figures
    #expect(stated.source == .stated && stated.verdict == wanted.verdict)
    #expect(stated.dialogueLoudness == wanted.dialogueLoudness)
    #expect(stated.sourceLoudness == wanted.sourceLoudness && stated.share == wanted.share)
    let muted = [Float](repeating: 1e-5, count: planes[0].count)
    let other = try DialogueStudy(
      planes, rate: known.rate, layout: known.channelLayout, stated: muted
    ).figures
    #expect(other == wanted)
  }
}
