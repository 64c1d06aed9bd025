import ArgumentParser
import AudioCore
import Batch
import MediaOut
import Report

/// Where the account of a batch goes.
struct BatchReportArguments: ParsableArguments {
  @Flag(help: "Print the batch's report as JSON on stdout.") var json = false
  @Option(help: ArgumentHelp("Write the batch's report as JSON to this file.", valueName: "file"))
  var report: String?
  @Option(help: ArgumentHelp("Write the outcome as JUnit XML to this file.", valueName: "file"))
  var junit: String?
  @Option(help: ArgumentHelp("Write the outcome as Markdown to this file.", valueName: "file"))
  var markdown: String?
  @Option(
    help: ArgumentHelp("Write a page with plots of all items to this file.", valueName: "file"))
  var html: String?
  @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Only failures.") var quiet = false

  /// Refuses places that can't be written, before hours of work are done in vain.
  func check() throws {
    for (option, path) in [
      ("--report", report), ("--junit", junit), ("--markdown", markdown), ("--html", html),
    ] {
      guard let path else { continue }
      do { _ = try AtomicFile(target: path, overwrite: true) } catch let error as MediaError {
        throw MediaError(error.kind, "\(option) \(error.message)")
      }
    }
  }

  /// Writes and prints everything that was asked for.
  func publish(_ batch: BatchReport, root: String) throws {
    let text = try ReportJSON.pretty(batch)
    if json { Terminal.output(text) }
    if let report { try TextFile.write(text, to: report) }
    if let junit { try TextFile.write(BatchJUnit.text(batch), to: junit) }
    if let html {
      let page = BatchPage(batch: batch, store: ResultStore(root: root))
      let links = ReportOutput(option: "--html", path: html).links(from: root)
      try TextFile.write(page.html(links: links), to: html)
    }
    if let markdown { try TextFile.write(BatchMarkdown.text(batch), to: markdown) }
  }
}
