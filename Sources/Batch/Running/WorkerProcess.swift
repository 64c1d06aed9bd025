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
  /// Where its replies come from; readable when there are some.
  let replies: Int32
  /// Where its standard error comes from.
  let errors: Int32
  /// What it works on.
  var work: RunningWork?

  private let requests: Int32
  private var lines = LineReader()
  private var errorBytes: [UInt8] = []
  private var hasEnded = false

  /// Starts a worker; `lock` stays open in it. It keeps to `rights`, where there are some.
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

  /// What it has written to standard error during the request.
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
    let signal = status & 0x7F
    return End(
      signal: signal == 0 ? nil : signal, code: status >> 8 & 0xFF,
      peakMemory: ProcessMemory.peak(usage))
  }
}
