// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Batch
import Essentials
import Inspection
import LibAV
import MediaIn
import Platform
import Rendering
import Report
import Synchronization
import Verify

/// The means of a batch to render: the arguments of `pinna render` and its pipeline.
struct RenderEngine: BatchEngine {
  let version = PinnaVersion.text
  private let commands = ParsedCommands()
  private let environment: RenderEnvironment

  /// The environment of this process, in which renders share HRTF sets.
  init() {
    var environment = RenderCommand.environment
    environment.sharedSets = SharedSets()
    self.environment = environment
  }

  var versions: [String] {
    [PinnaVersion.text] + LibAVVersion.libraries.map { "\($0.name) \($0.version)" }
  }

  func form(_ options: [String], ending: String?, input: String) throws -> RenderForm {
    let name = "output" + (ending.map { $0.isEmpty ? "" : ".\($0)" } ?? "")
    let choice = try RenderCommand.parsed(options + ["--output=\(name)", "--", "input"]).choice()
    let output = try ending == nil ? choice.output(from: input) : choice.output(name)
    let files = choice.files(of: output)
    return RenderForm(
      ending: files.fileExtension,
      endpoint: (output.rendition?.endpoint ?? .channels()).kind.rawValue,
      isCopy: output.isCopy, isAlbum: choice.isAlbum, decodeKey: try choice.decodeKey(),
      files: { files.possibleFiles(of: $0) })
  }

  func prepare(_ arguments: [RenderWords]) throws -> PreparedRender<RenderRequest> {
    let parts = try arguments.map { try commands.requests($0) }
    let requests = parts.flatMap(\.requests)
    guard var request = requests.first, requests.count == arguments.count,
      requests.allSatisfy({ $0.clips == request.clips && $0.policy == request.policy })
    else {
      throw MediaError(.internal, "the outputs of a batch's item don't share a decode")
    }
    request.outputs = requests.flatMap(\.outputs)
    for decision in requests.flatMap(\.decisions) where !request.decisions.contains(decision) {
      request.decisions.append(decision)
    }
    try request.validate()
    // A forbidden path must be refused before its content is read for the digest.
    for clip in request.clips {
      guard case .file(let path) = clip.input, WebAddress(path) == nil else { continue }
      try clip.decoding.bounds.admit(path)
    }
    let identity = try RequestIdentity(request)
    return PreparedRender(
      job: request, text: identity.text,
      companions: identity.companions + parts.compactMap(\.trajectory))
  }

  func digest(source: String) throws -> SourceDigest {
    if WebAddress(source) != nil { return SourceDigest(file: nil, whole: nil) }
    let file = try FileDigest.ofFile(source).sha256
    do {
      // The result of a queue follows the files that it names.
      if let queue = try QueueContents(of: Clip(.file(source))) {
        let parts = try queue.files.map { try FileDigest.ofFile($0).sha256 }
        return SourceDigest(file: file, whole: FileDigest.of([file] + parts))
      }
    } catch {
      return SourceDigest(file: file, whole: nil)
    }
    let lower = source.lowercased()
    guard lower.hasSuffix(".m3u8") || lower.hasSuffix(".m3u"),
      let data = FileManager.default.contents(atPath: source),
      PlaylistLine.beginsPlaylist(data.prefix(PlaylistLine.headLength))
    else { return SourceDigest(file: file, whole: file) }
    // A playlist's content includes its local files. Parts that it gets from the network, encrypts or
    // leaves to a choice of streams have no fixed content.
    let text = String(decoding: data, as: UTF8.self)
    guard !["://", "#EXT-X-KEY", "#EXT-X-STREAM-INF"].contains(where: { text.contains($0) }) else {
      return SourceDigest(file: file, whole: nil)
    }
    let input = try MediaInput(path: source, log: DiagnosticLog())
    let parts = try input.localFiles.map { try FileDigest.ofFile($0).sha256 }
    return SourceDigest(file: file, whole: FileDigest.of([file] + parts))
  }

  func render(
    _ job: RenderRequest, overwrite: Bool, progress: @escaping @Sendable (WorkProgress) -> Void
  ) async throws(EngineFailure) -> RenderReport {
    var job = job
    job.policy.overwrite = overwrite
    do throws(RenderFailure) {
      return try await RenderPipeline(environment).render(job) {
        progress(WorkProgress($0))
      }
    } catch { throw RenderEngine.failure(error) }
  }

  func renderAlbum(
    _ jobs: [RenderRequest], overwrite: Bool, progress: @escaping @Sendable (WorkProgress) -> Void
  ) async throws(EngineFailure) -> [RenderReport] {
    let jobs = jobs.map { job in
      var job = job
      job.policy.overwrite = overwrite
      return job
    }
    do throws(RenderFailure) {
      return try await RenderPipeline(environment).renderAlbum(jobs) {
        progress(WorkProgress($1))
      }
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
        .usage, about: id,
        "a golden is held against one render, not \(reports.count); leave outputs out")
    }
    var outcome = try GoldenObserver().outcome(of: report, input: source, folder: ".")
    guard !expected.outputs.contains(where: { $0.container == ContainerTraits.hls.token }) else {
      throw MediaError(
        .unsupportedFeature, about: id, "a golden of HLS names its files; use pinna golden verify")
    }
    // The golden's output has another name than the batch's.
    if outcome.outputs.count == 1, expected.outputs.count == 1 {
      outcome.outputs[0].name = expected.outputs[0].name
    }
    let result = GoldenComparator(
      golden: golden, expected: expected, current: GoldenObserver.recording(commit: nil)
    ).compare(outcome)
    return ItemReport.Golden(id: id, failures: result.failures, notes: result.notes)
  }

  private static func golden(_ folder: String) throws -> (GoldenFolder, String) {
    var bytes = Array(folder.utf8)
    while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    let path = String(decoding: bytes, as: UTF8.self)
    return (GoldenFolder(path: PathParts.folder(of: path)), PathParts.split(path).name)
  }

  private static func failure(_ failure: RenderFailure) -> EngineFailure {
    EngineFailure(failure.error, report: failure.report)
  }
}

/// Parsed arguments of `render`, by their options: items of a batch that differ in nothing but their names are parsed
/// once, because parsing takes longer than finding out that an item is done already.
final class ParsedCommands: Sendable {
  /// Most options that are remembered; a manifest can give each item its own.
  private static let most = 64

  private let known = Mutex<[[PathName]: RenderCommand]>([:])

  /// The requests that `words` ask for, and the head trajectory that they name.
  /// - Throws: ``MediaError`` of kind `usage` or `unsupportedFeature`.
  func requests(_ words: RenderWords) throws -> (requests: [RenderRequest], trajectory: String?) {
    // Options hold paths, such as those of HRTF sets.
    let key = words.options.map(PathName.init)
    return try known.withLock { known in
      var command: RenderCommand
      if let found = known[key] {
        command = found
      } else {
        command = try RenderCommand.parsed(words.options + ["--output=output"])
        if known.count >= ParsedCommands.most { known = [:] }
        known[key] = command
      }
      command.output = words.output
      command.inputs = [words.source]
      return (try command.requests(command.choice()), command.listener.trajectory)
    }
  }
}

extension WorkProgress {
  init(_ progress: RenderProgress) {
    self.init(
      pass: progress.pass, done: progress.done, total: progress.total,
      rate: progress.sampleRate, fraction: progress.fraction)
  }
}
