import AC4
import AudioCore

/// Which presentations of an AC-4 track may be decoded, the best one first, and why.
struct AC4PresentationChoice {
  /// A presentation that may be decoded.
  private struct Candidate {
    /// Its index; `nil` for the first one that can be decoded.
    let index: Int?
    /// Why it is taken.
    let reason: String
  }

  private let candidates: [Candidate]

  /// The presentations that `wanted` names in a track whose first I-frame has these facts.
  /// - Throws: ``MediaError`` of kind `usage` where none has the number.
  init(_ wanted: PresentationChoice?, _ facts: AC4FrameFacts, path: String) throws {
    let usual = "first of \(facts.presentations.count) that can be decoded"
    switch wanted {
    case nil: candidates = [Candidate(index: nil, reason: usual)]
    case .number(let number):
      candidates = [
        Candidate(
          index: try AC4PresentationChoice.numbered(number, facts, path),
          reason: "asked for by \(setting: .presentation)")
      ]
    case .languages(let languages):
      let spoken = languages.flatMap { AC4PresentationChoice.spoken($0, facts) }
      var known: [String] = []
      for language in facts.presentations.flatMap(\.languages) where !known.contains(language) {
        known.append(language)
      }
      let asked = "\(setting: .presentation) asks for \(languages.joined(separator: " or "))"
      let present = known.isEmpty ? "none" : known.joined(separator: ", ")
      candidates =
        spoken + [
          Candidate(
            index: nil,
            reason: "\(asked), which none that can be decoded has (stated: \(present)); \(usual)")
        ]
    }
  }

  /// What `make` makes of the first candidate that is supported, and why that is taken.
  /// - Throws: ``AC4Error`` of the last candidate, or where one is damaged.
  func first<Result>(
    _ make: (Int?) throws(AC4Error) -> Result
  ) throws(AC4Error) -> (Result, String) {
    var failure = AC4Error.unsupported("stream without presentations")
    for candidate in candidates {
      do throws(AC4Error) {
        return (try make(candidate.index), candidate.reason)
      } catch {
        guard error.isUnsupported else { throw error }
        failure = error
      }
    }
    throw failure
  }

  /// The index of the presentation with the id `number`, else `number` itself.
  private static func numbered(
    _ number: Int, _ facts: AC4FrameFacts, _ path: String
  ) throws -> Int {
    if let match = facts.presentations.first(where: { $0.presentation.id == number }) {
      return match.index
    }
    guard facts.presentations.contains(where: { $0.index == number }) else {
      throw MediaError(
        .usage,
        "\(setting: .presentation) \(number): \(path) has presentations 0 to \(facts.presentations.count - 1); "
          + "see pinna probe")
    }
    return number
  }

  /// Presentations that may be selected and have a group in this language.
  private static func spoken(_ language: String, _ facts: AC4FrameFacts) -> [Candidate] {
    let selectable = facts.toc.selectablePresentations
    return facts.presentations.filter { presentation in
      selectable.contains(presentation.index)
        && presentation.languages.contains { LanguageCodes.same($0, language) }
    }.map { Candidate(index: $0.index, reason: "it has the language \(language)") }
  }
}
