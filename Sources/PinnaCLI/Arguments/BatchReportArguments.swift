import ArgumentParser
import AudioCore
import Batch
import MediaOut
import Platform
import Rendering
import Report

/// Where the reports of a batch are written.
struct BatchReportArguments: ParsableArguments {
  @Flag(help: "Print the batch's report as JSON on stdout.") var json = false
  @Option(
    help: ArgumentHelp(
      "Write the batch's report as JSON to this file; - is standard output.", valueName: "file"))
  var report: String?
  @Option(
    help: ArgumentHelp("Write the outcome as JUnit XML to this file (or -).", valueName: "file"))
  var junit: String?
  @Option(
    help: ArgumentHelp("Write the outcome as Markdown to this file (or -).", valueName: "file"))
  var markdown: String?
  @Option(
    help: ArgumentHelp(
      "Write a page with plots of all items to this file (or -).", valueName: "file"))
  var html: String?
  @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Only failures.") var quiet = false

  /// Refuses places that can't be written, and those of the batch's own files, before any work is
  /// done. Without `overwrite` only reports of an earlier run are replaced.
  /// - Parameter count: items that the reports are about.
  func check(_ plan: BatchPlan, count: Int, overwrite: Bool) throws {
    guard files.count(where: { $0.path == "-" }) + (json ? 1 : 0) <= 1 else {
      throw MediaError(
        .usage, "--json and - as a file: only one can have standard output; choose one")
    }
    for (index, (option, path)) in files.enumerated() where path != "-" {
      let location = MediaLocation.file(path)
      let isTwice = files[..<index].contains { location.isSameFile(as: $0.path) }
      if let role = isTwice ? "another report" : plan.role(of: path) {
        throw MediaError(.outputUnwritable, "\(option) \(path): is \(role); give another name")
      }
      guard overwrite || EarlierReport.mayBeReplaced(path, by: option) else {
        throw MediaError(
          .outputExists,
          "\(option) \(path): exists already and isn't such a report of a batch; add -y to replace it"
        )
      }
      do { _ = try AtomicFile(target: path, overwrite: true) } catch let error as MediaError {
        throw MediaError(error.kind, "\(option) \(error.message)")
      }
    }
    if let html, html != "-", BatchPage.pages(items: count) > 0 {
      try PageFolder(index: html).check(plan, overwrite: overwrite)
    }
  }

  /// Writes and prints all reports that were asked for; paths in them are relative to `root`.
  func publish(_ batch: BatchOutcome, root: String) throws {
    if json { try TextOutput.write(to: "-") { try BatchJSON.write(batch, to: $0) } }
    for (option, path) in files {
      switch option {
      case "--report": try TextOutput.write(to: path) { try BatchJSON.write(batch, to: $0) }
      case "--junit": try TextOutput.write(to: path) { try BatchJUnit.write(batch, to: $0) }
      case "--markdown":
        let text = try BatchMarkdown.text(batch)
        try TextOutput.write(to: path) { try $0(text) }
      default: try publishPage(BatchPage(batch: batch, store: ResultStore(root: root)), path, root)
      }
    }
  }

  private func publishPage(_ page: BatchPage, _ path: String, _ root: String) throws {
    guard path != "-", BatchPage.pages(items: page.batch.entries.count) > 0 else {
      let links = ReportOutput(option: "--html", path: path).links(from: root)
      let text = try page.single(links: links)
      try TextOutput.write(to: path) { try $0(text) }
      if path != "-" { PageFolder(index: path).removePages(after: 0) }
      return
    }
    try PageFolder(index: path).write(page, root: root)
  }

  private var files: [(option: String, path: String)] {
    [("--report", report), ("--junit", junit), ("--markdown", markdown), ("--html", html)]
      .compactMap { option, path in path.map { (option, $0) } }
  }
}
