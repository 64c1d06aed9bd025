import Inspection
import Platform
import Rendering
import ArgumentParser
import AudioCore
import FoundationEssentials
import Verify

/// Runs the command of a golden in this process.
struct GoldenRunner: Sendable {
  let folder: GoldenFolder
  let media: String?

  /// What came of the case's command; its outputs go to a scratch folder and away again.
  /// - Throws: ``MediaError`` when the case itself is wrong or an output can't be read back.
  func outcome(_ golden: GoldenCase) async throws -> GoldenOutcome {
    let input = place(golden)
    let scratch = try GoldenRunner.scratch()
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    let observer = GoldenObserver()
    do {
      let job = try job(golden, input, scratch)
      let report = try await RenderPipeline().render(job)
      return try observer.outcome(of: report, input: input, folder: scratch)
    } catch let failure as RenderFailure {
      guard failure.error.kind != .interrupted else { throw failure.error }
      return try observer.outcome(of: failure.report, input: input, folder: scratch)
    } catch let error as GoldenUsage {
      return observer.outcome(of: error.error, input: input)
    }
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
  private func job(_ golden: GoldenCase, _ input: String, _ scratch: String) throws -> RenderJob {
    guard golden.command.first == "render" else {
      throw MediaError(
        .usage, "\(golden.id): a golden's command is render, not \(golden.command.first ?? "none")")
    }
    let arguments = golden.command.dropFirst().map {
      $0.replacing("{input}", with: input).replacing("{out}", with: scratch)
    }
    guard arguments.contains(where: { $0.hasPrefix(scratch) }) else {
      throw MediaError(
        .usage, "\(golden.id): its outputs must lie in {out}; write -o {out}/out.wav")
    }
    let jobs: [RenderJob]
    do {
      let command = try RenderCommand.parse(Array(arguments))
      let preset = try command.render.preset.map { try PresetsCommand.library.preset($0) }
      jobs = try command.jobs(RenderSettings(command.render, preset: preset))
    } catch let error as MediaError { throw GoldenUsage(error: error) } catch {
      throw GoldenUsage(error: MediaError(.usage, RenderCommand.message(for: error)))
    }
    guard jobs.count == 1 else {
      throw MediaError(.usage, "\(golden.id): a golden has one input, not \(jobs.count)")
    }
    let strays = jobs[0].outputs.filter { !$0.location.name.hasPrefix(scratch + "/") }
    if let stray = strays.first {
      throw MediaError(.usage, "\(golden.id): \(stray.location.name) isn't in {out}")
    }
    return jobs[0]
  }

  private static func scratch() throws -> String {
    let parent = FileManager.default.temporaryDirectory.path
    var name = Array("\(parent)/pinna-golden-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else {
      throw MediaError(.outputUnwritable, "\(parent): no folder for outputs can be made there")
    }
    return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// A refusal of the arguments under test: an outcome, not a failure of the golden.
private struct GoldenUsage: Error {
  let error: MediaError
}
