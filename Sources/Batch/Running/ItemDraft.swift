// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Essentials
import Platform
import Report

/// An item while a worker processes it.
struct ItemDraft<Engine: BatchEngine> {
  let item: BatchItem
  /// Its result so far.
  var report: ItemReport
  /// The parsed renders.
  private(set) var prepared: [PreparedRender<Engine.Job>] = []
  /// Why it failed.
  private(set) var failure: MediaError?
  /// Whether files that are there may be replaced.
  private(set) var mayOverwrite = false
  /// Seconds its renders took.
  var renderSeconds = 0.0

  private let engine: Engine
  private var identity: [Int]?
  /// Files that existed at the outputs' names before the work began.
  private var before: [PathName: [UInt64]] = [:]
  /// Files that earlier runs of this item wrote.
  private var own: PathSet = []

  init(item: BatchItem, engine: Engine) {
    self.item = item
    self.engine = engine
    report = ItemReport(id: item.id, input: item.input, job: item.job)
  }

  /// Parses the renders and works out the key.
  mutating func prepare(spoolMemory: Int) {
    do {
      prepared = try item.renders.map {
        try engine.prepare($0.arguments(source: item.source, spoolMemory: spoolMemory))
      }
      identity = ItemDraft.identity(item.source)
      let digest = try engine.digest(source: item.source)
      report.inputSHA256 = digest.file
      guard let whole = digest.whole else { return }
      var parts = [report.schema] + engine.versions + [whole]
      for render in prepared {
        parts.append(render.text)
        for companion in render.companions {
          parts.append(try FileDigest.ofFile(companion).sha256)
        }
      }
      if let golden = item.golden { parts.append(try engine.goldenDigest(golden)) }
      report.key = FileDigest.of(parts)
    } catch { fail(error) }
  }

  /// Why the work must be done; `nil` when an earlier run has done it and all files are as it left them.
  func reasonToWork(old: ItemReport?) -> String? {
    guard let old else { return "new" }
    guard old.isDone else {
      return old.status == .error ? "it failed before" : "it wasn't finished before"
    }
    guard let key = report.key else {
      return failure == nil ? "its input can't be pinned down" : "its input can't be read"
    }
    guard old.key == key else {
      return old.inputSHA256 == report.inputSHA256
        ? "other options, names, versions or side files" : "another input"
    }
    for file in old.files {
      guard let found = try? FileDigest.ofFile(file.path) else { return "\(file.path) is missing" }
      if found.sha256 != file.sha256 { return "\(file.path) was changed" }
    }
    return nil
  }

  /// The result of an earlier run, with the input's present name.
  func adopted(_ old: ItemReport) -> ItemReport {
    var result = old
    result.input = report.input
    result.job = report.job
    for index in result.reports.indices { result.reports[index].renameInput(item.source) }
    return result
  }

  /// Finds out which files may be replaced: those that an earlier run of this item wrote.
  mutating func claim(old: ItemReport?, overwrite: Bool) {
    mayOverwrite = overwrite
    own = PathSet((old?.files.map(\.path) ?? []) + (old?.stale ?? []))
    for path in item.files.flatMap({ ItemDraft.content($0) }) {
      before[PathName(path)] = FolderListing.identity(path)
    }
    guard failure == nil else { return }
    let outputs = item.renders.flatMap(\.outputs)
    if let folder = outputs.first(where: { FolderListing.kind($0, followingLinks: true) == .folder }
    ) {
      return fail(
        MediaError(.outputUnwritable, about: folder, "is a folder; give the output another name"))
    }
    let present = before.keys.sorted().map(\.text)
    if let foreign = present.first(where: { !isOwn($0) }), !overwrite {
      return fail(
        OutputPlace(foreign, overwrite: false)
          .taken(" and isn't this batch's", remedy: "move it away, or "))
    }
    if !present.isEmpty { mayOverwrite = true }
    for folder in PathSet(item.files.map { PathParts.folder(of: $0) }) {
      let code = FolderListing.make(folder)
      guard code == 0 else {
        return fail(
          MediaError(
            .outputUnwritable, about: folder,
            "the folder can't be made (\(String(cString: strerror(code))))"))
      }
    }
  }

