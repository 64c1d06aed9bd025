import Platform
import Report

/// The reason why a worker didn't finish its work, in one sentence.
struct Autopsy {
  /// Stable token: `crashed`, `timeout` or `memory-limit`.
  let kind: String
  /// Exit code of the item.
  let exit: Int32 = 1
  /// What happened and what to do.
  let sentence: String
  /// The measured part of the cost.
  let performance: ItemReport.Performance

  /// Names of signals that end processes which do something wrong.
  private static let names: [Int32: String] = [
    SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE",
    SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV", SIGTERM: "SIGTERM", SIGSYS: "SIGSYS",
  ]

  /// The reason why `work` ended; `end` is the end of its worker, `nil` for a worker that stopped
  /// when it was asked to.
  init(work: RunningWork, end: WorkerProcess.End?, limits: BatchLimits) {
    let peak = end?.peakMemory ?? 0
    performance = ItemReport.Performance(
      attempts: work.attempt, cpuSeconds: 0, wallSeconds: 0, renderSeconds: 0,
      peakRSSMiB: Double(peak >> 20))
    switch work.verdict {
    case .timeout:
      kind = "timeout"
      let seconds = limits.jobSeconds.map { Autopsy.text($0) } ?? "the time it was given"
      sentence = "wasn't done after \(seconds) (--job-timeout); give it more, or look at the input"
    case .memory:
      kind = "memory-limit"
      sentence = Autopsy.memorySentence(limits)
    case .stopped, nil:
      // Swift and libav abort when memory is refused, so an abort near the limit is attributed to
      // the limit.
      if let end, end.signal != nil, end.signal != SIGKILL, peak > limits.jobMemory / 4 * 3 {
        kind = "memory-limit"
        sentence = Autopsy.memorySentence(limits)
      } else {
        kind = "crashed"
        sentence = Autopsy.crash(end)
      }
    }
  }

  /// Those of `files` that are there.
  static func present(_ files: [String]?, in root: String) -> [String]? {
    let left = (files ?? []).filter { access(LocalPath.joined(root, $0), F_OK) == 0 }
    return left.isEmpty ? nil : left
  }

  private static func memorySentence(_ limits: BatchLimits) -> String {
    "took more memory than the \(limits.jobMemory >> 20) MiB it may have (--job-memory); give it more, "
      + "or look at the input"
  }

  private static func crash(_ end: WorkerProcess.End?) -> String {
    guard let signal = end?.signal else {
      if end?.code == WorkerSetup.mute {
        return "its worker process couldn't say what became of it; run the batch again"
      }
      return
        "its worker process ended with code \(end?.code ?? 0) before it was done; this is a bug, "
        + "please report it with the input"
    }
    let name = names[signal] ?? "signal \(signal)"
    if signal == SIGKILL {
      return
        "its worker process was killed from outside (SIGKILL), perhaps because the machine ran "
        + "out of memory; lower -j or --job-memory and run again"
    }
    return "its worker process crashed (\(name)); this is a bug, please report it with the input"
  }

  private static func text(_ seconds: Double) -> String {
    seconds == seconds.rounded() && seconds.magnitude < 1e9 ? "\(Int(seconds)) s" : "\(seconds) s"
  }
}
