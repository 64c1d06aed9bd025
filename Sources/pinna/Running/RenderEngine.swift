import Inspection
import Rendering
import ArgumentParser
import AudioCore
import Batch
import FoundationEssentials
import LibAV
import MediaIn
import Report
import Verify

/// What a batch renders with: the arguments and jobs of `pinna render`.
struct RenderEngine: BatchEngine {
  let version = PinnaVersion.text

  var versions: [String] {
    [PinnaVersion.text] + LibAVVersion.libraries.map { "\($0.name) \($0.version)" }
  }

  func form(_ options: [String], ending: String?) throws -> RenderForm {
    let name = "output" + (ending.map { $0.isEmpty ? "" : ".\($0)" } ?? "")
    let (command, settings) = try parse(options + ["--output=\(name)", "--", "input"])
    let form = try OutputChoice.form(
      format: settings.format, codec: command.render.codec, bitRate: command.render.bitRate,
      bits: settings.bits, output: name)
    return RenderForm(
      ending: form.fileExtension, endpoint: settings.endpoint, isCopy: form.isCopy,
      isAlbum: settings.album, files: { form.possibleFiles(of: $0) })
  }

  func prepare(_ arguments: [String]) throws -> PreparedRender<RenderJob> {
    let (command, settings) = try parse(arguments)
    let jobs = try command.jobs(settings)
    guard let job = jobs.first, jobs.count == 1 else {
      throw MediaError(.internal, "a batch's item has one input, not \(jobs.count)")
    }
    try job.validate()
    // Before the input is read for its digest.
    if case .file(let path) = job.input, WebAddress(path) == nil {
      try job.decoding.bounds.admit(path)
    }
    var settled = job
    settled.input = .standardStream
    settled.cacheFolder = nil
    settled.spoolMemory = 0
    settled.blockSize = nil
    settled.overwrite = false
    settled.outputLimit = nil
    settled.sofaReading = .inProcess
    settled.decoding.bounds = InputBounds()
    settled.trajectory = nil
    settled.hrtf = job.hrtf.path == nil ? .builtIn : .file("")
    settled.subtitleFile = job.subtitleFile.map { _ in "" }
    let companions = [
      job.hrtf.path, job.subtitleFile, command.listener.trajectory,
    ].compactMap { $0 }
    let portable = command.run_.deterministic ? "portable " : ""
    return PreparedRender(
      job: job, text: portable + SettingsText.of(settled), companions: companions)
  }

  func digest(source: String) throws -> SourceDigest {
    if WebAddress(source) != nil { return SourceDigest(file: nil, whole: nil) }
    let file = try FileDigest.ofFile(source).sha256
    let lower = source.lowercased()
    guard lower.hasSuffix(".m3u8") || lower.hasSuffix(".m3u"),
      let data = FileManager.default.contents(atPath: source),
      data.starts(with: Array("#EXTM3U".utf8))
    else { return SourceDigest(file: file, whole: file) }
    // A playlist is what it lists; what it lists elsewhere, or hides, can't be pinned down.
    let text = String(decoding: data, as: UTF8.self)
    guard !["://", "#EXT-X-KEY", "#EXT-X-STREAM-INF"].contains(where: { text.contains($0) }) else {
      return SourceDigest(file: file, whole: nil)
    }
    let input = try MediaInput(path: source, log: DiagnosticLog())
    let parts = try input.localFiles.map { try FileDigest.ofFile($0).sha256 }
    return SourceDigest(file: file, whole: FileDigest.of([file] + parts))
  }

  func render(
    _ job: RenderJob, overwrite: Bool, progress: @escaping @Sendable (WorkProgress) -> Void
  ) async throws(EngineFailure) -> RenderReport {
    var job = job
    job.overwrite = overwrite
    do throws(RenderFailure) {
      return try await RenderPipeline().render(job) { progress(WorkProgress($0)) }
    } catch { throw RenderEngine.failure(error) }
  }

  func renderAlbum(
    _ jobs: [RenderJob], overwrite: Bool, progress: @escaping @Sendable (WorkProgress) -> Void
  ) async throws(EngineFailure) -> [RenderReport] {
    let jobs = jobs.map { job in
      var job = job
      job.overwrite = overwrite
      return job
    }
    do throws(RenderFailure) {
      return try await RenderPipeline().renderAlbum(jobs) { progress(WorkProgress($1)) }
    } catch { throw RenderEngine.failure(error) }
  }

  func goldenDigest(_ folder: String) throws -> String {
    let (goldens, id) = try RenderEngine.golden(folder)
    return FileDigest.of(
      try ["case.json", "expected.json"].map { try FileDigest.ofFile(goldens.file(id, $0)).sha256 })
  }

  func compare(
    _ reports: [RenderReport], source: String, golden folder: String
  ) throws -> ItemReport.Golden {
    let (goldens, id) = try RenderEngine.golden(folder)
    let golden = try goldens.golden(id)
    let expected = try goldens.expected(id)
    guard reports.count == 1, let report = reports.first else {
      throw MediaError(
        .usage,
        "\(id): a golden is held against one render, not \(reports.count); leave outputs out")
    }
    var outcome = try GoldenObserver().outcome(of: report, input: source, folder: ".")
    guard !expected.outputs.contains(where: { $0.container == "hls" }) else {
      throw MediaError(
        .unsupportedFeature, "\(id): a golden of HLS names its files; use pinna golden verify")
    }
    // A golden's outputs have names of their own.
    if outcome.outputs.count == 1, expected.outputs.count == 1 {
      outcome.outputs[0].name = expected.outputs[0].name
    }
    let result = GoldenComparator(
      golden: golden, expected: expected, current: GoldenObserver.recording(commit: nil)
    ).compare(outcome)
    return ItemReport.Golden(id: id, failures: result.failures, notes: result.notes)
  }

  private static func golden(_ folder: String) throws -> (GoldenFolder, String) {
    var path = folder[...]
    while path.hasSuffix("/") { path.removeLast() }
    guard let slash = path.lastIndex(of: "/") else {
      return (GoldenFolder(path: "."), String(path))
    }
    return (GoldenFolder(path: String(path[..<slash])), String(path[path.index(after: slash)...]))
  }

  private func parse(_ arguments: [String]) throws -> (RenderCommand, RenderSettings) {
    do {
      let command = try RenderCommand.parse(arguments)
      let preset = try command.render.preset.map { try PresetsCommand.library.preset($0) }
      return (command, RenderSettings(command.render, preset: preset))
    } catch let error as MediaError { throw error } catch {
      // The first line says it; the others are about how to call render.
      let message = RenderCommand.message(for: error).split(separator: "\n").first.map(String.init)
      throw MediaError(.usage, message ?? "\(error)")
    }
  }

  private static func failure(_ failure: RenderFailure) -> EngineFailure {
    EngineFailure(failure.error, report: failure.report)
  }
}
