import ArgumentParser
import AudioCore
import Batch
import Essentials
import Rendering

/// How a batch runs.
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
  var maxMemory: String?
  @Option(
    help: ArgumentHelp(
      "Memory a job may take (default: its share of the machine's, 256M to 2G).", valueName: "size")
  )
  var jobMemory: String?
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
  @Option(help: "Progress on stderr: auto, none or ndjson.") var progress = "auto"

  /// What the batch and its workers may use.
  func limits() throws -> BatchLimits {
    let workers = try BatchRunArguments.workers(jobs)
    guard (0...100).contains(retry) else {
      throw MediaError(.usage, "--retry \(retry): give 0 to 100")
    }
    let memory = try jobMemory.map { try Choice.size($0, "--job-memory") }
    if let memory, memory < BatchLimits.leastJobMemory {
      throw MediaError(
        .usage,
        "--job-memory \(jobMemory ?? ""): a job needs at least "
          + "\(BatchLimits.leastJobMemory >> 20)M")
    }
    return BatchLimits(
      workers: workers,
      spoolMemory: try maxMemory.map { try Choice.size($0, "--max-memory") } ?? workers * 8 << 20,
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
