// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The summary of listening pages' results (`pinna.audition-summary/1`).
package struct AuditionSummary: Sendable, Codable, Equatable {
  /// The schema's name and version.
  package static let schemaName = "pinna.audition-summary/1"

  /// How a way fared in all tournaments.
  package struct Way: Sendable, Codable, Equatable {
    /// Name for people.
    package var label: String
    /// The arguments of `pinna render` that give it.
    package var flags: String
    /// Tournaments that it won.
    package var tournamentsWon: Int
    /// Comparisons in which it was preferred.
    package var preferred: Int
    /// Comparisons in which it was heard further outside of the head.
    package var outside: Int
    /// Comparisons that it was in.
    package var comparisons: Int
    /// Test sounds that were heard from the right place.
    package var placesRight: Int
    /// Test sounds that were asked for.
    package var places: Int
  }

  /// The comparisons of the two best ways.
  package struct Final: Sendable, Codable, Equatable {
    /// The winner.
    package var winner: String
    /// The runner-up.
    package var runnerUp: String
    /// Comparisons of the two that the winner won.
    package var won: Int
    /// Comparisons of the two.
    package var comparisons: Int
    /// How likely one of the two wins as clearly when nobody hears a difference, 0…1.
    package var guessing: Double
  }

  /// An ABX test.
  package struct ABX: Sendable, Codable, Equatable {
    /// Label of A.
    package var first: String
    /// Label of B.
    package var second: String
    /// Right answers.
    package var right: Int
    /// Trials.
    package var trials: Int
    /// Trials that were planned; a test that was stopped before proves nothing.
    package var planned: Int
    /// How likely guesses get as many right or more, 0…1: the exact binomial sum.
    package var guessing: Double
    /// Whether a difference was heard: all planned trials, and less than 5 % by guessing.
    package var isHeard: Bool
  }

  /// Always `pinna.audition-summary/1`.
  package var schema = AuditionSummary.schemaName
  /// The page's title.
  package var title: String
  /// Results that were read.
  package var results: Int
  /// Tournaments in them that were played to their ends.
  package var tournaments: Int
  /// Tournaments that were stopped before; they count for nothing else.
  package var stopped: Int
  /// The ways from the best to the last; in the page's order where there was no tournament.
  package var ways: [Way]
  /// The two best; absent where there was no tournament, or several results.
  package var final: Final?
  /// All ABX tests.
  package var abx: [ABX]

  /// The summary of `results`, which all come from one page.
  /// - Throws: ``MediaError`` of kind `usage` for results of different pages.
  package init(_ results: [AuditionResult]) throws {
    guard let first = results.first,
      results.allSatisfy({ $0.page == first.page && $0.ways == first.ways })
    else {
      throw MediaError(
        .usage, "audition results: these come from different pages; give those of one page")
    }
    // A page saves all of its results each time, so two files can hold the same test.
    let played = results.flatMap(\.tournaments).uniqued(by: \.id)
    let standings = played.filter(\.isWhole).map {
      AuditionStandings($0.trials, ways: first.ways.map(\.id))
    }
    stopped = played.count - standings.count
    title = first.title
    self.results = results.count
    tournaments = standings.count
    let ranked = AuditionStandings.ranked(standings, ways: first.ways.map(\.id))
    let byID = Dictionary(uniqueKeysWithValues: first.ways.map { ($0.id, $0) })
    ways = ranked.compactMap { row in
      byID[row.way].map {
        Way(
          label: $0.label, flags: $0.flags, tournamentsWon: row.tournamentsWon,
          preferred: row.preferred, outside: row.outside, comparisons: row.comparisons,
          placesRight: row.placesRight, places: row.places)
      }
    }
    final = nil
    if standings.count == 1, ranked.count > 1, let standing = standings.first {
      let (won, count) = standing.direct(ranked[0].way, ranked[1].way)
      if count > 0 {
        final = Final(
          winner: ways[0].label, runnerUp: ways[1].label, won: won, comparisons: count,
          // Either of the two could have won as clearly.
          guessing: min(1, 2 * Guessing.chance(right: won, of: count)))
      }
    }
    abx = results.flatMap(\.abx).uniqued(by: \.id).map { test in
      let right = test.trials.count { $0.x == $0.answer }
      let guessing = Guessing.chance(right: right, of: test.trials.count)
      return ABX(
        first: byID[test.ways[0]]?.label ?? "", second: byID[test.ways[1]]?.label ?? "",
        right: right, trials: test.trials.count, planned: test.planned, guessing: guessing,
        isHeard: test.trials.count == test.planned && guessing < 0.05)
    }
  }
}

