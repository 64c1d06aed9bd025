// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Batch
import Essentials
import Rendering
import Report

/// `pinna batch`.
struct BatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Render many files in parallel; a second run does only what is missing or changed.",
    discussion: """
      Give a manifest, a folder or --input-list, and the options of render. Options on the command line apply to all \
      files; they override a manifest's defaults, and its jobs override them. Each job runs in a \
      worker process; one that crashes or hangs fails alone. Results lie in OUTPUT-FOLDER/.pinna. \
      Exit code 10: some failed, each with its own code in the report; 75: the disk is full, and the next run goes on.
      """)

  @OptionGroup var source: BatchSourceArguments
  @OptionGroup(title: "Run") var run_: BatchRunArguments
  @OptionGroup(title: "Reports") var reports: BatchReportArguments
  @OptionGroup(title: "Input") var input: InputArguments
  @OptionGroup(title: "Render") var render: RenderArguments
  @OptionGroup(title: "Listener") var listener: ListenerArguments

  mutating func run() async throws {
    let limits = try run_.limits()
    let shard = try run_.part()
    let style = try run_.progress.value(.progress)
    let plan = try BatchFaultText.telling { try source.plan(input, render, listener) }
    let items = plan.items(of: shard)
    if run_.dryRun { return Terminal.output(BatchTable.plan(plan, items, shard: shard)) }
    if !reports.quiet, style != .ndjson {
      if let numbers = BatchTable.numbers(of: plan) {
        Terminal.show([LabelledLine(label: "numbered:", text: numbers)])
      }
    }
    let lock = try FolderLock(root: plan.root, shard: shard)
    try reports.check(plan, count: items.count, overwrite: render.overwrite)
    let display = BatchDisplay(
      style: style, isQuiet: reports.quiet, total: items.count, workers: limits.workers)
    var options = BatchRunner.Options()
    options.overwrite = render.overwrite
    options.failFast = run_.failFast
    options.rights = BatchSandbox(run_.sandbox, root: plan.root).policy(for: items)
    let stop = BatchStop()
    let order = BatchOrder(
      plan: plan, items: items, limits: limits, options: options, lock: lock, stop: stop)
    let watch = InterruptWatch { stop.request() }
    let start = ProgressDisplay.now
    display.begin(plan, shard: shard)
    let ledger = EntryLedger(items: items)
    try await withTaskExecutorPreference(JobExecutor()) { try order.run(display, into: ledger) }
    display.finish()
    let wall = ((ProgressDisplay.now - start) * 1000).rounded() / 1000
    var outcome = try ledger.outcome(of: plan, version: PinnaVersion.text, shard: shard)
    outcome.head.performance = BatchReport.Performance(
      wallSeconds: wall, workers: min(limits.workers, max(1, items.count)))
    if stop.isRequested, outcome.head.counts.stopped > 0 { outcome.head.exit = watch.exitCode }
    // More space cures it, and the next run goes on from here.
    if outcome.head.exit == BatchReport.failed, try outcome.endedForSpace() {
      outcome.head.exit = BatchReport.passing
    }
    if let shard {
      // With this code the engine that started the shard starts it again.
      if outcome.head.exit == BatchReport.failed, try outcome.mayPass() {
        outcome.head.exit = BatchReport.passing
      }
      try ShardRecord(shard: shard, plan: plan, entries: outcome.entries).write(root: plan.root)
    }
    try reports.publish(outcome, root: plan.root)
    if style != .ndjson {
      try BatchTable.show(outcome, isQuiet: reports.quiet, wereFailuresTold: true)
    } else {
      display.end(outcome.head)
    }
    if outcome.head.exit != 0 { throw ExitStatus(code: outcome.head.exit) }
  }
}

