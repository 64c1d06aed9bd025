// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CProcess

/// A program that reads its standard input and writes its standard output, both at any pace.
///
/// Input and output are polled together, so neither side waits for the other for ever. The program is in a process
/// group of its own, and nothing of the group outlives this object.
package final class PipedProgram {
  /// Bytes of its standard error that are kept: the last ones.
  private static let keptErrors = 4096
  /// Bytes read at a time.
  private static let room = 1 << 16

  /// How the exchange stopped before its end.
  package enum Stop: Error, Equatable {
    /// The program took and gave nothing for so many seconds.
    case silence(Double)
  }

  private let pid: pid_t
  private var inlet: Int32
  private var outlet: Int32
  private var errorOutlet: Int32
  private var errorBytes: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: PipedProgram.room)
  private var result: ChildProcess.End?
  /// When it last took or gave something, by ``SystemClock/steady``. Its standard error doesn't
  /// count: a program can complain for ever.
  private var movedAt = 0.0

  /// Starts the program at `path` with `arguments` behind its name, in this environment.
  /// - Throws: ``MediaError`` of kind `outOfResources`, or `inputMissing` where it can't be run.
  package init(_ path: String, _ arguments: [String], environment: [String]) throws {
    var pipes: [(read: Int32, write: Int32)] = []
    func closeAll() { for ends in pipes { for end in [ends.read, ends.write] { close(end) } } }
    for _ in 0..<3 {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else {
        let code = errno
        closeAll()
        throw PipedProgram.failure(path, code)
      }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      pipes.append((ends[0], ends[1]))
    }
    let start = ProgramStart()
    start.pass(pipes[0].read, as: STDIN_FILENO)
    start.pass(pipes[1].write, as: STDOUT_FILENO)
    start.pass(pipes[2].write, as: STDERR_FILENO)
    start.separate()
    let (pid, code) = start.start(path, [path] + arguments, environment: environment)
    guard code == 0 else {
      closeAll()
      throw PipedProgram.failure(path, code)
    }
    self.pid = pid
    for end in [pipes[0].read, pipes[1].write, pipes[2].write] { close(end) }
    (inlet, outlet, errorOutlet) = (pipes[0].write, pipes[1].read, pipes[2].read)
    for end in [inlet, outlet, errorOutlet] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  deinit { stop() }

  /// The end of what it wrote to its standard error.
  package var errors: String {
    String(decoding: errorBytes.suffix(PipedProgram.keptErrors), as: UTF8.self)
  }

  /// Gives it `bytes` and hands what it writes meanwhile to `take`.
  ///
  /// A program that has closed its input is no fault here: its output and its end tell.
  /// - Throws: ``Stop`` when nothing moves for `seconds`, or what `take` throws.
  package func exchange(
    _ bytes: UnsafeRawBufferPointer, within seconds: Double,
    _ take: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    var done = 0
    movedAt = SystemClock.steady
    while done < bytes.count, inlet >= 0 {
      try wait(writes: true, seconds)
      let moved = write(UnsafeRawBufferPointer(rebasing: bytes[done...]))
      if moved > 0 { movedAt = SystemClock.steady }
      done += moved
      try drain(take)
    }
  }

  /// Ends its input, hands the rest of its output to `take`, and waits for its end.
  /// - Throws: as ``exchange(_:within:_:)``.
  package func finish(
    within seconds: Double, _ take: (ArraySlice<UInt8>) throws -> Void
  ) throws -> ChildProcess.End {
    shut(&inlet)
    movedAt = SystemClock.steady
    while outlet >= 0 || errorOutlet >= 0 {
      try wait(writes: false, seconds)
      try drain(take)
    }
    // A program may close its output long before it ends.
    while !hasEnded {
      guard left(of: seconds) > 0 else { throw Stop.silence(seconds) }
      usleep(1000)
    }
    return wait()
  }

  /// Ends it and everything that it has started.
  package func stop() {
    for end in [inlet, outlet, errorOutlet] where end >= 0 { close(end) }
    (inlet, outlet, errorOutlet) = (-1, -1, -1)
    kill(-pid, SIGKILL)
    _ = wait()
  }

  private func wait() -> ChildProcess.End {
    if let result { return result }
    let end = ChildProcess.End.of(pid)
    result = end
    return end
  }

  /// Whether it has ended; it isn't waited for.
  private var hasEnded: Bool {
    if result != nil { return true }
    var status: Int32 = 0
    guard waitpid(pid, &status, WNOHANG) == pid else { return false }
    result = ChildProcess.End(status: status)
    return true
  }

  /// Seconds that are left of `seconds` since it last took or gave something.
  private func left(of seconds: Double) -> Double {
    movedAt + seconds - SystemClock.steady
  }

  /// Waits until something can be moved.
  private func wait(writes: Bool, _ seconds: Double) throws {
    // poll(2) passes over negative descriptors.
    var states = [
      pollfd(fd: writes ? inlet : -1, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: outlet, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errorOutlet, events: Int16(POLLIN), revents: 0),
    ]
    let left = left(of: seconds)
    guard left > 0 else { throw Stop.silence(seconds) }
    let ready = poll(&states, nfds_t(states.count), Int32((left * 1000).rounded(.up)))
    guard ready != 0 else { throw Stop.silence(seconds) }
  }

  /// Writes what the pipe takes now.
  private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    let moved = BrokenPipes.ignored { Descriptor.writeSome(bytes, to: inlet) }
    if moved > 0 { return moved }
    if moved != -Int(EAGAIN), moved != -Int(EINTR) { shut(&inlet) }
    return 0
  }

  /// Reads what is there now.
  private func drain(_ take: (ArraySlice<UInt8>) throws -> Void) throws {
    while outlet >= 0 {
      let got = Descriptor.readSome(outlet, into: &buffer)
      if got < 0, errno == EAGAIN { break }
      guard got > 0 else {
        shut(&outlet)
        break
      }
      movedAt = SystemClock.steady
      try take(buffer[..<got])
    }
    drainErrors()
  }

  private func drainErrors() {
    while errorOutlet >= 0 {
      let got = Descriptor.readSome(errorOutlet, into: &buffer)
      if got < 0, errno == EAGAIN { return }
      guard got > 0 else { return shut(&errorOutlet) }
      errorBytes += buffer[..<got]
      let extra = errorBytes.count - 4 * PipedProgram.keptErrors
      if extra > 0 { errorBytes.removeFirst(extra) }
    }
  }

  private func shut(_ descriptor: inout Int32) {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }

  private static func failure(_ path: String, _ code: Int32) -> MediaError {
    let reason = String(cString: strerror(code))
    guard [ENOENT, EACCES, ENOEXEC, ENOTDIR].contains(code) else {
      return MediaError(
        .outOfResources, about: path, "can't be started (\(reason)); try again")
    }
    return MediaError(.inputMissing, about: path, "can't be run (\(reason)); give a program")
  }
}

