import Platform

/// The end of a plugin, in which it can no longer spoil the sound: a crash or a hang while it is closed is told, and
/// nothing more.
enum Farewell {
  /// Seconds that a plugin may take to be closed.
  private static let patience: UInt32 = 5

  /// Calls `close`; this process ends with exit code 0 even when that crashes or hangs.
  static func guarding(_ close: () -> Void) {
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT] {
      signal(number) { _ in Farewell.leave(Farewell.crash) }
    }
    signal(SIGALRM) { _ in Farewell.leave(Farewell.hang) }
    alarm(patience)
    close()
    alarm(0)
  }

  private static let crash: StaticString =
    "pinna-lv2: the plugin crashed while it was closed; the sound is complete\n"
  private static let hang: StaticString =
    "pinna-lv2: the plugin hung while it was closed and was ended; the sound is complete\n"

  /// Only calls that a signal's handler may make.
  private static func leave(_ text: StaticString) {
    _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    _exit(0)
  }
}
