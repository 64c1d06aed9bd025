// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The outcome of one item of a batch (`pinna.item/1`). The file makes a batch resumable.
///
/// Everything but `performance` is the same for the same input, options and versions, whatever the
/// number of workers, the machine's load and how often the batch was interrupted.
public struct ItemReport: Sendable, Codable, Equatable {
  /// Outcome of an item.
  public enum Status: String, Sendable, Codable, CaseIterable {
    /// Started and not finished; some of its files may exist, but nothing is known about them.
    case started
    /// Done; the reports list any degradations.
    case ok
    /// Done, but the programme is silent: nothing was normalised.
    case silent
    /// Done; the programme was within the threshold of its target, so its level wasn't changed.
    case unchanged
    /// Failed; see `error`.
    case error
  }

  /// A file that was written.
  public struct File: Sendable, Codable, Equatable {
    /// Path relative to the batch's output folder.
    public var path: String
    /// Size in bytes.
    public var bytes: Int64
    /// SHA-256 of the file.
    public var sha256: String

    /// A file.
    package init(path: String, bytes: Int64, sha256: String) {
      self.path = path
      self.bytes = bytes
      self.sha256 = sha256
    }
  }

  /// A comparison with a golden.
  public struct Golden: Sendable, Codable, Equatable {
    /// Name of the golden.
    public var id: String
    /// Differences, as sentences; empty when everything is as recorded.
    public var failures: [String]
    /// How it was decided, where the hash didn't decide.
    public var notes: [String]

    /// A comparison.
    package init(id: String, failures: [String], notes: [String]) {
      self.id = id
      self.failures = failures
      self.notes = notes
    }
  }

  /// Cost of an item.
  public struct Performance: Sendable, Codable, Equatable {
    /// How often it was tried.
    public var attempts: Int
    /// CPU time of the last attempt, hashing included, seconds.
    public var cpuSeconds: Double
    /// Elapsed time of the last attempt, seconds.
    public var wallSeconds: Double
    /// Elapsed time of its renders alone, seconds.
    public var renderSeconds: Double
    /// Largest resident set of its worker so far, MiB.
    public var peakRSSMiB: Double

    /// A cost.
    package init(
      attempts: Int, cpuSeconds: Double, wallSeconds: Double, renderSeconds: Double,
      peakRSSMiB: Double
    ) {
      self.attempts = attempts
      self.cpuSeconds = cpuSeconds
      self.wallSeconds = wallSeconds
      self.renderSeconds = renderSeconds
      self.peakRSSMiB = peakRSSMiB
    }
  }

  /// The schema's name and version.
  package static let schemaName = "pinna.item/1"

  /// Always `pinna.item/1`.
  public var schema = ItemReport.schemaName
  /// Its id in the batch.
  public var id: String
  /// The input as the manifest or folder names it.
  public var input: String
  /// Digest of the order: input name, options, output names.
  public var job: String
  /// Digest of everything the outputs depend on; `nil` when that includes something without a fixed
  /// content, such as a URL, or when the input couldn't be read.
  public var key: String?
  /// SHA-256 of the input file.
  public var inputSHA256: String?
  /// Outcome.
  public var status: Status
  /// Exit code that `pinna render` would have had.
  public var exit: Int32 = 0
  /// Failure; `nil` when there was none.
  public var error: RenderReport.Failure?
  /// Files that were written.
  public var files: [File] = []
  /// Files of an earlier run that still exist although this run failed.
  public var stale: [String]?
  /// Reports of its renders, without their cost.
  public var reports: [RenderReport] = []
  /// Comparison with a golden, if one was wanted.
  public var golden: Golden?
  /// Standard error of its worker, the last 8 KiB.
  public var stderr: String?
  /// Cost.
  public var performance: Performance?

  /// An item that has just been started.
  package init(id: String, input: String, job: String) {
    self.id = id
    self.input = input
    self.job = job
    status = .started
  }

  /// Whether it finished without a failure.
  public var isDone: Bool { status != .started && status != .error }

  /// Makes this the report of a failure.
  package mutating func fail(kind: String, exit: Int32, message: String) {
    status = .error
    self.exit = exit
    error = RenderReport.Failure(kind: kind, message: message)
  }
}
