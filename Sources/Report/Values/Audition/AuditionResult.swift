import AudioCore
import Essentials

/// What a listening page saves: the answers of one listener (`pinna.audition-result/1`).
package struct AuditionResult: Decodable, Equatable {
  /// The schema's name and version.
  package static let schemaName = "pinna.audition-result/1"
  /// Most answers of one test; a page asks for a hundred or two.
  static let mostTrials = 1000

  /// A way, as far as results need it.
  package struct Way: Decodable, Equatable {
    /// `w1` and so on.
    package let id: String
    /// What people call it.
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
    /// Where it was.
    package let place: String?
    /// Where it was heard.
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
    /// Comparisons that win a match.
    package let needed: Int
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
  /// The last tournament that was played to its end; `nil` for none.
  package let tournament: Tournament?
  /// All ABX tests that were played to their ends.
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
    func isPair(_ pair: [String]) -> Bool {
      pair.count == 2 && pair[0] != pair[1] && known.isSuperset(of: pair)
    }
    let trials = tournament?.trials ?? []
    let areTrialsWhole = trials.allSatisfy { trial in
      switch trial.kind {
      case "place":
        return trial.way.map(known.contains) ?? false && trial.place != nil && trial.answer != nil
      case "pair":
        guard let pair = trial.ways, isPair(pair), let preferred = trial.preferred else {
          return false
        }
        return pair.contains(preferred) && trial.outside.map(pair.contains) ?? true
      default: return false
      }
    }
    return areTrialsWhole && trials.count <= AuditionResult.mostTrials
      && (tournament.map { $0.needed > 0 && trials.contains { $0.kind == "pair" } } ?? true)
      && abx.allSatisfy { test in
        isPair(test.ways) && (1...AuditionResult.mostTrials).contains(test.trials.count)
          && test.trials.count <= test.planned
          && test.trials.allSatisfy { test.ways.contains($0.x) && test.ways.contains($0.answer) }
      }
  }
}