struct BatchRunArguments: ParsableArguments {
  @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "Only say what would be done.")
  var dryRun = false
  @Option(
    name: [.customShort("j")],
    help: ArgumentHelp("Files rendered at once (default max: one a core).", valueName: "N|N%|max"))
  var jobs = "max"
  @Option(
    help: ArgumentHelp(
      "Rendered audio held in memory by all jobs together (default 8M a job).", valueName: "size"))
  var maxMemory: Given<Int>?
  @Option(
    help: ArgumentHelp(
      "Memory a job may take (default: its share of the machine's, 256M to 2G).", valueName: "size")
  )
  var jobMemory: Given<Int>?
  @Option(help: ArgumentHelp("Time a job may take, as 90s or 10:00.", valueName: "time"))
  var jobTimeout: String?
  @Option(
    help: ArgumentHelp(
      "Times a job is tried again after an error that may pass (code 75).", valueName: "n"))
  var retry = 0
  @Flag(help: "Begin nothing more after the first failure.") var failFast = false
  @Option(help: ArgumentHelp("Do only this part of the batch, from 1/n to n/n.", valueName: "i/n"))
  var shard: String?
  @Option(
    help: ArgumentHelp(
      "Do one of n parts: the one a cluster says by SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or "
        + "AWS_BATCH_JOB_ARRAY_INDEX.", valueName: "n"))
  var shards: Int?
  @OptionGroup var sandbox: SandboxArguments
  @Option(help: "Progress on stderr: auto, none or ndjson.") var progress = Given(
    ProgressDisplay.Style.auto)

  /// Limits of the batch and its workers.
  func limits() throws -> BatchLimits {
    let workers = try BatchRunArguments.workers(jobs)
    guard (0...100).contains(retry) else {
      throw MediaError(.usage, "--retry \(retry): give 0 to 100")
    }
    let memory = try jobMemory?.bytes(of: "--job-memory")
    if let memory, memory < BatchLimits.leastJobMemory {
      throw MediaError(
        .usage,
        "--job-memory \(jobMemory?.text ?? ""): a job needs at least "
          + "\(BatchLimits.leastJobMemory >> 20)M")
    }
    return BatchLimits(
      workers: workers,
      spoolMemory: try maxMemory?.bytes(.spoolMemory) ?? workers * 8 << 20,
      jobSeconds: try jobTimeout.map { try BatchRunArguments.seconds($0) },
      jobMemory: memory ?? BatchLimits.usualJobMemory(workers: workers),
      retries: retry)
  }

  /// The shard to do; `nil` for the whole batch.
  func part() throws -> Shard? {
    guard shard == nil || shards == nil else {
      throw MediaError(.usage, "--shard and --shards: choose one")
    }
    if let shard { return try Shard(shard) }
    return try shards.map {
      try Shard(count: $0, environment: ProcessInfo.processInfo.environment)
    }
  }

  private static func workers(_ text: String) throws -> Int {
    let cores = max(1, ProcessInfo.processInfo.activeProcessorCount)
    if text == "max" { return cores }
    if text.hasSuffix("%"), let percent = Int(text.dropLast()), (1...1000).contains(percent) {
      return max(1, cores * percent / 100)
    }
    guard let count = Int(text), (1...1024).contains(count) else {
      throw MediaError(
        .usage, "-j \(text): give 1 to 1024, a part of the cores as 50%, or max")
    }
    return count
  }

  private static func seconds(_ text: String) throws -> Double {
    guard case .clock(let spec) = try TimeSpec(text, option: "--job-timeout"), spec.ticks > 0 else {
      throw MediaError(.usage, "--job-timeout \(text): give a time such as 90s or 10:00")
    }
    return Double(spec.ticks) / Double(spec.rate)
  }
}

/// A batch with everything it needs to run on another thread.
struct BatchOrder: Sendable {
  let plan: BatchPlan
  let items: [BatchItem]
  let limits: BatchLimits
  let options: BatchRunner.Options
  let lock: FolderLock
  let stop: BatchStop

  /// Runs it; blocks until it is done. `ledger` takes the entries of the items.
  func run(_ display: BatchDisplay, into ledger: EntryLedger) throws {
    try BatchRunner(
      plan: plan, items: items, ledger: ledger, limits: limits, options: options, lock: lock,
      observer: display, stop: stop
    ).run()
  }
}

/// `pinna merge`.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract:
      "Join the results of a batch's shards into one report; exit 10 names what is missing.",
    discussion:
      "Give the same manifest, folder or list, and the same options, as to pinna batch --shard.")

  @OptionGroup var source: BatchSourceArguments
  @Option(help: "How many shards there must be (default: as many as their records say).")
  var shards: Int?
  @OptionGroup(title: "Reports") var reports: BatchReportArguments
  @OptionGroup(title: "Input") var input: InputArguments
  @OptionGroup(title: "Render") var render: RenderArguments
  @OptionGroup(title: "Listener") var listener: ListenerArguments

  func run() throws {
    if let shards { _ = try Shard(index: 1, count: shards) }
    let plan = try BatchFaultText.telling { try source.plan(input, render, listener) }
    try reports.check(plan, count: plan.items.count, overwrite: render.overwrite)
    let outcome = try BatchMerge(plan: plan, version: PinnaVersion.text).outcome(shards: shards)
    try reports.publish(outcome, root: plan.root)
    try BatchTable.show(outcome, isQuiet: reports.quiet, wereFailuresTold: false)
    if outcome.head.exit != 0 { throw ExitStatus(code: outcome.head.exit) }
  }
}
