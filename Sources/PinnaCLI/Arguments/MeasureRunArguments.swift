import ArgumentParser
import AudioCore
import Essentials

/// How a measuring run behaves.
struct MeasureRunArguments: ParsableArguments {
  @Option(
    name: [.customShort("j")], help: "Files measured at once (default: the number of cores).")
  var jobs: Int?
  @Option(help: "Progress on stderr: auto, none or ndjson.")
  var progress = "auto"
  @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Only figures and errors.")
  var quiet = false

  /// Files measured at once.
  func limit() throws -> Int {
    guard let jobs else { return max(1, ProcessInfo.processInfo.activeProcessorCount) }
    guard jobs > 0 else { throw MediaError(.usage, "-j \(jobs): give 1 or more") }
    return jobs
  }

  /// The style of progress asked for.
  func style() throws -> ProgressDisplay.Style { try Choice.parse(progress, "--progress") }
}
