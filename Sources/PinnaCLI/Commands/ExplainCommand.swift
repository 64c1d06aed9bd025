// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Report

/// `pinna explain`.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Explain codes of reports and exit codes.",
    discussion: """
      Prints the cause, the harm and the remedy of a degradation or an error; the cause and the effect of a decision, and the \
      option that chooses otherwise; the meaning of an exit code, and its errors. Without codes it lists all.
      """)

  @Argument(help: "Codes, such as lfe-dropped, or exit codes, such as 7.") var codes: [String] = []
  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    for (text, indent) in try texts(codes.map(ExplainedTopic.init)) {
      // Options stand between backquotes for the pages alone.
      let plain = text.replacing("`", with: "")
      if json { Terminal.output(data: plain) } else { Terminal.output(plain, indent: indent) }
    }
  }

  /// The texts on `topics`, each with the columns before its sentences.
  private func texts(_ topics: [ExplainedTopic]) throws -> [(text: String, indent: Int)] {
    if json { return [(try ReportJSON.pretty(ExplainedTopic.report(topics)), 0)] }
    if topics.isEmpty { return ExplainText.lists }
    let sections = topics.flatMap(ExplainText.sections)
    return [(sections.joined(separator: "\n"), ExplainText.indent)]
  }
}

/// One word of `pinna explain`.
enum ExplainedTopic {
  case exit(ExitMeaning)
  case codes([Explanation])

  /// The topic that `word` names.
  /// - Throws: ``MediaError`` of kind `usage` for a word that names none.
  init(_ word: String) throws {
    if let number = Int32(word) {
      guard let exit = ExitMeaning.all.first(where: { $0.exit == number }) else {
        let known = ExitMeaning.all.map { "\($0.exit)" }.joined(separator: ", ")
        throw MediaError(.usage, "\(word): no such exit code; they are \(known)")
      }
      self = .exit(exit)
      return
    }
    let found = Explanation.named(word)
    guard found.isEmpty else {
      self = .codes(found)
      return
    }
    let near = Suggestion.nearest(to: word, among: Explanation.all.map(\.code))
    throw MediaError(
      .usage,
      "\(word): no such code; "
        + (near.map { "did you mean \($0)?" } ?? "pinna explain without a code lists all"))
  }

  /// The JSON for `topics`; for none, that of all.
  static func report(_ topics: [ExplainedTopic]) -> ExplainReport {
    guard !topics.isEmpty else {
      return ExplainReport(exits: ExitMeaning.all, codes: Explanation.all)
    }
    var report = ExplainReport(exits: [], codes: [])
    for topic in topics {
      switch topic {
      case .exit(let exit): report.exits.append(exit)
      case .codes(let codes): report.codes += codes
      }
    }
    return report
  }
}

/// Codes as text for the terminal.
enum ExplainText {
  /// Columns of the labels with the space after them.
  static let indent = 10

  /// The lines about `topic`, a text for each code.
  static func sections(_ topic: ExplainedTopic) -> [String] {
    switch topic {
    case .exit(let exit): [section(exit)]
    case .codes(let codes): codes.map(section)
    }
  }

  private static func section(_ code: Explanation) -> String {
    let more = code.class.map { ", \($0.rawValue)" } ?? code.exit.map { ", exit code \($0)" } ?? ""
    return text(
      "\(code.code) (\(code.kind.rawValue)\(more))",
      [
        ("meaning", code.sentence), ("cause", code.cause),
        (code.kind == .decision ? "effect" : "harm", code.harm), ("remedy", code.remedy),
      ])
  }

  private static func section(_ exit: ExitMeaning) -> String {
    let kinds = exit.kinds.flatMap(Explanation.named).filter { $0.kind == .error }
    return text(
      "\(exit.exit) (exit code)",
      [("meaning", exit.meaning)] + kinds.map { ("error", "\($0.code): \($0.sentence)") })
  }

  private static func text(_ title: String, _ lines: [(String, String)]) -> String {
    PlainText.lines([title] + lines.map { Figures.padded($0.0, indent) + $0.1 })
  }

  /// The lists of all codes, each with the columns before its sentences.
  static var lists: [(text: String, indent: Int)] {
    Explanation.Kind.allCases.map { kind in
      let codes = Explanation.all.filter { $0.kind == kind }
      let rows = [[kind.rawValue] + head(kind) + ["meaning"]] + codes.map(row)
      let widths = rows[0].indices.dropLast().map { column in
        rows.map { $0[column].count + 2 }.max() ?? 0
      }
      let space = kind == Explanation.Kind.allCases.first ? "" : "\n"
      return (space + PlainText.table(rows), widths.reduce(0, +))
    }
  }

  private static func head(_ kind: Explanation.Kind) -> [String] {
    switch kind {
    case .degradation: ["class"]
    case .decision: []
    case .error: ["exit"]
    }
  }

  private static func row(_ code: Explanation) -> [String] {
    let more = code.class.map(\.rawValue) ?? code.exit.map { "\($0)" }
    return [code.code] + (more.map { [$0] } ?? []) + [code.sentence]
  }
}
