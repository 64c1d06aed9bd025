// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CProcess

/// A program started without input, whose standard output is read; what it writes to standard error is
/// dropped. The program never outlives its owner.
package final class ChildProcess {
  /// How a program ended.
  package enum End: Equatable {
    /// By itself, with this exit code.
    case code(Int32)
    case signal(Int32)

    /// The end with the status that wait(2) gives.
    package init(status: Int32) {
      let signal = status & 0x7F
      self = signal == 0 ? .code(status >> 8 & 0xFF) : .signal(signal)
    }

    /// Waits for the end of the child `pid`.
    package static func of(_ pid: pid_t) -> End {
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0, errno == EINTR {}
      return End(status: status)
    }
  }

  private let pid: pid_t
  private let outlet: Int32
  private var result: End?

  /// Starts the program at `path`.
  /// - Throws: ``MediaError`` of kind `outOfResources`.
  package init(_ path: String, _ arguments: [String]) throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw ChildProcess.failure(errno) }
    defer { close(ends[1]) }
    // A child that another thread starts now may inherit the ends; that only makes the wait longer.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let start = ProgramStart()
    start.open("/dev/null", O_RDONLY, as: STDIN_FILENO)
    start.pass(ends[1], as: STDOUT_FILENO)
    start.open("/dev/null", O_WRONLY, as: STDERR_FILENO)
    let started = start.start(path, [path] + arguments)
    guard started.code == 0 else {
      close(ends[0])
      throw ChildProcess.failure(started.code)
    }
    pid = started.pid
    outlet = ends[0]
  }

  deinit {
    if result == nil {
      kill(pid, SIGKILL)
      _ = end()
    }
    close(outlet)
  }

  /// All that it writes; `nil` when it hasn't closed its output within `seconds`.
  package func output(within seconds: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 1 << 16)
    let deadline = ContinuousClock.now + .seconds(seconds)
    while true {
      let left = (deadline - ContinuousClock.now) / .milliseconds(1)
      guard left > 0 else { return nil }
      var state = pollfd(fd: outlet, events: Int16(POLLIN), revents: 0)
      let ready = poll(&state, 1, Int32(min(left, 1e6).rounded(.up)))
      guard ready > 0 else { continue }
      let got = Descriptor.readSome(outlet, into: &room)
      guard got > 0 else { return bytes }
      bytes += room[..<got]
    }
  }

  /// Waits for its end.
  package func end() -> End {
    if let result { return result }
    let end = End.of(pid)
    result = end
    return end
  }

  private static func failure(_ code: Int32) -> MediaError {
    MediaError(
      .outOfResources,
      "a process to read SOFA files in can't be started (\(String(cString: strerror(code)))); try "
        + "again")
  }
}

/// How a program is to be started: its descriptors, its process group and its signal mask.
package final class ProgramStart {
  #if canImport(Darwin)
    // Pointers to what `init` makes.
    private var actions: posix_spawn_file_actions_t?
    private var attributes: posix_spawnattr_t?
  #else
    private var actions = posix_spawn_file_actions_t()
    private var attributes = posix_spawnattr_t()
  #endif

  /// A start in which the program inherits every descriptor that isn't closed by exec(2).
  package init() {
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
  }

  deinit {
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
  }

  /// Gives the program the file at `path`, opened with `flags`, as its descriptor `target`.
  package func open(_ path: String, _ flags: Int32, as target: Int32) {
    posix_spawn_file_actions_addopen(&actions, target, path, flags, 0)
  }

  /// Gives the program a new file at `path`, which only this user may read, as its descriptor `target`.
  package func create(_ path: String, as target: Int32) {
    posix_spawn_file_actions_addopen(&actions, target, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  }

  /// Gives the program `source` as its descriptor `target`.
  package func pass(_ source: Int32, as target: Int32) {
    posix_spawn_file_actions_adddup2(&actions, source, target)
  }

  /// Closes `descriptor` in the program.
  package func close(_ descriptor: Int32) {
    posix_spawn_file_actions_addclose(&actions, descriptor)
  }

  /// Starts the program in a process group of its own, with no signal blocked.
  package func separate() {
    posix_spawnattr_setpgroup(&attributes, 0)
    var nothing = sigset_t()
    sigemptyset(&nothing)
    posix_spawnattr_setsigmask(&attributes, &nothing)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGMASK))
  }

  /// Starts `program`, a path, or a name that is looked for in PATH. `words` are its arguments, of which
  /// the first is the name that it is called by; without an `environment` it inherits this process's.
  /// - Returns: the process's number, and 0 or the `errno`.
  package func start(
    _ program: String, _ words: [String], environment: [String]? = nil
  ) -> (pid: pid_t, code: Int32) {
    var pid: pid_t = 0
    let code = ProgramStart.withWords(words) { words in
      if environment == nil, let own = process_environment() {
        return spawn(&pid, program, words, own)
      }
      return ProgramStart.withWords(environment ?? []) { spawn(&pid, program, words, $0) }
    }
    return (pid, code)
  }

  private typealias Words = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  private func spawn(
    _ pid: inout pid_t, _ program: String, _ words: Words, _ environment: Words
  ) -> Int32 {
    PathParts.hasFolder(program)
      ? posix_spawn(&pid, program, &actions, &attributes, words, environment)
      : posix_spawnp(&pid, program, &actions, &attributes, words, environment)
  }

  private static func withWords(_ words: [String], _ body: (Words) -> Int32) -> Int32 {
    var copies = words.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeMutableBufferPointer { $0.baseAddress.map(body) ?? EINVAL }
  }
}
