// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Testing

@testable import Report

/// Listeners' answers are counted anew, and answers that no page gives are refused.
struct AuditionResultTests {
  private func pair(_ one: String, _ other: String, _ preferred: String, _ outside: String? = nil)
    -> String
  {
    "{\"kind\":\"pair\",\"excerpt\":\"e1\",\"ways\":[\"\(one)\",\"\(other)\"],"
      + "\"outside\":\(outside.map { "\"\($0)\"" } ?? "null"),\"preferred\":\"\(preferred)\"}"
  }

  private func place(_ way: String, _ place: String, _ answer: String) -> String {
    "{\"kind\":\"place\",\"way\":\"\(way)\",\"place\":\"\(place)\",\"answer\":\"\(answer)\"}"
  }

  /// A match of two ways that `winner` wins by six to `others`.
  private func match(_ winner: String, _ loser: String, others: Int = 0) -> [String] {
    (0..<others).map { _ in pair(loser, winner, loser) }
      + (0..<6).map { _ in pair(winner, loser, winner, winner) }
  }

  private func text(
    _ trials: [String]? = nil, isWhole: Bool = true, id: String = "t", abx: String = "[]",
    page: String = "p", ways: Int = 3
  ) -> String {
    let list = (1...ways).map {
      "{\"id\":\"w\($0)\",\"label\":\"way \($0)\",\"flags\":\"--flag \($0)\"}"
    }
    let tournament = trials.map {
      "{\"id\":\"\(id)\",\"isWhole\":\(isWhole),\"trials\":[\($0.joined(separator: ","))]}"
    }
    return
      "{\"schema\":\"pinna.audition-result/1\",\"page\":\"\(page)\",\"title\":\"Film\",\"pinna\":\"1\","
      + "\"ways\":[\(list.joined(separator: ","))],\"abx\":\(abx),"
      + "\"tournaments\":[\(tournament ?? "")],\"saved\":\"x\"}"
  }

  private func read(_ text: String) throws -> AuditionResult {
    try AuditionResult.parse(Data(text.utf8), name: "r.json")
  }

  @Test("a tournament ranks its ways and counts preferences, comparisons and places")
  func aTournamentIsRanked() throws {
    let result = try read(
      text(
        [
          place("w1", "front", "back"), place("w2", "front", "front"), place("w2", "up", "down"),
        ] + match("w3", "w1", others: 2) + match("w2", "w3", others: 1)))
    let summary = try AuditionSummary([result])
    #expect(summary.ways.map(\.label) == ["way 2", "way 3", "way 1"])
    #expect(summary.ways.map(\.preferred) == [6, 7, 2])
    #expect(summary.ways.map(\.comparisons) == [7, 15, 8])
    #expect(summary.ways.map(\.outside) == [6, 6, 0])
    #expect(summary.ways.map(\.placesRight) == [1, 0, 0] && summary.ways[0].places == 2)
    #expect(summary.ways.map(\.tournamentsWon) == [1, 0, 0])
    #expect(summary.final?.winner == "way 2" && summary.final?.won == 6)
    // Six of seven or better, by either of the two: 2 · (7 + 1) / 128.
    #expect(summary.final?.comparisons == 7 && summary.final?.guessing == 0.125)
  }

  /// All matches to six wins of two ways between which nobody hears a difference, one by one.
  @Test("the stated chance of guessing a final is that of all matches one by one, within 1e-12")
  func aFinalIsAsClearByChanceAsItSays() throws {
    var shares = [Double](repeating: 0, count: 6)
    func play(_ one: Int, _ other: Int, _ share: Double) {
      if max(one, other) == 6 {
        shares[min(one, other)] += share
      } else {
        play(one + 1, other, share / 2)
        play(one, other + 1, share / 2)
      }
    }
    play(0, 0, 1)
    for others in 0..<6 {
      let result = try read(text(match("w1", "w2", others: others), ways: 2))
      let said = try #require(try AuditionSummary([result]).final?.guessing)
      let clear = shares[...others].reduce(0, +)
      #expect(abs(said - clear) < 1e-12, "\(others): \(said), in truth \(clear)")
    }
  }

  @Test(
    "tournaments of several listeners are added, each once, and those of another page are refused")
  func severalListenersAreAdded() throws {
    func listener(_ id: String, _ first: [String], _ second: [String]) throws -> AuditionResult {
      try read(text(first + second, id: id))
    }
    let one = try listener("a", match("w1", "w2"), match("w1", "w3"))
    let other = try listener("b", match("w3", "w2"), match("w3", "w1", others: 3))
    let third = try listener("c", match("w2", "w1"), match("w3", "w2"))
    let summary = try AuditionSummary([one, other, third])
    #expect(summary.tournaments == 3 && summary.final == nil)
    #expect(summary.ways.map(\.label) == ["way 3", "way 1", "way 2"])
    #expect(summary.ways.map(\.tournamentsWon) == [2, 1, 0])
    // A page saves all of its tests each time.
    #expect(try AuditionSummary([one, other, one]).tournaments == 2)
    let foreign = try read(text(match("w1", "w2") + match("w1", "w3"), page: "q"))
    #expect(throws: MediaError.self) { try AuditionSummary([one, foreign]) }
  }

  @Test("a stopped tournament is counted as stopped and for nothing else")
  func aStoppedTournamentCountsForNothing() throws {
    let stopped = try read(text([pair("w1", "w2", "w1")], isWhole: false))
    let summary = try AuditionSummary([stopped])
    #expect(summary.stopped == 1 && summary.tournaments == 0 && summary.final == nil)
    #expect(summary.ways.allSatisfy { $0.comparisons == 0 })
  }

  @Test("the chance of guessing is the exact binomial sum, within 1e-14 up to 50 trials")
  func guessingIsTheExactBinomialSum() {
    // By whole numbers: the sum of binomials over 2^n.
    for count in [1, 5, 16, 32, 50] {
      var row: [UInt64] = [1]
      for _ in 0..<count { row = zip([0] + row, row + [0]).map { $0 + $1 } }
      for right in 0...count {
        let exact = Double(row[right...].reduce(0, +)) / Double(UInt64(1) << UInt64(count))
        #expect(abs(Guessing.chance(right: right, of: count) - exact) <= 1e-14)
      }
    }
    #expect(abs(Guessing.chance(right: 500, of: 1000) - 0.5126125090891802) < 1e-12)
    #expect(Guessing.chance(right: 1000, of: 1000) > 0)
  }

  @Test("12 right of 16 in an ABX test are heard, and 11 of 16 or 5 of 5 with 16 planned are not")
  func anABXTestIsJudgedAsAWhole() throws {
    func abx(_ right: Int, of count: Int, planned: Int) throws -> AuditionSummary.ABX {
      let trials = (0..<count).map { "{\"x\":\"w1\",\"answer\":\"w\($0 < right ? 1 : 2)\"}" }
      let text = text(
        abx:
          "[{\"id\":\"x\",\"ways\":[\"w1\",\"w2\"],\"excerpt\":\"e1\",\"planned\":\(planned),\"trials\":[\(trials.joined(separator: ","))]}]"
      )
      return try #require(try AuditionSummary([read(text)]).abx.first)
    }
    let heard = try abx(12, of: 16, planned: 16)
    #expect(heard.right == 12 && abs(heard.guessing - 2517.0 / 65536) < 1e-15 && heard.isHeard)
    #expect(try !abx(11, of: 16, planned: 16).isHeard)
    // Whoever stops at a lucky moment has shown nothing.
    #expect(try !abx(5, of: 5, planned: 16).isHeard)
    #expect(heard.first == "way 1" && heard.second == "way 2")
  }

  @Test("answers impossible on any page are refused") func answersThatNoPageGivesAreRefused() throws
  {
    let whole = match("w1", "w2") + match("w1", "w3")
    let good = text(whole)
    _ = try read(good)
    func abx(_ ways: String, planned: Int, _ trials: String) -> String {
      text(
        abx:
          "[{\"id\":\"x\",\"ways\":[\(ways)],\"excerpt\":\"e1\",\"planned\":\(planned),\"trials\":[\(trials)]}]"
      )
    }
    let right = "{\"x\":\"w1\",\"answer\":\"w1\"}"
    _ = try read(abx("\"w1\",\"w2\"", planned: 8, right))
    let bad = [
      "", "[]", "{}", good.replacing("audition-result/1", with: "report/2"),
      text([pair("w1", "w1", "w1")], isWhole: false),
      text([pair("w1", "w2", "w3")], isWhole: false),
      text([pair("w1", "w9", "w9")], isWhole: false),
      text([pair("w1", "w2", "w1", "w3")], isWhole: false),
      text([place("w9", "front", "back")], isWhole: false),
      text([place("w1", "moon", "moon")], isWhole: false),
      text([place("w1", "front", "up")], isWhole: false),
      text(["{\"kind\":\"other\"}"], isWhole: false),
      // Tournaments that aren't at their end, or go on behind it.
      text([]), text([pair("w1", "w2", "w1")]), text(match("w1", "w2")),
      text(whole + [pair("w1", "w2", "w1")]),
      text([pair("w1", "w2", "w1")] + match("w1", "w2") + match("w1", "w3")),
      text(match("w1", "w2") + match("w2", "w3")), text(match("w1", "w2"), ways: 1),
      abx("\"w1\",\"w2\"", planned: 5, right), abx("\"w1\",\"w2\"", planned: 0, ""),
      abx("\"w1\",\"w1\"", planned: 8, right),
      abx("\"w1\",\"w2\"", planned: 8, "{\"x\":\"w3\",\"answer\":\"w1\"}"),
    ]
    for text in bad {
      let error = #expect(throws: MediaError.self, "\(text)") { try read(text) }
      #expect(error?.kind == .inputUnreadable && error?.message.hasPrefix("r.json: ") ?? false)
    }
  }
}
