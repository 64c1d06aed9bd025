import AudioCore

/// A program started without input, whose standard output is read; what it writes to standard error is
/// dropped. It never outlives its owner.
package final class ChildProcess {
  /// How a program ended.
  package enum End: Equatable {
    /// By itself, with this exit code.
    case code(Int32)
    /// By this signal.
    case signal(Int32)
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
      let got = read(outlet, &room, room.count)
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { return bytes }
      bytes += room[..<got]
    }
  }

  /// Waits for its end.
  package func end() -> End {
    if let result { return result }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    let end = signal == 0 ? End.code(status >> 8 & 0xFF) : .signal(signal)
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
