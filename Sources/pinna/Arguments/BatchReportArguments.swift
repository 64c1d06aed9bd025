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
  func check(_ plan: BatchPlan, overwrite: Bool) throws {
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
  }

  /// Writes and prints all reports that were asked for; paths in them are relative to `root`.
  func publish(_ batch: BatchReport, root: String) throws {
    let text = try ReportJSON.pretty(batch)
    if json { Terminal.output(text) }
    for (option, path) in files {
      switch option {
      case "--report": try write(text, to: path)
      case "--junit": try write(BatchJUnit.text(batch), to: path)
      case "--markdown": try write(BatchMarkdown.text(batch), to: path)
      default:
        let page = BatchPage(batch: batch, store: ResultStore(root: root))
        let links = ReportOutput(option: option, path: path).links(from: root)
        try write(page.html(links: links), to: path)
      }
    }
  }

  private var files: [(option: String, path: String)] {
    [("--report", report), ("--junit", junit), ("--markdown", markdown), ("--html", html)]
      .compactMap { option, path in path.map { (option, $0) } }
  }

  private func write(_ text: String, to path: String) throws {
    guard path != "-" else { return Terminal.output(text) }
    try TextFile.write(text, to: path)
  }
}
