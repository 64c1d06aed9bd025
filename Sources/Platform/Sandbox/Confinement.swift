// SPDX-License-Identifier: Apache-2.0
import CProcess

/// The rights of a foreign program: it is started by this program in a process of its own, which gives up what isn't
/// needed and then becomes the foreign program.
package enum Confinement {
  /// The means of this system to confine a program.
  package struct Powers: Sendable {
    /// Whether it can be kept from writing to other folders.
    package let guardsFiles: Bool
    /// Whether it can be kept from the network.
    package let guardsNetwork: Bool

    /// Powers of some system.
    package init(guardsFiles: Bool, guardsNetwork: Bool) {
      self.guardsFiles = guardsFiles
      self.guardsNetwork = guardsNetwork
    }
  }

  /// Powers of this system.
  package static var powers: Powers {
    Powers(
      guardsFiles: process_landlock_version() > 0, guardsNetwork: process_has_filters() != 0)
  }

  /// Gives up what a program of the user's doesn't need, and becomes the program at `path` with `arguments`; see
  /// ``enter(seconds:scratch:)``.
  /// - Returns: the `errno`; only when it fails.
  package static func become(
    _ path: String, _ arguments: [String], seconds: UInt64, scratch: String
  ) -> Int32 {
    let code = enter(seconds: seconds, scratch: scratch)
    guard code == 0 else { return code }
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    execv(path, &words)
    return errno
  }

  /// Gives up what foreign code in this process doesn't need.
  ///
  /// The process may use `seconds` of the processor, 8 GiB of memory, 64 descriptors, and write files up to 1 GiB in the
  /// folder `scratch`, which becomes its own. The process ends when the thread that started it does.
  /// - Returns: 0, or the `errno`.
  package static func enter(seconds: UInt64, scratch: String) -> Int32 {
    var limits = process_limits(
      seconds: seconds, memory: 8 << 30, file_size: 1 << 30, files: 64)
    for step in [
      { process_end_with_parent(SIGKILL) }, { chdir(scratch) == 0 ? 0 : errno },
      { process_limit_program(&limits) }, { process_no_new_privileges() },
    ] {
      let code = step()
      guard code == 0 || code == ENOSYS else { return code }
    }
    let powers = powers
    // If the kernel lacks them, the one who started the program has said so.
    if powers.guardsFiles {
      let code = process_write_only_in(scratch)
      guard code == 0 else { return code }
    }
    return powers.guardsNetwork ? process_without_network() : 0
  }
}

/// Numbers too small for full precision, on which processors are slow.
package enum Denormals {
  /// Has the processor take them for 0 in this thread, where it can.
  package static func flush() { process_flush_denormals() }
}
