// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CProcess

/// Least rights: a process gives up what its work doesn't need, for good.
///
/// Landlock and filters of system calls hold for the thread that asks for them and for all that it starts or becomes, but
/// not for the process's other threads. So a process restricts one thread and becomes its own program again by
/// exec(2), which ends all other threads. The new start finds out by ``current`` that it is in the sandbox.
package enum Sandbox {
  /// State of a sandbox with all that this system can hold.
  package static var possible: SandboxState {
    SandboxState(
      landlock: min(Int(process_landlock_version()), SandboxState.newestLandlock),
      filtersCalls: process_has_filters() != 0, usesNetwork: false)
  }

  /// State of this process; `nil` where it isn't in a sandbox of its own.
  package static let current: SandboxState? = getenv(SandboxState.variable)
    .flatMap { SandboxState(mark: String(cString: $0)) }

  /// Keeps the calling thread, and all that it starts or becomes, to `policy` for good, as far as the system can.
  /// - Parameter landlock: the newest version of Landlock that is used.
  /// - Returns: what holds now.
  /// - Throws: ``MediaError`` of kind `internal` when the system refuses what it offers.
  package static func restrict(
    _ policy: SandboxPolicy, landlock: Int = SandboxState.newestLandlock
  ) throws -> SandboxState {
    var state = possible
    state.landlock = min(state.landlock, landlock)
    state.usesNetwork = policy.usesNetwork
    guard !state.isEmpty else { return state }
    try check(process_no_new_privileges())
    if state.landlock > 0 {
      let network: Int32 = policy.usesNetwork ? 1 : 0
      let version = Int32(state.landlock)
      try withRights(policy) { rights in
        try check(
          process_restrict_files(rights.baseAddress, UInt64(rights.count), version, network))
      }
    }
    if state.filtersCalls { try check(process_restrict_calls(policy.usesNetwork ? 1 : 0)) }
    return state
  }

  /// Becomes this program again with the same arguments, after ``restrict(_:landlock:)`` in the calling thread.
  /// - Parameters:
  ///   - state: what holds.
  ///   - scratch: the folder for temporary files; the new start gets it by ``takeScratch()``.
  ///   - first: descriptors from this one on are closed; `nil` closes none.
  /// - Throws: ``MediaError`` of kind `internal`; it doesn't return.
  package static func restart(
    _ state: SandboxState, scratch: ScratchFolder? = nil, closingFrom first: Int32?
  ) throws -> Never {
    if let first { process_close_on_exec(UInt32(first)) }
    let lock = scratch?.handOver() ?? -1
    var changes = [SandboxState.variable: "\(state.mark) \(lock)"]
    if let scratch { changes["TMPDIR"] = scratch.path }
    let kept = environment.filter { line in
      changes[String(line.prefix { $0 != "=" })] == nil
    }
    let lines = kept + changes.map { "\($0.key)=\($0.value)" }
    var words = CommandLine.arguments.map { strdup($0) } + [nil]
    var variables = lines.map { strdup($0) } + [nil]
    let code = process_become(OwnProgram.path, &words, &variables)
    scratch?.takeBack(lock)
    throw failure(code)
  }

  /// The folder for temporary files that ``restart(_:scratch:closingFrom:)`` handed over; it is removed when the object is
  /// released. A process may take it once.
  package static func takeScratch() -> ScratchFolder? {
    guard isConfirmed, let mark = getenv(SandboxState.variable),
      let lock = String(cString: mark).split(separator: " ").last.flatMap({ Int32($0) }), lock >= 0,
      let path = getenv("TMPDIR")
    else { return nil }
    return ScratchFolder(path: String(cString: path), lock: lock)
  }

  /// Whether the kernel confirms what ``current`` says: the mark alone could be anybody's.
  package static var isConfirmed: Bool {
    guard let current else { return false }
    guard !current.isEmpty else { return possible.isEmpty }
    return process_keeps_privileges() != 0
      && (!current.filtersCalls || process_is_filtered() != 0)
  }

  private static var environment: [String] {
    var lines: [String] = []
    guard var place = process_environment() else { return [] }
    while let line = place.pointee {
      lines.append(String(cString: line))
      place += 1
    }
    return lines
  }

  private static func withRights(
    _ policy: SandboxPolicy, _ body: (UnsafeBufferPointer<process_right>) throws -> Void
  ) throws {
    var uses: [PathName: UInt32] = [:]
    for (paths, use) in [
      (policy.reads, PROCESS_READS), (policy.runs, PROCESS_RUNS), (policy.writes, PROCESS_WRITES),
      (policy.clears, PROCESS_CLEARS),
    ] {
      for path in paths { uses[PathName(path), default: 0] |= use }
    }
    let names = uses.map { (strdup($0.key.text), $0.value) }
    defer { for (name, _) in names { free(name) } }
    try names.map { process_right(path: $0, uses: $1) }.withUnsafeBufferPointer(body)
  }

  private static func check(_ code: Int32) throws {
    guard code == 0 else { throw failure(code) }
  }

  private static func failure(_ code: Int32) -> MediaError {
    MediaError(
      .internal, "the sandbox can't begin (\(String(cString: strerror(code)))); leave it out")
  }
}

// MARK: Refusals

extension Sandbox {
  /// Why the file at `path` can't be opened, where the sandbox is the reason; else `nil`.
  ///
  /// access(2) asks for permissions only, and the sandbox doesn't change what it answers.
  package static func readRefusal(_ path: String, _ code: Int32) -> String? {
    guard let current, current.landlock > 0, code == EACCES, access(path, R_OK) == 0 else {
      return nil
    }
    return
      "the sandbox doesn't let it be read; name it, or its folder, with \(setting: .sandboxReads)"
  }

  /// Why the file at `path` can't be written, where the sandbox is the reason; else `nil`.
  package static func writeRefusal(_ path: String, _ code: Int32) -> String? {
    guard let current, current.landlock > 0, code == EACCES,
      access(PathParts.folder(of: path), W_OK) == 0
    else { return nil }
    return "the sandbox lets only the folders of outputs be written; give an output in one of them"
  }
}

/// The state of a sandbox, or the one possible on a system.
package struct SandboxState: Sendable, Equatable {
  /// Newest version of Landlock that this code knows; a newer kernel keeps to it.
  package static let newestLandlock = 7

  /// Version of Landlock that guards files, 1 to ``newestLandlock``; 0 where none does.
  package var landlock: Int
  /// Whether system calls are filtered.
  package var filtersCalls: Bool
  /// Whether connections to servers may be opened.
  package var usesNetwork: Bool

  package init(landlock: Int, filtersCalls: Bool, usesNetwork: Bool) {
    self.landlock = landlock
    self.filtersCalls = filtersCalls
    self.usesNetwork = usesNetwork
  }

  /// Whether nothing holds.
  package var isEmpty: Bool { landlock == 0 && !filtersCalls }

  /// Protections in force, as stable words: `files` (version 1 of Landlock), `moves` (2), `truncation` (3), `connections` (4),
  /// `devices` (5), `signals` (6), and `calls`.
  package var held: [String] {
    let rights = [
      (1, "files"), (2, "moves"), (3, "truncation"), (4, "connections"), (5, "devices"),
      (6, "signals"),
    ]
    return rights.filter { $0.0 <= landlock }.map { $0.1 } + (filtersCalls ? ["calls"] : [])
  }

  /// Protections that this system lacks, as a sentence for people; `nil` where it lacks none.
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
