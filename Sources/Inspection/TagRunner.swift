// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness
import Platform
import Rendering
import Report
import Tagging

/// Measures files several at once, and writes their tags, one album after another.
package struct TagRunner: Sendable {
  /// A failure of one file of a group, which keeps the others from their tags.
  private struct GroupFailure: Error {
    let index: Int
    let error: MediaError
  }

  private let tagger: LoudnessTagger
  private let limit: Int
  private let tell: @Sendable (MediaError) -> Void

  /// A runner that measures up to `limit` files at once and hands each failure to `tell` when it happens.
  package init(
    _ tagger: LoudnessTagger, limit: Int, tell: @escaping @Sendable (MediaError) -> Void
  ) {
    self.tagger = tagger
    self.limit = limit
    self.tell = tell
  }

  /// Tags all files. One that can't be measured leaves its album without tags; one that can't be written leaves the others theirs.
  /// - Returns: what became of those that were begun, in the order of `files` or of their folders, and the exit code: that of the
  ///   first failure, or the one of `interrupted`.
  package func run(_ files: [String]) async -> ([TagReport], Int32) {
    let groups = groups(files)
    // An album measures its files at once by itself.
    let done = await AtOnce.run(groups.count, limit: tagger.isAlbum ? 1 : limit) {
      await tag(groups[$0])
    }
    let ended = done.compactMap(\.self).flatMap(\.self)
    let codes = ended.compactMap { $0.error?.exitCode }
    let stopped = MediaError(.interrupted, "").exitCode
    let isStopped = done.contains { $0 == nil } || codes.contains(stopped)
    return (ended.map(\.report), isStopped ? stopped : codes.first ?? 0)
  }

  /// Files that get their tags together: those of a folder where albums are wanted, else each by itself.
  private func groups(_ files: [String]) -> [[String]] {
    guard tagger.isAlbum else { return files.map { [$0] } }
    var order: [[UInt64]] = []
    var folders: [[UInt64]: [String]] = [:]
    for file in files {
      let folder = FilePlace.identity(PathParts.folder(of: file)) ?? []
      if folders[folder] == nil { order.append(folder) }
      folders[folder, default: []].append(file)
    }
    return order.compactMap { folders[$0] }
  }

  private typealias Ended = (report: TagReport, error: MediaError?)

  private func tag(_ files: [String]) async -> [Ended] {
    if tagger.removes {
      return files.map { file in ended(file) { try tagger.write(.none, into: file) } }
    }
    do throws(GroupFailure) {
      return write(files, try await measure(files))
    } catch {
      return files.indices.map { index in
        guard index != error.index else { return ended(files[index]) { throw error.error } }
        let other = MediaError(
          error.error.kind, about: files[index],
          "gets no tags, because \(files[error.index]) of its album can't be measured")
        return (TagReport(files[index], failed: other), other)
      }
    }
  }

  private func write(_ files: [String], _ levels: [LoudnessTagger.Measured?]) -> [Ended] {
    let all = levels.compactMap(\.?.statistics)
    let album = tagger.isAlbum && !all.isEmpty ? LoudnessStatistics.combined(all) : nil
    return zip(files, levels).map { file, levels in
      guard let levels else { return (TagReport(path: file, state: .skipped), nil) }
      return ended(file) {
        try tagger.write(
          tagger.tags(levels.statistics, album: album), into: file,
          integrated: levels.statistics.measurement.integrated, doubts: levels.doubts)
      }
    }
  }

  /// Runs `body` for one file, and names its failure.
  private func ended(_ file: String, _ body: () throws -> TagReport) -> Ended {
    do { return (try body(), nil) } catch {
      let failure = error as? MediaError ?? MediaError(.internal, "\(error)")
      tell(failure)
      return (TagReport(file, failed: failure), failure)
    }
  }

  /// Measures files. Of an album, all are measured unless all have their tags.
  private func measure(
    _ files: [String]
  ) async throws(GroupFailure) -> [LoudnessTagger.Measured?] {
    var skipped: [Bool] = []
    for index in files.indices {
      skipped.append(try TagRunner.named(index) { try tagger.skips(files[index]) })
    }
    let isDone = skipped.allSatisfy(\.self)
    let isLeft = tagger.isAlbum ? skipped.map { _ in isDone } : skipped
    return try await AtOnce.run(files.count, limit: limit) { index throws(GroupFailure) in
      try TagRunner.named(index) { isLeft[index] ? nil : try tagger.measure(files[index]) }
    }.map { $0 ?? nil }
  }

  private static func named<Value>(
    _ index: Int, _ body: () throws -> Value
  ) throws(GroupFailure) -> Value {
    do { return try body() } catch {
      let failure = error as? MediaError ?? MediaError(.internal, "\(error)")
      throw GroupFailure(index: index, error: failure)
    }
  }
}

extension TagReport {
  fileprivate init(_ path: String, failed error: MediaError) {
    self.init(path: path, state: .failed)
    self.error = RenderReport.Failure(kind: error.kind.rawValue, message: error.message)
  }
}

/// Work on many files, some of them at once.
package enum AtOnce {
  /// Runs `body` for the numbers below `count`, each on a thread of its own, up to `limit` at once. After a failure, and when the
  /// task is cancelled, no more begin.
  /// - Returns: what each gave; `nil` for those that weren't begun.
  /// - Throws: the first failure, once those at work have ended.
  package static func run<Value: Sendable, Failure: Error>(
    _ count: Int, limit: Int,
    _ body: @escaping @Sendable (Int) async throws(Failure) -> Value
  ) async throws(Failure) -> [Value?] {
    typealias Outcome = (Int, Result<Value, Failure>)
    let (values, failure) = await withTaskGroup(of: Outcome.self) { group -> ([Value?], Failure?) in
      var values = [Value?](repeating: nil, count: count)
      var failure: Failure?
      var waiting = (0..<count)[...]
      var running = 0
      while true {
        while running < limit, failure == nil, !Task.isCancelled, let index = waiting.popFirst() {
          running += 1
          group.addTask(executorPreference: JobExecutor()) {
            do throws(Failure) { return (index, .success(try await body(index))) } catch {
              return (index, .failure(error))
            }
          }
        }
        guard let (index, result) = await group.next() else { return (values, failure) }
        running -= 1
        switch result {
        case .success(let value): values[index] = value
        case .failure(let error):
          failure = failure ?? error
          group.cancelAll()
        }
      }
    }
    if let failure { throw failure }
    return values
  }
}
