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
      Give a manifest, a folder or --input-list, and the options of render: on the command line they \
      hold for all files, beat a manifest's defaults and are beaten by its jobs. Each job runs in a \
      worker process; one that crashes or hangs fails alone. Results lie in OUTPUT-FOLDER/.pinna. \
      Exit code 10: some failed, each with its own code in the report.
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
    let style: ProgressDisplay.Style = try Choice.parse(run_.progress, "--progress")
    let plan = try BatchFaultText.telling { try source.plan(render, command: "batch") }
    let items = plan.items(of: shard)
    if run_.dryRun { return Terminal.output(BatchTable.plan(plan, items, shard: shard)) }
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
    if let shard {
      // With this code the engine that started the shard starts it again.
      if outcome.head.exit == BatchReport.failed, try outcome.mayPass() {
        outcome.head.exit = BatchReport.passing
      }
      try ShardRecord(shard: shard, plan: plan, entries: outcome.entries).write(root: plan.root)
    }
    try reports.publish(outcome, root: plan.root)
    if style != .ndjson {
      Terminal.error(
        try BatchTable.text(outcome, isQuiet: reports.quiet, wereFailuresTold: true))
    } else {
      display.end(outcome.head)
    }
    if outcome.head.exit != 0 { throw ExitStatus(code: outcome.head.exit) }
  }
}
