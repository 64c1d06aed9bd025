import CProcess

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
    let isPath = program.contains("/")
    return isPath
      ? posix_spawn(&pid, program, &actions, &attributes, words, environment)
      : posix_spawnp(&pid, program, &actions, &attributes, words, environment)
  }

  private static func withWords(_ words: [String], _ body: (Words) -> Int32) -> Int32 {
    var copies = words.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeMutableBufferPointer { $0.baseAddress.map(body) ?? EINVAL }
  }
}
