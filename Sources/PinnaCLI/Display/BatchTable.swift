// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Batch
import Report

/// The report of a batch as text for the terminal.
enum BatchTable {
  /// Most items listed; a longer table isn't read on a terminal.
  private static let most = 40

  /// Plan of a batch: a line for each output, which ends in its endpoint, and the input above it where it has another name.
  static func plan(_ plan: BatchPlan, _ items: [BatchItem], shard: Shard?) -> String {
    var lines: [String] = []
    for item in items {
      // Most ids are the inputs' paths.
      lines.append(item.id == item.input ? item.input : "\(item.input)  (\(item.id))")
      for render in item.renders {
        for (output, endpoint) in zip(render.outputs, render.endpoints) {
          lines.append("  → \(output)  \(endpoint)")
        }
      }
    }
    let part = shard.map { ", shard \($0.text) of \(plan.items.count)" } ?? ""
    lines.append("\(items.count) jobs\(part); nothing was done")
    return PlainText.lines(lines + (numbers(of: plan).map { ["numbered: " + $0] } ?? []))
      + (aside(plan.skipped).map { PlainText.lines(["left aside: " + $0]) } ?? "")
  }

  /// Outputs that got a number in their names; `nil` for none.
  static func numbers(of plan: BatchPlan) -> String? {
    guard let first = plan.renamed.first else { return nil }
    let others = plan.renamed.count - 1
    let more = others > 0 ? ", and " + others.counted("other", "others") + " likewise" : ""
    return
      "\(first.id) becomes \(first.path), because another job writes the name without a number\(more)"
  }

  /// Prints a table of the items, the failures with their reasons, and one line of totals. A long table has only the items
  /// whose inputs are damaged.
  /// - Parameter wereFailuresTold: whether the failures were already printed during the run; they
  ///   are printed again when a long run has scrolled them away.
  /// - Throws: what reading an entry throws.
  static func show(_ outcome: BatchOutcome, isQuiet: Bool, wereFailuresTold: Bool) throws {
    let isShort = outcome.entries.count <= most
    let areTold = wereFailuresTold && (isQuiet || isShort)
    var rows = [["item", "status", "in LUFS", "out LUFS", "seconds", "notes"]]
    var failures: [LabelledLine] = []
    var codes: [String] = []
    let counts = outcome.head.counts
    // Entries of a large batch are read from the disk, which is left out where none of them is shown.
    if isShort || counts.done < counts.total || counts[.damage] > 0 {
      try outcome.entries.forEach { entry in
        let isListed = isShort || (entry.isDone && !entry.damage.isEmpty)
        if isListed, rows.count <= most {
          rows.append(row(entry))
          codes += shownCodes(entry)
        }
        if let error = entry.error, !areTold {
          failures.append(
            LabelledLine(label: "FAILED", text: "\(entry.id)  \(error.message)", tone: .failed))
        }
      }
    }
    if !isQuiet {
      if rows.count > 1 { Terminal.error(PlainText.table(rows, right: 2..<5)) }
      let hidden = outcome.entries.count - (rows.count - 1) - failures.count
      if hidden > 0 { Terminal.error("and \(hidden) more, which a --report lists\n") }
    }
    Terminal.show(failures, indent: 8)
    guard !isQuiet || outcome.head.exit != 0 else { return }
    left(outcome.head.skipped)
    Terminal.show([LabelledLine(label: "batch:", text: numbers(outcome.head))], indent: 7)
    guard !isQuiet, !codes.isEmpty else { return }
    let command = Explanation.command(for: codes.sorted())
    Terminal.show([LabelledLine(label: "explain:", text: command)], indent: 9)
  }

  /// The codes in the notes of an item that `pinna explain` knows; a worker that crashed has a kind of its own.
  private static func shownCodes(_ entry: BatchReport.Entry) -> [String] {
    (entry.degradations.keys + [entry.error?.kind].compactMap(\.self)).filter {
      !Explanation.named($0).isEmpty
    }
  }

  private static func row(_ entry: BatchReport.Entry) -> [String] {
    var notes = entry.degradations.keys.sorted().map { kind in
      let count = entry.degradations[kind] ?? 1
      return count > 1 ? "\(kind) ×\(count)" : kind
    }
    if let kind = entry.error?.kind { notes.insert("\(kind) (\(entry.exit))", at: 0) }
    let seconds = entry.cached ? nil : entry.performance?.wallSeconds
    return [
      entry.id, entry.cached ? "\(entry.status.rawValue), done before" : entry.status.rawValue,
      Figures.fixed(entry.loudness?.input, 1), Figures.fixed(entry.loudness?.output, 1),
      Figures.fixed(seconds, 2), notes.joined(separator: ", "),
    ]
  }

  private static func numbers(_ report: BatchReport) -> String {
    let counts = report.counts
    var parts = ["\(counts.done) of \(counts.total) done"]
    if counts.cached > 0 { parts.append("\(counts.cached) of them before") }
    if counts.degraded > 0 {
      let classes = DegradationClass.allCases.filter { counts[$0] > 0 }
        .map { "\($0.rawValue) \(counts[$0])" }
      parts.append("\(counts.degraded) degraded (\(classes.joined(separator: ", ")))")
    }
    if counts.failed > 0 { parts.append("\(counts.failed) failed") }
    if counts.missing > 0 { parts.append("\(counts.missing) missing") }
    if counts.stopped > 0 { parts.append("\(counts.stopped) not done") }
    let time = report.performance.map { " in \(Figures.fixed($0.wallSeconds, 1)) s" } ?? ""
    let shard = report.shard.map { "shard \($0): " } ?? ""
    let cure = counts.stopped > 0 ? "; run it again to go on" : ""
    return shard + parts.joined(separator: ", ") + time + cure
  }

  /// Some of the files that have to be renamed, because nothing else says which they are.
  private static func names(_ skipped: [String: String], _ reason: String) -> String {
    guard reason == FolderListing.unnamedReason else { return "" }
    let names = skipped.filter { $0.value == reason }.keys.sortedAsNames()
    let more = names.count > 3 ? ", …" : ""
    return ": " + names.prefix(3).joined(separator: ", ") + more
  }

  private static func left(_ skipped: [String: String]) {
    guard let text = aside(skipped) else { return }
    Terminal.show([LabelledLine(label: "left aside:", text: text)], indent: 12)
  }

  /// How many files of the folder were left out, by reason; `nil` for none.
  private static func aside(_ skipped: [String: String]) -> String? {
    guard !skipped.isEmpty else { return nil }
    let list = SkippedFiles.text(skipped) { names(skipped, $0) }
    return "\(skipped.count) (\(list)); --input-list takes any extension"
  }
}

extension BatchReport.Entry {
  /// Kinds of damage in the input, in order.
  var damage: [String] {
    degradations.keys.sorted().filter { DegradationCode(rawValue: $0)?.degradationClass == .damage }
  }
}

/// Prints all faults of a batch, each on its own line.
enum BatchFaultText {
  /// Most faults that are printed.
  private static let most = 100

  /// The result of `body`; when it throws the faults of a batch, they are printed and the command
  /// ends.
  static func telling<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let faults as BatchFaults {
      for fault in faults.all.prefix(most) { Terminal.complain(fault.message) }
      let more = faults.all.count - most
      if more > 0 { Terminal.complain("and \(more) more faults like these") }
      Terminal.complain(
        "nothing was done; correct the \(faults.all.count == 1 ? "fault" : "\(faults.all.count) faults") first"
      )
      throw ExitStatus(code: faults.exitCode)
    }
  }
}
