import ArgumentParser
import AudioCore
import Inspection
import Report

/// `pinna validate`.
struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Re-open a written WAV, fragmented MP4 or HLS output and look for what is wrong.",
    discussion: "Exit code 7 on a finding.")

  @Argument(help: "The file.") var path: String
  @Flag(help: "Print JSON.") var json = false
  @Flag(help: "Also play each fragment or segment alone.") var isolate = false

  func run() throws {
    let report = try OutputValidator(isolate: isolate).validate(path: path)
    Terminal.output(json ? try ReportJSON.pretty(report) : text(report))
    let failed = MediaError(.verificationFailed, "")
    if !report.findings.isEmpty { throw ExitStatus(code: failed.exitCode) }
  }

  private func text(_ report: ValidationReport) -> String {
    let part = report.format == "hls" ? "segment" : "fragment"
    let fragments = report.fragments.map { ", \($0) \(part)(s)" } ?? ""
    let facts = "\(report.path): \(report.format), \(report.samples) samples\(fragments)"
    guard !report.findings.isEmpty else {
      return PlainText.lines([facts + ", nothing wrong"])
    }
    return PlainText.lines(
      [facts] + report.findings.map { "\($0.code)  \($0.path)  \($0.message)" })
  }
}
