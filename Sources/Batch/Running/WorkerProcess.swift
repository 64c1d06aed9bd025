// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Essentials
import Platform
import Report

/// A worker process as the batch sees it. Used by one thread, which must outlive it: the kernel ends a
/// worker when the thread that started it ends.
final class WorkerProcess {
  /// How a worker ended.
  struct End {
    /// The signal that ended it; `nil` when it exited.
    let signal: Int32?
    /// Its exit code.
    let code: Int32
    /// Its largest resident set, bytes.
    let peakMemory: Int
  }

  /// Bytes of standard error that are kept of one request.
  private static let mostErrors = 8 << 10

  let isDeterministic: Bool
  let pid: pid_t
  /// Number of the place it works at, from 0.
  let place: Int
  /// Descriptor of its replies; readable when there are some.
  let replies: Int32
  /// Descriptor of its standard error.
  let errors: Int32
  var work: RunningWork?

  private let requests: Int32
  private var lines = LineReader()
  private var errorBytes: [UInt8] = []
  private var hasEnded = false

  /// Starts a worker; `lock` stays open in it. The worker keeps to `rights`, where there are some.
  /// - Throws: ``MediaError`` of kind `outOfResources`.
  init(setup: WorkerSetup, place: Int, lock: Int32, rights: WorkerRights?) throws {
    let pipes = try WorkerPipes()
    pid = try pipes.start(setup.arguments, lock: lock, rights: rights)
    requests = pipes.requests.write
    replies = pipes.replies.read
    errors = pipes.errors.read
    pipes.closeChildEnds()
    for descriptor in [replies, errors] {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
    isDeterministic = setup.isDeterministic
    self.place = place
  }

  deinit {
    if !hasEnded {
      kill(pid, SIGKILL)
      _ = end()
    }
    close(replies)
    close(errors)
  }

  /// Hands it a request.
  /// - Returns: whether it took it.
  func send(_ request: WorkRequest) -> Bool {
    errorBytes = []
    guard let line = try? ReportJSON.line(request) else { return false }
    return DescriptorText.write(line + "\n", to: requests)
  }

  /// Its replies since the last call; `nil` when it has ended.
  func receive() -> [WorkReply]? {
    var found: [WorkReply] = []
    while let bytes = DescriptorText.read(replies) {
      if bytes.isEmpty { return found }
      for line in lines.take(bytes[...]) {
        if let reply = try? JSONDecoder().decode(WorkReply.self, from: Data(line)) {
          found.append(reply)
        }
      }
      // The end of a request is handed on before further replies are read.
      if found.last?.outcomes != nil { return found }
    }
    return found.isEmpty ? nil : found
  }

  /// Takes what it has written to standard error.
  /// - Returns: whether there may be more.
  @discardableResult
  func receiveErrors() -> Bool {
    while let bytes = DescriptorText.read(errors) {
      if bytes.isEmpty { return true }
      errorBytes = Array((errorBytes + bytes).suffix(WorkerProcess.mostErrors))
    }
    return false
  }

  /// Text that it has written to standard error during the request.
  var errorText: String? {
    receiveErrors()
    return errorBytes.isEmpty ? nil : String(decoding: errorBytes, as: UTF8.self)
  }

  /// Asks it to stop.
  func terminate() { if !hasEnded { kill(pid, SIGTERM) } }

  /// Ends it at once.
  func destroy() { if !hasEnded { kill(pid, SIGKILL) } }

  /// Resident memory in bytes; 0 when it isn't known.
  var memory: Int { ProcessMemory.resident(pid) }

  /// Waits for its end; an idle worker ends when the pipe of its requests is closed.
  func end() -> End {
    close(requests)
    var status: Int32 = 0
    var usage = rusage()
    while wait4(pid, &status, 0, &usage) < 0, errno == EINTR {}
    hasEnded = true
    let peak = ProcessMemory.peak(usage)
    return switch ChildProcess.End(status: status) {
    case .code(let code): End(signal: nil, code: code, peakMemory: peak)
    case .signal(let signal): End(signal: signal, code: 0, peakMemory: peak)
    }
  }
}

/// The pipes between a batch and one worker.
struct WorkerPipes {
  /// Both ends of a pipe.
  struct Ends {
    let read: Int32
    let write: Int32
  }

  let requests: Ends
  let replies: Ends
  let errors: Ends

  init() throws {
    var made: [Ends] = []
    for _ in 0..<3 {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else {
        let code = errno
        for pipe in made { for end in [pipe.read, pipe.write] { close(end) } }
        throw WorkerPipes.failure(code)
      }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      made.append(Ends(read: ends[0], write: ends[1]))
    }
    (requests, replies, errors) = (made[0], made[1], made[2])
  }

  /// Starts this program again as a worker with `arguments`.
  func start(_ arguments: [String], lock: Int32, rights: WorkerRights?) throws -> pid_t {
    // Numbers below ten may be targets: copies out of their way come first.
    let given =
      [requests.read, errors.write, replies.write, lock] + (rights.map { [$0.descriptor] } ?? [])
    let sources = given.map { fcntl($0, F_DUPFD_CLOEXEC, 10) }
    defer { for source in sources where source >= 0 { close(source) } }
    guard sources.allSatisfy({ $0 >= 0 }) else { throw WorkerPipes.failure(errno) }
    let targets = [
      STDIN_FILENO, STDERR_FILENO, WorkerSetup.replies, WorkerSetup.lock, WorkerSetup.rights,
    ]
    let start = ProgramStart()
    for (source, target) in zip(sources, targets) { start.pass(source, as: target) }
    start.open("/dev/null", O_WRONLY, as: STDOUT_FILENO)
    // An interrupt from the keyboard reaches the batch only, which then ends this group in order.
    start.separate()
    let (pid, code) = start.start(
      OwnProgram.path, ["pinna"] + arguments,
      environment: WorkerPipes.environment(temporary: rights?.scratchPath))
    guard code == 0 else {
      for pipe in [requests, replies, errors] { for end in [pipe.read, pipe.write] { close(end) } }
      throw WorkerPipes.failure(code)
    }
    return pid
  }

  /// Closes the ends that belong to the worker now.
  func closeChildEnds() {
    for end in [requests.read, replies.write, errors.write] { close(end) }
  }

  /// The environment of this process without Swift's backtraces, which would keep a crashed worker
  /// for seconds; `temporary` is the folder for temporary files, where it isn't this process's.
  private static func environment(temporary: String?) -> [String] {
    var own = ProcessInfo.processInfo.environment
    own["SWIFT_BACKTRACE"] = "enable=no"
    if let temporary { own["TMPDIR"] = temporary }
    return own.map { "\($0.key)=\($0.value)" }
  }

  private static func failure(_ code: Int32) -> MediaError {
    MediaError(
      .outOfResources,
      "a worker process can't be started (\(String(cString: strerror(code)))); try again or lower -j"
    )
  }
}

/// The reason why a worker didn't finish its work, in one sentence.
struct Autopsy {
  /// Stable token: `crashed`, `timeout` or `memory-limit`.
  let kind: String
  /// Exit code of the item.
  let exit: Int32 = 1
  /// Fault and remedy.
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

  /// Files of `files` that exist in `root`.
  static func present(_ files: [String]?, in root: String) -> [String]? {
    let left = (files ?? []).filter { access(PathParts.joined(root, $0), F_OK) == 0 }
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
