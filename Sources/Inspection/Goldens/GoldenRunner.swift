// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Essentials
import MediaOut
import Platform
import Rendering
import Report
import Verify

/// Runs the command of a golden in this process.
package struct GoldenRunner: Sendable {
  /// The cases.
  package let folder: GoldenFolder
  private let media: String?
  private let environment: RenderEnvironment
  private let parse: @Sendable ([String]) throws -> [RenderRequest]

  /// A runner for the cases in `folder`; inputs are looked for in `media` before the case's own folder,
  /// and `parse` turns arguments of `render` into requests.
  package init(
    folder: GoldenFolder, media: String?, environment: RenderEnvironment,
    parse: @escaping @Sendable ([String]) throws -> [RenderRequest]
  ) {
    self.folder = folder
    self.media = media
    self.environment = environment
    self.parse = parse
  }

  /// The outcome of the case's command; its outputs go to a scratch folder that is removed
  /// afterwards.
  /// - Throws: ``MediaError`` when the case itself is wrong or an output can't be read back.
  package func outcome(_ golden: GoldenCase) async throws -> GoldenOutcome {
    let input = place(golden)
    let folder = try ScratchFolder()
    let scratch = folder.path
    defer { withExtendedLifetime(folder) {} }
    let observer = GoldenObserver()
    do {
      let request = try request(golden, input, scratch)
      let report = try await RenderPipeline(environment).render(request)
      try GoldenRunner.checkTaps(report, golden.id)
      return try observer.outcome(of: report, input: input, folder: scratch)
    } catch let failure as RenderFailure {
      guard !GoldenRunner.passing.contains(failure.error.kind) else { throw failure.error }
      return try observer.outcome(of: failure.report, input: input, folder: scratch)
    } catch let error as GoldenUsage {
      return observer.outcome(of: error.error, input: input)
    }
  }

  /// Refuses a case whose input is missing, before anything else is said of it.
  /// - Throws: ``MediaError`` of kind `inputMissing`.
  package func checkInput(_ golden: GoldenCase) throws {
    let input = place(golden)
    guard access(input, F_OK) != 0 else { return }
    throw MediaError(
      .inputMissing,
      "the input \(golden.input) is missing: "
        + (media.map { "neither in \($0), nor in the case's folder" }
          ?? "not in the case's folder, and no folder of media is named")
    )
  }

  /// Failures that say something of the machine, not of the input: no outcome to record or to compare.
  private static let passing: Set<MediaError.Kind> = [
    .internal, .outputUnwritable, .diskFull, .outOfResources, .unavailable, .busy, .interrupted,
  ]

  /// A result that differs from run to run can't be compared with a recorded one.
  private static func checkTaps(_ report: RenderReport, _ name: String) throws {
    guard let fault = report.degradations.first(where: { $0.code == .tapVaries }) else { return }
    throw MediaError(
      .unsupportedFeature, about: name,
      "\(fault.message), so nothing can be compared with it; leave the tap out of the case")
  }

  /// The input: in the media folder, else in the case's own.
  private func place(_ golden: GoldenCase) -> String {
    let own = folder.file(golden.id, golden.input)
    guard let media else { return own }
    let common = "\(media)/\(golden.input)"
    return FileManager.default.fileExists(atPath: common)
      || !FileManager.default.fileExists(atPath: own) ? common : own
  }

  /// Parses the case's arguments as those of the command line.
  private func request(
    _ golden: GoldenCase, _ input: String, _ scratch: String
  ) throws -> RenderRequest {
    guard golden.command.first == "render" else {
      throw MediaError(
        .usage, about: golden.id,
        "a golden's command is render, not \(golden.command.first ?? "none")")
    }
    let arguments = golden.command.dropFirst().map {
      $0.replacing("{input}", with: input).replacing("{out}", with: scratch)
    }
    guard arguments.contains(where: { $0.hasPrefix(scratch) }) else {
      throw MediaError(
        .usage, about: golden.id, "its outputs must lie in {out}; write -o {out}/out.wav")
    }
    let requests: [RenderRequest]
    do { requests = try parse(Array(arguments)) } catch let error as MediaError {
      throw GoldenUsage(error: error)
    }
    guard let request = requests.first, requests.count == 1 else {
      throw MediaError(.usage, about: golden.id, "a golden has one input, not \(requests.count)")
    }
    let strays = request.outputs.filter { !$0.location.name.hasPrefix(scratch + "/") }
    if let stray = strays.first {
      throw MediaError(.usage, about: golden.id, "\(stray.location.name) isn't in {out}")
    }
    return request
  }
}

