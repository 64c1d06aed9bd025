// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Essentials

/// The answers of one listener, as a listening page saves them (`pinna.audition-result/1`).
package struct AuditionResult: Decodable, Equatable {
  /// The schema's name and version.
  package static let schemaName = "pinna.audition-result/1"
  /// Most answers of one test; a page asks for a hundred or two.
  static let mostTrials = 1000

  /// A way, as far as results need it.
  package struct Way: Decodable, Equatable {
    /// `w1` and so on.
    package let id: String
    /// Name for people.
    package let label: String
    /// The arguments of `pinna render` that give it.
    package let flags: String
  }

  /// One question of a tournament.
  package struct Trial: Decodable, Equatable {
    /// `place` or `pair`.
    package let kind: String
    /// The way of a test sound.
    package let way: String?
    /// Place of the test sound.
    package let place: String?
    /// Place at which it was heard.
    package let answer: String?
    /// The two that were compared.
    package let ways: [String]?
    /// The one that was heard further outside of the head; `nil` for neither.
    package let outside: String?
    /// The one that was preferred.
    package let preferred: String?
  }

  /// A blind tournament.
  package struct Tournament: Decodable, Equatable {
    /// A name that no other tournament has.
    package let id: String
    /// Whether it was played to its end.
    package let isWhole: Bool
    /// All answers in their order.
    package let trials: [Trial]
  }

  /// An ABX test.
  package struct ABX: Decodable, Equatable {
    /// One trial.
    package struct Trial: Decodable, Equatable {
      /// The way that X was.
      package let x: String
      /// The way that the listener took it for.
      package let answer: String
    }

    /// A name that no other test has.
    package let id: String
    /// A and B.
    package let ways: [String]
    /// The excerpt's `id`.
    package let excerpt: String
    /// Trials that were planned.
    package let planned: Int
    /// All trials in their order.
    package let trials: [Trial]
  }

  /// The page's `id`.
  package let page: String
  /// The page's title.
  package let title: String
  /// The ways.
  package let ways: [Way]
  /// All tournaments that were begun.
  package let tournaments: [Tournament]
  /// All ABX tests that were begun.
  package let abx: [ABX]

  private struct Head: Decodable {
    let schema: String
  }

  /// Reads and checks what a page saved; `name` is the file's.
  /// - Throws: ``MediaError`` of kind `inputUnreadable`.
  package static func parse(_ data: Data, name: String) throws -> AuditionResult {
    let decoder = JSONDecoder()
    guard let head = try? decoder.decode(Head.self, from: data), head.schema == schemaName else {
      throw MediaError(
        .inputUnreadable, about: name,
        "isn't a result that a listening page saved; give its JSON file")
    }
    guard let result = try? decoder.decode(AuditionResult.self, from: data), result.isWhole else {
      throw MediaError(
        .inputUnreadable, about: name,
        "isn't a whole result of a listening page; save it on the page once more")
    }
    return result
  }

  /// Whether every answer is one that the page could have given.
  private var isWhole: Bool {
    let known = Set(ways.map(\.id))
    guard (2...8).contains(known.count), known.count == ways.count else { return false }
    return tournaments.allSatisfy { isWhole($0, known) } && abx.allSatisfy { isWhole($0, known) }
  }

  private func isWhole(_ tournament: Tournament, _ known: Set<String>) -> Bool {
    guard tournament.trials.count <= AuditionResult.mostTrials else { return false }
    let axes = [["front", "back"], ["up", "down"]]
    let areAnswers = tournament.trials.allSatisfy { trial in
      switch trial.kind {
      case "place":
        guard let way = trial.way, let place = trial.place, let answer = trial.answer else {
          return false
        }
        return known.contains(way) && axes.contains { $0.contains(place) && $0.contains(answer) }
      case "pair":
        guard let pair = trial.ways, isPair(pair, known), let preferred = trial.preferred else {
          return false
        }
        return pair.contains(preferred) && trial.outside.map(pair.contains) ?? true
      default: return false
      }
    }
    return areAnswers
      && (!tournament.isWhole || BracketReplay(tournament.trials, ways: known).isDecided)
  }

  private func isWhole(_ test: ABX, _ known: Set<String>) -> Bool {
    isPair(test.ways, known) && AuditionText.trialCounts.contains(test.planned)
      && test.trials.count <= test.planned
      && test.trials.allSatisfy { test.ways.contains($0.x) && test.ways.contains($0.answer) }
  }

  private func isPair(_ pair: [String], _ known: Set<String>) -> Bool {
    pair.count == 2 && pair[0] != pair[1] && known.isSuperset(of: pair)
  }
}

/// The matches that the answers of a tournament make up, one after another.
struct BracketReplay {
  /// Whether one way is left at the end, and no answer came after its match was won.
  let isDecided: Bool

  init(_ trials: [AuditionResult.Trial], ways: Set<String>) {
    let needed = AuditionText.winsNeeded(ways.count)
    var left = ways
    var match: (ways: Set<String>, wins: [String: Int])?
    for trial in trials where trial.kind == "pair" {
      let pair = Set(trial.ways ?? [])
      var running = match ?? (pair, [:])
      guard running.ways == pair, left.isSuperset(of: pair), let preferred = trial.preferred else {
        isDecided = false
        return
      }
      running.wins[preferred, default: 0] += 1
      match = running
      if running.wins[preferred] == needed {
        left.subtract(pair.subtracting([preferred]))
        match = nil
      }
    }
    isDecided = left.count == 1 && match == nil
  }
}