  /// The note that the work has begun. From now on files at these names belong to this batch, even
  /// if it is killed before it can write a result.
  var claimed: ItemReport {
    var note = ItemReport(id: report.id, input: report.input, job: report.job)
    note.stale = own.union(item.files).sorted()
    return note
  }

  /// The note after an orderly stop: only files that are there are this batch's.
  var released: ItemReport {
    var note = claimed
    note.stale = note.stale?.filter { FolderListing.kind($0, followingLinks: false) != nil }
    return note
  }

  /// Notes a failure.
  mutating func fail(_ error: any Error) {
    if let failed = error as? EngineFailure {
      if let partial = failed.report { report.reports.append(partial) }
      failure = failed.error
    } else {
      failure = error as? MediaError ?? MediaError(.internal, about: item.input, "\(error)")
    }
  }

  /// Makes sure that the input hasn't changed, and compares the outputs with the golden.
  mutating func conclude() {
    guard failure == nil else { return }
    guard ItemDraft.identity(item.source) == identity else {
      return fail(
        MediaError(
          .inputUnreadable, about: item.input, "was changed while it was rendered; run it again"))
    }
    do {
      if let golden = item.golden {
        let result = try engine.compare(report.reports, source: item.source, golden: golden)
        report.golden = result
        if let first = result.failures.first {
          fail(
            MediaError(
              .verificationFailed, about: item.input, "isn't like golden \(result.id): \(first)"))
        }
      }
    } catch { fail(error) }
  }

  /// The result.
  func finished() -> ItemReport {
    var result = report
    result.files = written()
    let left = own.subtracting(result.files.map(\.path)).filter {
      FolderListing.kind($0, followingLinks: false) == .file
    }
    result.stale = left.isEmpty ? nil : left.sortedAsNames()
    for index in result.reports.indices { result.reports[index].performance = nil }
    if let failure {
      result.fail(kind: failure.kind.rawValue, exit: failure.exitCode, message: failure.message)
    } else {
      let kinds = Set(result.reports.map(\.status))
      result.status =
        kinds.count == 1 ? ItemReport.Status(rawValue: kinds.first?.rawValue ?? "") ?? .ok : .ok
    }
    return result
  }

  /// Files of finished renders. Outputs are renamed into place, so a file that was written is never
  /// the one that was there before.
  private func written() -> [ItemReport.File] {
    let outputs = PathSet(
      report.reports.filter { $0.status != .error }.flatMap(\.outputs).map(\.path))
    let finished = item.renders.filter { $0.outputs.contains { isWritten($0, outputs) } }
    let paths = finished.flatMap { $0.files.sortedAsNames().flatMap { ItemDraft.content($0) } }
    return paths.compactMap { path in
      guard FolderListing.identity(path) != before[PathName(path)],
        let found = try? FileDigest.ofFile(path)
      else { return nil }
      return ItemReport.File(path: path, bytes: found.bytes, sha256: found.sha256)
    }
  }

  /// Whether an earlier run of this item wrote the file, or was about to.
  private func isOwn(_ path: String) -> Bool {
    own.contains(path) || own.contains(PathParts.folder(of: path))
  }

  /// The file at `path`, or the files in the folder there; segments lie in one.
  private static func content(_ path: String) -> [String] {
    switch FolderListing.kind(path, followingLinks: false) {
    case .folder: return FolderListing.names(in: path).map { path + "/" + $0 }
    case nil: return []
    default: return [path]
    }
  }

  /// Whether the report lists the output; reports name outputs as the arguments did.
  private func isWritten(_ output: String, _ written: PathSet) -> Bool {
    written.contains(output) || written.contains("./" + output)
  }

  private static func identity(_ path: String) -> [Int]? {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    return [
      Int(facts.st_dev), Int(facts.st_ino), Int(facts.st_size), Int(facts.modified.tv_sec),
      Int(facts.modified.tv_nsec),
    ]
  }
}
