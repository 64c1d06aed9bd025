// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// How a batch ended (`pinna.batch/1`).
public struct BatchReport: Sendable, Codable, Equatable {
  /// Outcome of an item in this run.
  public enum Status: String, Sendable, Codable, CaseIterable {
    /// Done, perhaps with degradations.
    case ok
    /// Done, but the programme is silent.
    case silent
    /// Done; the level was left unchanged.
    case unchanged
    /// Failed.
    case error
    /// Not started or not finished, because the run was stopped.
    case stopped
    /// Has no result (only `pinna merge`).
    case missing
  }

  /// One item.
  public struct Entry: Sendable, Codable, Equatable {
    /// Its id.
    public var id: String
    /// The input as the manifest or folder names it.
    public var input: String
    /// Outcome.
    public var status: Status
    /// Whether the result is from an earlier run.
    public var cached: Bool
    /// Exit code that `pinna render` would have had.
    public var exit: Int32
    /// Failure; `nil` when there was none.
    public var error: RenderReport.Failure?
    /// Files that were written, relative to the output folder.
    public var files: [ItemReport.File]
    /// Kinds of degradations, each with how often it occurs.
    public var degradations: [String: Int]
    /// Levels of input and first output.
    public var loudness: Loudness?
    /// Comparison with a golden, if one was wanted.
    public var golden: ItemReport.Golden?
    /// Standard error of its worker.
    public var stderr: String?
    /// Cost, in the run that did the work.
    public var performance: ItemReport.Performance?
    /// The file with the item's full report, relative to the output folder.
    public var result: String

    /// An item with this status and nothing else known about it.
    package init(id: String, input: String, status: Status, result: String) {
      self.id = id
      self.input = input
      self.status = status
      self.result = result
      cached = false
      exit = 0
      files = []
      degradations = [:]
    }

    /// An item with the outcome that its own report has.
    package init(_ report: ItemReport, cached: Bool, result: String) {
      self.init(
        id: report.id, input: report.input,
        status: Status(rawValue: report.status.rawValue) ?? .stopped,
        result: result)
      self.cached = cached
      exit = report.exit
      error = report.error
      files = report.files
      golden = report.golden
      stderr = report.stderr
      performance = report.performance
      for entry in report.reports.flatMap(\.degradations) {
        degradations[entry.code.rawValue, default: 0] += 1
      }
      loudness = report.reports.first?.loudness.map {
        Loudness(
          input: $0.input.integrated, output: $0.output.integrated, gainDB: $0.gainDB,
          truePeak: $0.output.truePeak)
      }
    }

    /// The classes of its degradations.
    public var classes: Set<DegradationClass> {
      Set(degradations.keys.compactMap { DegradationCode(rawValue: $0)?.degradationClass })
    }

    /// Whether its outputs were made.
    public var isDone: Bool { [.ok, .silent, .unchanged].contains(status) }
  }

  /// Levels before and after.
  public struct Loudness: Sendable, Codable, Equatable {
    /// Integrated loudness of the input, LUFS.
    public var input: Double?
    /// Integrated loudness of the first output, LUFS.
    public var output: Double?
    /// Gain of the first output, dB.
    public var gainDB: Double?
    /// True peak of the first output, dBTP.
    public var truePeak: Double?

    /// The levels of an item.
    package init(input: Double?, output: Double?, gainDB: Double? = nil, truePeak: Double? = nil) {
      self.input = input
      self.output = output
      self.gainDB = gainDB
      self.truePeak = truePeak
    }
  }

  /// Numbers of items.
  public struct Counts: Sendable, Codable, Equatable {
    /// All.
    public var total = 0
    /// Done, by this run or an earlier one.
    public var done = 0
    /// Of those, done by an earlier run.
    public var cached = 0
    /// Done, but with degradations.
    public var degraded = 0
    /// Of those, with degradations of the class `damage`.
    public var damage = 0
    /// Of those, with degradations of the class `doubt`.
    public var doubt = 0
    /// Of those, with degradations of the class `level`.
    public var level = 0
    /// Of those, with degradations of the class `loss`.
    public var loss = 0
    /// Failed.
    public var failed = 0
    /// Not started or not finished.
    public var stopped = 0
    /// Without a result.
    public var missing = 0

    /// None.
    package init() {}

    /// Items that are done, but with degradations of the class.
    public subscript(found: DegradationClass) -> Int {
      get { self[keyPath: Counts.place(found)] }
      set { self[keyPath: Counts.place(found)] = newValue }
    }

    private static func place(_ found: DegradationClass) -> WritableKeyPath<Counts, Int> {
      switch found {
      case .damage: return \.damage
      case .doubt: return \.doubt
      case .level: return \.level
      case .loss: return \.loss
      }
    }

    /// Counts one more.
    package mutating func add(_ entry: Entry) {
      total += 1
      if entry.isDone { done += 1 }
      if entry.cached { cached += 1 }
      if entry.isDone, !entry.degradations.isEmpty {
        degraded += 1
        for found in entry.classes { self[found] += 1 }
      }
      switch entry.status {
      case .error: failed += 1
      case .stopped: stopped += 1
      case .missing: missing += 1
      case .ok, .silent, .unchanged: break
      }
    }
  }

