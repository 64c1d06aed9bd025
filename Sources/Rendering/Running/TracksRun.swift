// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import MediaIn
import MediaOut
import Report

/// A run from an opened input to renamed outputs, and its report.
protocol WholeRun: AnyObject {
  /// The request that is being worked on.
  var request: RenderRequest { get }

  /// Does all of it.
  /// - Throws: ``MediaError``; no file is left then.
  func run() throws

  /// Closes all taps, once; `error` is what stopped the run.
  func close(_ error: (any Error)?)

  /// The report of a run that ended well.
  func finishedReport() -> RenderReport

  /// The report of a run that failed.
  func failedReport(_ error: MediaError) -> RenderReport
}

/// Renders several tracks of one input into one output: one after another, each with a level of its own and proved by itself. The last one
/// is written beside the packets of all others.
final class TracksRun: WholeRun {
  private let runs: [RenderRun]
  private var current = 0

  /// Runs of the tracks with these `numbers`; `make` makes the run of a request.
  init(
    _ request: RenderRequest, numbers: [Int], make: (RenderRequest) -> RenderRun
  ) {
    runs = numbers.enumerated().map { place, number in
      var part = request.part(place, of: numbers)
      part.clips[0].decoding.track = .index(number)
      part.policy.spoolMemory /= numbers.count
      return make(part)
    }
  }

  /// An input that was opened to find its tracks, and what was reported of it.
  struct Opened {
    let input: RenderInput
    let log: DiagnosticLog
    /// The tracks that go into one file; `nil` for one.
    let numbers: [Int]?
  }

  /// Opens the input of a request for tracks that may be several of one file; `nil` for any other request, and where it can't be opened,
  /// which the run of the request reports. Standard input can't be opened twice.
  static func open(_ request: RenderRequest, isCancelled: @escaping () -> Bool) -> Opened? {
    guard let clip = request.clips.first, request.clips.count == 1,
      clip.decoding.track.namesSeveral,
      let first = request.outputs.first, let container = first.container,
      request.outputs.dropFirst().allSatisfy({ $0.isGroup(besides: first) }),
      container.kind.traits.output?.holdsSeveralSounds == true, container.coding.iamf == nil
    else { return nil }
    LibAVLog.install()
    let log = DiagnosticLog()
    guard let input = try? ClipOpener(log: log, isCancelled: isCancelled).input(of: clip)
    else { return nil }
    // A choice that fits no track is reported by the run itself, too.
    return Opened(input: input, log: log, numbers: (try? numbers(request, input)) ?? nil)
  }

  private static func numbers(_ request: RenderRequest, _ input: RenderInput) throws -> [Int]? {
    let clip = request.clips[0]
    guard let streams = try streams(clip, input) else { return nil }
    let numbers = try clip.decoding.track.numbers(among: streams, path: request.name)
    return numbers.count > 1 ? numbers : nil
  }

  /// The streams of a file; `nil` for an input that is none, such as a presentation of HLS.
  static func streams(_ clip: Clip, _ input: RenderInput) throws -> [StreamInfo]? {
    guard let media = input.coded, media.presentation == nil else { return nil }
    return try MediaFile(file: media.file, options: media.decoding(clip.decoding)).streams
  }

  var request: RenderRequest { runs[current].request }

  func run() throws {
    for (place, run) in runs.enumerated() {
      current = place
      run.progress.begin(place, of: runs.count)
      try run.render()
      guard !run.request.policy.isDryRun else { continue }
      try run.solve()
      if place > 0 { run.former = runs[place - 1].former }
      try run.deliver()
    }
    guard let last = runs.last, !last.request.policy.isDryRun else { return }
    try last.complete()
    try last.commit()
  }

  func close(_ error: (any Error)?) { for run in runs.reversed() { run.close(error) } }

  func finishedReport() -> RenderReport { TracksRun.joined(runs.map { $0.finishedReport() }) }

  func failedReport(_ error: MediaError) -> RenderReport {
    let before = runs[..<current].map { $0.finishedReport() }
    var report = TracksRun.joined(before + [runs[current].failedReport(error)])
    report.outputs = []
    return report
  }

  /// One report of all tracks: an input and an output for each, in the order of the file.
  private static func joined(_ reports: [RenderReport]) -> RenderReport {
    guard var joined = reports.last else { return RenderReport(toolchain: ToolchainFacts.current) }
    joined.inputs = reports.flatMap(\.inputs)
    joined.outputs = reports.flatMap(\.outputs)
    let planned = reports.compactMap(\.planned).flatMap(\.self)
    joined.planned = planned.isEmpty ? nil : planned
    joined.degradations = reports.enumerated().flatMap { place, report in
      report.degradations.map {
        Diagnostic($0.code, $0.message, subject: $0.subject.moved(to: place))
      }
    }
    var seen: Set<Decision> = []
    joined.decisions = reports.enumerated().flatMap { place, report in
      report.decisions.map {
        Decision($0.code, chose: $0.chose, why: $0.why, subject: $0.subject.moved(to: place))
      }
    }.filter { seen.insert($0).inserted }
    let worst: [RenderReport.Status] = [.error, .silent, .ok, .unchanged]
    joined.status = worst.first { status in reports.contains { $0.status == status } } ?? .ok
    return joined
  }
}

extension DiagnosticSubject {
  /// This part of a run that is number `place` of several.
  fileprivate func moved(to place: Int) -> DiagnosticSubject {
    switch self {
    case .run: return .run
    case .input(let number): return .input(number + place)
    case .output(let number): return .output(number + place)
    }
  }
}
