import AudioCore
import Foundation
import Testing

@testable import Report

/// What listeners answered is counted anew, and answers that no page gives are refused.
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

  private func text(
    _ trials: [String]? = nil, abx: String = "[]", page: String = "p", ways: Int = 3
  ) -> String {
    let list = (1...ways).map {
      "{\"id\":\"w\($0)\",\"label\":\"way \($0)\",\"flags\":\"--flag \($0)\"}"
    }
    let tournament = trials.map {
      ",\"tournament\":{\"needed\":2,\"trials\":[\($0.joined(separator: ","))]}"
    }
    return
      "{\"schema\":\"pinna.audition-result/1\",\"page\":\"\(page)\",\"title\":\"Film\",\"pinna\":\"1\","
      + "\"ways\":[\(list.joined(separator: ","))],\"abx\":\(abx)\(tournament ?? ""),\"saved\":\"x\"}"
  }

  private func read(_ text: String) throws -> AuditionResult {
    try AuditionResult.parse(Data(text.utf8), name: "r.json")
  }

  @Test func aTournamentIsRanked() throws {
    let result = try read(
      text([
        place("w1", "front", "back"), place("w2", "front", "front"), place("w2", "up", "down"),
        pair("w1", "w3", "w3", "w1"), pair("w3", "w1", "w1"), pair("w1", "w3", "w3"),
        pair("w3", "w2", "w2", "w2"), pair("w2", "w3", "w2"),
      ]))
    let summary = try AuditionSummary([result])
    #expect(summary.ways.map(\.label) == ["way 2", "way 3", "way 1"])
    #expect(summary.ways.map(\.preferred) == [2, 2, 1])
    #expect(summary.ways.map(\.comparisons) == [2, 5, 3])
    #expect(summary.ways.map(\.outside) == [1, 0, 1])
    #expect(summary.ways.map(\.placesRight) == [1, 0, 0] && summary.ways[0].places == 2)
    #expect(summary.ways.map(\.tournamentsWon) == [1, 0, 0])
    #expect(summary.final?.winner == "way 2" && summary.final?.won == 2)
    #expect(summary.final?.comparisons == 2 && summary.final?.guessing == 0.25)
  }

  @Test func severalListenersAreAdded() throws {
    let one = try read(text([pair("w1", "w2", "w1"), pair("w1", "w3", "w1")]))
    let other = try read(text([pair("w2", "w3", "w3"), pair("w1", "w3", "w3")]))
    let third = try read(text([pair("w1", "w2", "w2"), pair("w2", "w3", "w3")]))
    let summary = try AuditionSummary([one, other, third])
    #expect(summary.tournaments == 3 && summary.final == nil)
    #expect(summary.ways.map(\.label) == ["way 3", "way 1", "way 2"])
    #expect(summary.ways.map(\.tournamentsWon) == [2, 1, 0])
    let foreign = try read(text([pair("w1", "w2", "w1")], page: "q"))
    #expect(throws: MediaError.self) { try AuditionSummary([one, foreign]) }
  }

  @Test func guessingIsTheExactBinomialSum() {
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

  @Test func anABXTestIsJudgedAsAWhole() throws {
    func abx(_ right: Int, of count: Int, planned: Int) throws -> AuditionSummary.ABX {
      let trials = (0..<count).map { "{\"x\":\"w1\",\"answer\":\"w\($0 < right ? 1 : 2)\"}" }
      let text = text(
        abx:
          "[{\"ways\":[\"w1\",\"w2\"],\"excerpt\":\"e1\",\"planned\":\(planned),\"trials\":[\(trials.joined(separator: ","))]}]"
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

  @Test func answersThatNoPageGivesAreRefused() throws {
    let good = text([pair("w1", "w2", "w1")])
    _ = try read(good)
    let bad = [
      "", "[]", "{}", good.replacing("audition-result/1", with: "report/2"),
      text([pair("w1", "w1", "w1")]), text([pair("w1", "w2", "w3")]),
      text([pair("w1", "w9", "w9")]),
      text([pair("w1", "w2", "w1", "w3")]), text([place("w9", "front", "back")]), text([]),
      text(["{\"kind\":\"other\"}"]), text([pair("w1", "w2", "w1")], ways: 1),
      text(
        abx: "[{\"ways\":[\"w1\",\"w2\"],\"excerpt\":\"e1\",\"planned\":8,\"trials\":[]}]"),
      text(
        abx:
          "[{\"ways\":[\"w1\",\"w2\"],\"excerpt\":\"e1\",\"planned\":0,\"trials\":[{\"x\":\"w1\",\"answer\":\"w1\"}]}]"
      ),
      text(
        abx:
          "[{\"ways\":[\"w1\",\"w2\"],\"excerpt\":\"e1\",\"planned\":1,\"trials\":[{\"x\":\"w3\",\"answer\":\"w1\"}]}]"
      ),
    ]
    for text in bad {
      let error = #expect(throws: MediaError.self, "\(text)") { try read(text) }
      #expect(error?.kind == .inputUnreadable && error?.message.hasPrefix("r.json: ") ?? false)
    }
  }
}