  /// Cost of the run.
  public struct Performance: Sendable, Codable, Equatable {
    /// Elapsed time, seconds.
    public var wallSeconds: Double
    /// Worker processes.
    public var workers: Int

    /// A cost.
    package init(wallSeconds: Double, workers: Int) {
      self.wallSeconds = wallSeconds
      self.workers = workers
    }
  }

  /// The schema's name and version.
  package static let schemaName = "pinna.batch/1"

  /// Always `pinna.batch/1`.
  public var schema = BatchReport.schemaName
  /// The manifest or folder.
  public var source: String
  /// Digest of all ids, inputs, options and output names.
  public var manifest: String
  /// Version of Pinna.
  public var pinna: String
  /// The shard, as `i/n`; `nil` for the whole.
  public var shard: String?
  /// Exit code of the command.
  public var exit: Int32
  /// Numbers of items.
  public var counts: Counts
  /// All items, in the order of the manifest; empty where they are read one at a time.
  public var items: [Entry]
  /// Files of the folder that were left out, with the reason.
  public var skipped: [String: String]
  /// Cost; `nil` for a merge.
  public var performance: Performance?

  /// A report without its items; the exit code follows from `counts`.
  package init(
    source: String, manifest: String, pinna: String, shard: String?, counts: Counts,
    skipped: [String: String]
  ) {
    self.source = source
    self.manifest = manifest
    self.pinna = pinna
    self.shard = shard
    self.skipped = skipped
    self.counts = counts
    items = []
    exit = counts.done == counts.total ? 0 : BatchReport.failed
  }

  /// Exit code of a batch with items that aren't done.
  public static let failed: Int32 = 10

  /// Exit code of a shard whose unfinished items all failed in a way that another attempt may cure:
  /// what `pinna render` exits with then.
  public static let passing: Int32 = 75
}

/// How a batch ended: its report without the entries, and the entries, which are read one at a time.
package struct BatchOutcome {
  /// The report; its list of items is empty, but counts and exit code are those of all items.
  package var head: BatchReport
  /// All items.
  package let entries: BatchEntries

  /// An outcome.
  package init(head: BatchReport, entries: BatchEntries) {
    self.head = head
    self.entries = entries
  }

  /// The outcome that a whole report tells.
  package init(_ report: BatchReport) {
    entries = BatchEntries(report.items)
    head = report
    head.items = []
  }

  /// Whether the batch ended because a disk was full.
  /// - Throws: what reading an entry throws.
  package func endedForSpace() throws -> Bool {
    var isFull = false
    try entries.forEach { isFull = isFull || $0.error?.kind == MediaError.Kind.diskFull.rawValue }
    return isFull
  }

  /// Whether another attempt may finish the batch: all items that aren't done failed with ``BatchReport/passing``.
  /// - Throws: what reading an entry throws.
  package func mayPass() throws -> Bool {
    var mayPass = true
    try entries.forEach { entry in
      mayPass =
        mayPass && (entry.isDone || entry.status == .error && entry.exit == BatchReport.passing)
    }
    return mayPass
  }
}

/// The entries of a batch in its order, read one at a time: all entries of a large batch don't fit into memory.
package struct BatchEntries {
  /// How many there are.
  package let count: Int
  private let read: (Int) throws -> BatchReport.Entry

  /// `count` entries; `read` returns the one with a number from 0 on.
  package init(count: Int, read: @escaping (Int) throws -> BatchReport.Entry) {
    self.count = count
    self.read = read
  }

  /// Entries that are in memory.
  package init(_ entries: [BatchReport.Entry]) {
    self.init(count: entries.count) { entries[$0] }
  }

  /// The entry with this number, from 0.
  /// - Throws: what reading it throws.
  package subscript(_ number: Int) -> BatchReport.Entry {
    get throws { try read(number) }
  }

  /// Hands each entry to `body`.
  /// - Throws: what reading or `body` throws.
  package func forEach(_ body: (BatchReport.Entry) throws -> Void) throws {
    for number in 0..<count { try body(try read(number)) }
  }
}

/// The report of a batch as JSON (`pinna.batch/1`), written item by item.
package enum BatchJSON {
  /// The line of the list of items, where the report without its items has an empty list.
  private static let list = "\n  \"items\" : ["

  /// Hands the document to `write` in pieces; together they are what ``ReportJSON/pretty(_:)`` makes of the whole report.
  /// - Throws: what encoding, reading an entry or `write` throws.
  package static func write(_ outcome: BatchOutcome, to write: (String) throws -> Void) throws {
    let text = try ReportJSON.pretty(outcome.head)
    // A string in JSON holds no line break, so that this line is the report's own.
    guard outcome.entries.count > 0, let place = text.firstRange(of: list + "]") else {
      return try write(text)
    }
    try write(text[..<place.lowerBound] + list)
    var separator = "\n"
    try outcome.entries.forEach { entry in
      try write(separator + indented(try ReportJSON.pretty(entry)))
      separator = ",\n"
    }
    try write("\n  ]" + text[place.upperBound...])
  }

  /// The lines of a document, moved to where they stand in the list; the last line break is left out.
  private static func indented(_ text: String) -> String {
    text.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
  }
}