/// A refusal of the arguments under test: an outcome, not a failure of the golden.
private struct GoldenUsage: Error {
  let error: MediaError
}

/// A folder of goldens: one folder a case, with `case.json` and `expected.json`.
package struct GoldenFolder: Sendable {
  /// Folder of the cases.
  package let path: String

  /// The folder at `path`.
  package init(path: String) { self.path = path }

  /// Names of all cases, sorted.
  /// - Throws: ``MediaError`` when the folder can't be read, or has a name in it that isn't UTF-8.
  package func ids() throws -> [String] {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let code = errno
    guard folder >= 0 else {
      guard code == ENOENT || code == ENOTDIR else { throw LocalFile.openFailure(path, code) }
      throw MediaError(
        .inputMissing, about: path, "no folder of goldens is there; give \(setting: .goldenFolder)")
    }
    let names = FolderNames.of(folder)
    // Bytes that aren't UTF-8 are read as this character. A case that is passed over would count as passed.
    if let odd = names.first(where: {
      $0.unicodeScalars.contains("\u{FFFD}") && access("\(path)/\($0)", F_OK) != 0
    }) {
      throw MediaError(.usage, about: "\(path)/\(odd)", "its name isn't UTF-8; rename it")
    }
    return names.filter {
      FileManager.default.fileExists(atPath: file($0, "case.json"))
    }.sortedAsNames()
  }

  /// Path of a file of a case.
  package func file(_ id: String, _ name: String) -> String { "\(path)/\(id)/\(name)" }

  /// Reads a case.
  /// - Throws: ``MediaError`` when it is missing, malformed or named otherwise than its folder.
  package func golden(_ id: String) throws -> GoldenCase {
    let golden: GoldenCase = try read(id, "case.json")
    guard PathName(golden.id) == PathName(id) else {
      throw MediaError(.usage, "\(file(id, "case.json")): its id is \(golden.id), not \(id)")
    }
    guard !golden.why.isEmpty, !golden.oracle.name.isEmpty else {
      throw MediaError(.usage, "\(file(id, "case.json")): why and oracle.name must say something")
    }
    return golden
  }

  /// Whether a case has expected values.
  package func isRecorded(_ id: String) -> Bool {
    FileManager.default.fileExists(atPath: file(id, "expected.json"))
  }

  /// Reads what a case expects.
  /// - Throws: ``MediaError`` of kind `verificationFailed` when nothing is recorded.
  package func expected(_ id: String) throws -> GoldenOutcome {
    guard isRecorded(id) else {
      throw MediaError(
        .verificationFailed, about: id,
        "\(file(id, "expected.json")) is missing; record it, look at it and commit it")
    }
    return try read(id, "expected.json")
  }

  /// Writes a case; its folder is made.
  /// - Throws: ``MediaError`` when it can't be written.
  package func write(_ golden: GoldenCase) throws {
    try make(golden.id)
    try TextFile.write(ReportJSON.pretty(golden), to: file(golden.id, "case.json"))
  }

  /// Writes what a case expects; its folder is made.
  /// - Throws: ``MediaError`` when it can't be written.
  package func write(_ outcome: GoldenOutcome, id: String) throws {
    try make(id)
    try TextFile.write(ReportJSON.pretty(outcome), to: file(id, "expected.json"))
  }

  private func make(_ id: String) throws {
    let folder = "\(path)/\(id)"
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch { throw MediaError(.outputUnwritable, about: folder, "the folder can't be made") }
  }

  private func read<Value: Decodable>(_ id: String, _ name: String) throws -> Value {
    let place = file(id, name)
    let data: Data
    do {
      data = Data(try LocalFile(path: place).wholeContent())
    } catch let error as MediaError where error.kind == .inputMissing {
      throw MediaError(
        .inputMissing, about: place, "no such file; pinna golden list shows all cases")
    }
    do { return try JSONDecoder().decode(Value.self, from: data) } catch {
      throw MediaError(.usage, about: place, "isn't a golden's \(name): \(error)")
    }
  }
}
