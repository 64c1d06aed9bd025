import Glibc

/// Writes to the standard streams: data to stdout, everything else to stderr.
enum Terminal {
  /// Data or JSON.
  static func output(_ text: String) { write(text, to: STDOUT_FILENO) }

  /// Anything that isn't data.
  static func error(_ text: String) { write(text, to: STDERR_FILENO) }

  /// One failure, one sentence.
  static func complain(_ sentence: String) { error("pinna: \(sentence)\n") }

  /// Whether progress can be drawn on stderr.
  static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 }

  private static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return }
      bytes = bytes.dropFirst(written)
    }
  }
}
