import AudioCore
import Essentials
import Platform

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