extension Array {
  /// The first element of each `key`, in their order.
  fileprivate func uniqued(by key: KeyPath<Element, String>) -> [Element] {
    var known: Set<String> = []
    return filter { known.insert($0[keyPath: key]).inserted }
  }
}

/// The chance of guesses.
enum Guessing {
  /// How likely `right` or more of `count` guesses of a coin are right: the exact binomial sum, for counts up to 1,000.
  static func chance(right: Int, of count: Int) -> Double {
    // Each term already has its share of 2^−count, so that no sum is too large or too small for a Double.
    var rows = [1.0]
    for _ in 0..<count {
      rows = zip([0] + rows, rows + [0]).map { ($0 + $1) / 2 }
    }
    return rows.suffix(count + 1 - max(0, min(right, count + 1))).reduce(0, +)
  }
}

/// How the ways fared in one tournament.
struct AuditionStandings {
  /// One way.
  struct Row {
    let way: String
    var tournamentsWon = 0
    var preferred = 0
    var outside = 0
    var comparisons = 0
    var placesRight = 0
    var places = 0
    /// The number of the last question that it was in; who lost later is better.
    var last = -1
  }

  private let trials: [AuditionResult.Trial]
  private(set) var rows: [Row]

  init(_ trials: [AuditionResult.Trial], ways: [String]) {
    self.trials = trials
    rows = ways.map { Row(way: $0) }
    for (number, trial) in trials.enumerated() {
      for index in rows.indices { count(trial, number, &rows[index]) }
    }
    let end = rows.map(\.last).max() ?? -1
    for index in rows.indices where end >= 0 && trials[end].preferred == rows[index].way {
      rows[index].tournamentsWon = 1
    }
  }

  private func count(_ trial: AuditionResult.Trial, _ number: Int, _ row: inout Row) {
    if trial.kind == "place", trial.way == row.way {
      row.places += 1
      row.placesRight += trial.answer == trial.place ? 1 : 0
    }
    guard trial.kind == "pair", trial.ways?.contains(row.way) ?? false else { return }
    row.comparisons += 1
    row.preferred += trial.preferred == row.way ? 1 : 0
    row.outside += trial.outside == row.way ? 1 : 0
    row.last = number
  }

  /// Comparisons of two ways: those that the first one won, and all.
  func direct(_ one: String, _ other: String) -> (won: Int, count: Int) {
    let pairs = trials.filter { Set($0.ways ?? []) == [one, other] }
    return (pairs.count { $0.preferred == one }, pairs.count)
  }

  /// All tournaments together, from the best way to the last: by tournaments won; in one tournament then by who lost
  /// later; then by the share of comparisons, then of places.
  static func ranked(_ standings: [AuditionStandings], ways: [String]) -> [Row] {
    var sums = ways.map { Row(way: $0) }
    for index in sums.indices {
      for row in standings.map({ $0.rows[index] }) {
        sums[index].tournamentsWon += row.tournamentsWon
        sums[index].preferred += row.preferred
        sums[index].outside += row.outside
        sums[index].comparisons += row.comparisons
        sums[index].placesRight += row.placesRight
        sums[index].places += row.places
        if standings.count == 1 { sums[index].last = row.last }
      }
    }
    func share(_ part: Int, _ whole: Int) -> Double {
      whole > 0 ? Double(part) / Double(whole) : 0
    }
    func figures(_ row: Row) -> [Double] {
      [
        Double(row.tournamentsWon), Double(row.last), share(row.preferred, row.comparisons),
        share(row.placesRight, row.places),
      ]
    }
    // Sorting by place as well keeps equal ways in the page's order.
    return sums.enumerated().sorted { one, other in
      let (first, second) = (figures(one.element), figures(other.element))
      guard first != second else { return one.offset < other.offset }
      return second.lexicographicallyPrecedes(first)
    }.map(\.element)
  }
}
