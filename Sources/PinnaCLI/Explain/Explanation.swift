// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Report

/// Texts about a code beside its sentence. Options stand between backquotes, which pages keep and terminals don't show.
struct ExplainedTexts {
  /// The reason why it happens; of a decision, the facts and options that decide.
  let cause: String
  /// The harm: something is heard, seen or risked; of a decision, its effect on the output.
  let harm: String
  /// The option, file or tool that removes it, or allows it knowingly; of a decision, the one that chooses otherwise.
  let remedy: String

  init(_ cause: String, _ harm: String, _ remedy: String) {
    (self.cause, self.harm, self.remedy) = (cause, harm, remedy)
  }
}

/// A code of reports, and all that is said about it.
struct Explanation: Codable, Sendable, Equatable {
  /// The list of a report that the code stands in.
  enum Kind: String, Codable, Sendable, CaseIterable {
    case degradation, decision, error
  }

  /// Stable token.
  let code: String
  /// The list that it stands in; a token may stand in two.
  let kind: Kind
  /// The class of a degradation.
  var `class`: DegradationClass?
  /// The exit code of an error.
  var exit: Int32?
  /// Meaning of the code, in one sentence.
  let sentence: String
  /// The reason why it happens; of a decision, the facts and options that decide.
  let cause: String
  /// The harm: something is heard, seen or risked; of a decision, its effect on the output.
  let harm: String
  /// The option, file or tool that removes it, or allows it knowingly; of a decision, the one that chooses otherwise.
  let remedy: String

  /// A degradation.
  init(_ code: DegradationCode) {
    self.init(code.rawValue, .degradation, code.sentence, code.texts)
    self.class = code.degradationClass
  }

  /// A decision.
  init(_ code: DecisionCode) {
    self.init(code.rawValue, .decision, code.sentence, code.texts)
  }

  /// An error.
  init(_ kind: MediaError.Kind) {
    self.init(kind.rawValue, .error, kind.sentence, kind.texts)
    exit = kind.exitCode
  }

  private init(_ code: String, _ kind: Kind, _ sentence: String, _ texts: ExplainedTexts) {
    (self.code, self.kind, self.sentence) = (code, kind, sentence)
    (cause, harm, remedy) = (texts.cause, texts.harm, texts.remedy)
  }

  /// All codes: degradations, decisions and errors, each in their own order.
  static let all: [Explanation] =
    DegradationCode.allCases.map(Explanation.init) + DecisionCode.allCases.map(Explanation.init)
    + MediaError.Kind.allCases.map(Explanation.init)

  /// The codes of this name: one, two where a degradation and a decision share it, or none.
  static func named(_ code: String) -> [Explanation] { all.filter { $0.code == code } }

  /// The command that explains `codes`, each once and in their order.
  static func command(for codes: [String]) -> String {
    var seen: Set<String> = []
    return "pinna explain " + codes.filter { seen.insert($0).inserted }.joined(separator: " ")
  }
}

/// An exit code of the program.
struct ExitMeaning: Codable, Sendable, Equatable {
  /// The number.
  let exit: Int32
  /// Meaning of the number, in one sentence or two.
  let meaning: String
  /// The kinds of errors that end with it.
  let kinds: [String]

  private init(_ exit: Int32, _ meaning: String) {
    (self.exit, self.meaning) = (exit, meaning)
    kinds = MediaError.Kind.allCases.filter {
      // A signal has a number of its own; the kind is the same for all.
      $0.exitCode == exit || ($0 == .interrupted && exit > 128)
    }.map(\.rawValue)
  }

  /// All numbers that a command ends with. A signal's is 128 and its own, as shells report it.
  static let all: [ExitMeaning] = [
    ExitMeaning(0, "Done. Degradations are listed in the report."),
    ExitMeaning(1, "A bug or an impossible state."),
    ExitMeaning(2, "Wrong options or configuration."),
    ExitMeaning(3, "The input is missing, can't be read, is encrypted or has no audio."),
    ExitMeaning(4, "The bitstream is damaged."),
    ExitMeaning(5, "The codec, a feature or the layout isn't supported."),
    ExitMeaning(6, "The output exists, can't be written or would be too large."),
    ExitMeaning(
      7,
      "The written output isn't what was meant. Of `compare`, `validate` and `golden verify`: something differs."
    ),
    ExitMeaning(8, "The loudness or peak target can't be met under the chosen policy."),
    ExitMeaning(9, "The result is degraded and `--strict` was given."),
    ExitMeaning(10, "A batch has ended, and some of its items aren't done."),
    ExitMeaning(
      75,
      "A full disk, a server, memory or another run is in the way for now; try again. A batch on a cluster does the remaining items when it is run again."
    ),
    ExitMeaning(129, "Stopped because the terminal was closed (SIGHUP)."),
    ExitMeaning(130, "Stopped by Ctrl-C (SIGINT)."),
    ExitMeaning(131, "Stopped by SIGQUIT."),
    ExitMeaning(143, "Stopped by SIGTERM, as `kill` and job schedulers send it."),
    ExitMeaning(152, "Stopped at the limit of CPU time (SIGXCPU)."),
  ]
}

/// The codes and exit codes that were asked for (`pinna explain --json`).
struct ExplainReport: ReportDocument {
  static let schemaName = "pinna.explain/1"

  /// Always `pinna.explain/1`.
  var schema = ExplainReport.schemaName
  /// Exit codes.
  var exits: [ExitMeaning]
  /// Degradations, decisions and errors.
  var codes: [Explanation]
}