/// Writes to pipes that nobody reads.
enum BrokenPipes {
  /// Runs `body` without the signal that a broken pipe sends to the process.
  static func ignored<Value>(_ body: () -> Value) -> Value {
    var pipes = sigset_t()
    sigemptyset(&pipes)
    sigaddset(&pipes, SIGPIPE)
    var pending = sigset_t()
    sigpending(&pending)
    let wasPending = sigismember(&pending, SIGPIPE) == 1
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &pipes, &before)
    let value = body()
    sigpending(&pending)
    if !wasPending, sigismember(&pending, SIGPIPE) == 1 {
      var signal: Int32 = 0
      sigwait(&pipes, &signal)
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    return value
  }
}

/// The places of programs.
package enum ProgramPlace {
  /// Folders in which programs are looked for that are given by name.
  package static let folders = ["/usr/local/bin", "/usr/bin", "/bin"]

  /// The path of `program`: itself where it has a slash, else the first of that name in PATH or in ``folders``; `nil`
  /// where there is none.
  package static func path(of program: String) -> String? {
    if PathParts.hasFolder(program) { return access(program, X_OK) == 0 ? program : nil }
    let named = getenv("PATH").map { String(cString: $0) } ?? ""
    return (named.split(separator: ":").map(String.init) + folders).lazy
      .map { $0 + "/" + program }.first { access($0, X_OK) == 0 }
  }
}
