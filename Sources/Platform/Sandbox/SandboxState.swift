/// What holds in a sandbox, or could hold on a system.
package struct SandboxState: Sendable, Equatable {
  /// Newest version of Landlock that this code knows; a newer kernel keeps to it.
  package static let newestLandlock = 7

  /// Version of Landlock that guards files, 1 to ``newestLandlock``; 0 where none does.
  package var landlock: Int
  /// Whether system calls are filtered.
  package var filtersCalls: Bool
  /// Whether connections to servers may be opened.
  package var usesNetwork: Bool

  /// A state.
  package init(landlock: Int, filtersCalls: Bool, usesNetwork: Bool) {
    self.landlock = landlock
    self.filtersCalls = filtersCalls
    self.usesNetwork = usesNetwork
  }

  /// Whether nothing holds.
  package var isEmpty: Bool { landlock == 0 && !filtersCalls }

  /// What is held, as stable words: `files` (version 1 of Landlock), `moves` (2), `truncation` (3), `connections` (4),
  /// `devices` (5), `signals` (6), and `calls`.
  package var held: [String] {
    let rights = [
      (1, "files"), (2, "moves"), (3, "truncation"), (4, "connections"), (5, "devices"),
      (6, "signals"),
    ]
    return rights.filter { $0.0 <= landlock }.map { $0.1 } + (filtersCalls ? ["calls"] : [])
  }

  /// What this system can't hold, as a sentence for people; `nil` where it can hold everything.
  package var gap: String? {
    let missing =
      (landlock == 0 ? ["Landlock, so nothing keeps it from other files"] : [])
      + (filtersCalls ? [] : ["filters of system calls, so nothing keeps it from the network"])
    guard missing.isEmpty else {
      return "this kernel has no \(missing.joined(separator: " and no "))"
    }
    guard landlock < 6 else { return nil }
    let rest = [
      (3, "emptying files that it may read"), (5, "controlling devices"),
      (6, "signals to other processes"),
    ].filter { landlock < $0.0 }.map { $0.1 }
    return
      "this kernel has Landlock \(landlock), which doesn't guard \(rest.joined(separator: " and "))"
  }
}

// MARK: Marking the process

extension SandboxState {
  /// The variable of the environment by which a process tells the program that it becomes what holds.
  static let variable = "PINNA_SANDBOX"

  /// The state as the text of ``variable``, without the descriptor of the scratch folder behind it. A child inherits the variable and has another number, so that it doesn't
  /// take itself for the process that began the sandbox.
  var mark: String {
    "\(getpid()) \(landlock) \(filtersCalls ? 1 : 0) \(usesNetwork ? 1 : 0)"
  }

  /// The state that `mark` tells; `nil` for that of another process.
  init?(mark: String) {
    let words = mark.split(separator: " ").compactMap { Int($0) }
    guard words.count == 5, words[0] == Int(getpid()) else { return nil }
    self.init(landlock: words[1], filtersCalls: words[2] == 1, usesNetwork: words[3] == 1)
  }
}
