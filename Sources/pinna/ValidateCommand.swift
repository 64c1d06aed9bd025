import ArgumentParser
import AudioCore
import RenderPipeline
import Report

/// `pinna validate`.
struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Re-open a written WAV or fragmented MP4 file and look for what is wrong.",
    discussion: "Exit code 7 on a finding.")

  @Argument(help: "The file.") var path: String
  @Flag(help: "Print JSON.") var json = false
  @Flag(help: .hidden) var isolate = false

  func run() throws {
    guard !isolate else {
      throw MediaError(
        .unsupportedFeature, "--isolate: isn't supported yet by this version; leave it out")
    }
    let report = try OutputValidator().validate(path: path)
    Terminal.output(json ? try ReportJSON.pretty(report) : text(report))
    let failed = MediaError(.verificationFailed, "")
    if !report.findings.isEmpty { throw ExitStatus(code: failed.exitCode) }
  }

  private func text(_ report: ValidationReport) -> String {
    let fragments = report.fragments.map { ", \($0) fragment(s)" } ?? ""
    let facts = "\(report.path): \(report.format), \(report.samples) samples\(fragments)"
    guard !report.findings.isEmpty else { return facts + ", nothing wrong\n" }
    return facts + "\n"
      + report.findings.map { "\($0.code)  \($0.path)  \($0.message)\n" }.joined()
  }
}
