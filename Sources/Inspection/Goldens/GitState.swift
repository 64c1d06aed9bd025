import Platform

/// State of the git repository that a folder lies in.
package struct GitState: Sendable {
  /// Commit checked out; `nil` outside a repository.
  package let commit: String?
  /// Whether tracked files besides those of the folder differ from it.
  package let isDirty: Bool

  /// Asks git about the repository of `folder`.
  package init(folder: String) {
    commit = GitState.run(["git", "-C", folder, "rev-parse", "HEAD"])?.first
    let excluded = ":(exclude)."
    let changes = GitState.run([
      "git", "-C", folder, "status", "--porcelain", "--untracked-files=no", "--", ":(top)",
      excluded,
    ])
    isDirty = commit != nil && changes?.isEmpty == false
  }

  /// Lines a program prints; `nil` when it can't be run or fails.
  private static func run(_ arguments: [String]) -> [String]? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    defer { close(ends[0]) }
    let start = ProgramStart()
    start.pass(ends[1], as: STDOUT_FILENO)
    start.open("/dev/null", O_WRONLY, as: STDERR_FILENO)
    for end in ends { start.close(end) }
    let (child, code) = start.start(arguments[0], arguments)
    close(ends[1])
    guard code == 0 else { return nil }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while true {
      let got = read(ends[0], &part, part.count)
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { break }
      bytes += part.prefix(got)
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
