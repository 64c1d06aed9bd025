import AudioCore
import MediaOut
import Platform
import Rendering
import Report

/// Runs requests, prints what came out and returns the exit code.
struct RenderRunner {
  private let arguments: RunArguments
  private let style: ProgressDisplay.Style
  private let isSingle: Bool

  /// The exit code of a job that a signal stopped.
  private static let stopped = MediaError(.interrupted, "").exitCode

  init(arguments: RunArguments, isSingle: Bool) throws {
    self.arguments = arguments
    self.isSingle = isSingle
    let wanted: ProgressDisplay.Style = try Choice.parse(arguments.progress, "--progress")
    style = !isSingle && wanted == .auto ? .none : wanted
    guard arguments.jobs > 0 else {
      throw MediaError(.usage, "-j \(arguments.jobs): give 1 or more")
    }
    guard isSingle || arguments.report == nil || arguments.report == "-" else {
      throw MediaError(.usage, "--report: takes one input; use --json for several")
    }
  }

  /// Runs all requests, at most `-j` at once, and returns the exit code. An album is rendered one
  /// file after another, and delivered completely or not at all. A signal after the last output is in
  /// place changes nothing.
  func run(_ requests: [RenderRequest], isAlbum: Bool) async -> Int32 {
    let work = Task { isAlbum ? await runAlbum(requests) : await runAll(requests) }
    let watch = InterruptWatch { work.cancel() }
    let code = await work.value
    return code == RenderRunner.stopped ? watch.exitCode : code
  }

  private func runAll(_ requests: [RenderRequest]) async -> Int32 {
    await withTaskGroup(of: Int32.self) { group in
      var waiting = requests[...]
      var worst: Int32 = 0
      for _ in 0..<min(arguments.jobs, requests.count) {
        if let request = waiting.popFirst() { group.addTask { await run(request) } }
      }
      for await code in group {
        worst = worst == 0 || code == RenderRunner.stopped ? code : worst
        if !Task.isCancelled, let request = waiting.popFirst() {
          group.addTask { await run(request) }
        }
      }
      return waiting.isEmpty ? worst : RenderRunner.stopped
    }
  }

  private func runAlbum(_ requests: [RenderRequest]) async -> Int32 {
    let displays = requests.map {
      ProgressDisplay(style: style, job: $0.name, isQuiet: arguments.quiet)
    }
    do {
      let reports = try await RenderPipeline(RenderCommand.environment).renderAlbum(requests) {
        displays[$0].show($1)
      }
      displays.forEach { $0.clear() }
      for report in reports { try conclude(report) }
      return 0
    } catch {
      displays.forEach { $0.clear() }
      return fail(error)
    }
  }

  private func run(_ request: RenderRequest) async -> Int32 {
    let display = ProgressDisplay(style: style, job: request.name, isQuiet: arguments.quiet)
    do {
      let report = try await RenderPipeline(RenderCommand.environment).render(request) {
        display.show($0)
      }
      display.clear()
      try conclude(report)
      return 0
    } catch {
      display.clear()
      return fail(error)
    }
  }

  private func conclude(_ report: RenderReport) throws {
    try publish(report)
    if !arguments.quiet { Terminal.error(Summary.text(report, isVerbose: arguments.verbose)) }
  }

  /// Prints the reason and returns the exit code.
  private func fail(_ error: any Error) -> Int32 {
    guard let failure = error as? RenderFailure else {
      let failure = error as? MediaError ?? MediaError(.internal, "\(error)")
      Terminal.complain(failure.message)
      return failure.exitCode
    }
    Terminal.complain(failure.error.message)
    try? publish(failure.report)
    return failure.error.exitCode
  }

  private func publish(_ report: RenderReport) throws {
    // The text of a film's report takes megabytes.
    guard arguments.json || arguments.report != nil else { return }
    let text = try isSingle ? ReportJSON.pretty(report) : ReportJSON.line(report) + "\n"
    if arguments.json || arguments.report == "-" { Terminal.output(data: text) }
    if let path = arguments.report, path != "-" { try TextFile.write(text, to: path) }
  }
}
