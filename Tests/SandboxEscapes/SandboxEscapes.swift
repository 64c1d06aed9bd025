// SPDX-License-Identifier: Apache-2.0
import CEscapes
import Platform

/// Tries to get out of the sandbox, and prints what became of it: one line for each way, its number, the version of
/// Landlock that closes it, the `errno` (0 where it led out) and its name.
///
/// Arguments: the newest version of Landlock to use, or −1 for no sandbox; a folder with victims; a folder that may
/// be written; and `network` for connections.
@main
enum SandboxEscapes {
  static func main() throws {
    let words = CommandLine.arguments
    guard words.count >= 4, let version = Int(words[1]) else { exit(2) }
    let (outside, inside) = (words[2], words[3])
    if version >= 0 {
      var policy = SandboxPolicy.system
      policy.writes.insert(inside)
      if words.dropFirst(4).contains("network") { policy.add(.network) }
      let state = try Sandbox.restrict(policy, landlock: version)
      print("held \(state.landlock) \(state.held.joined(separator: ","))")
    }
    for index in 0..<escape_count() where version >= 0 || escape_is_open(index) != 0 {
      let code = escape_try(index, outside, inside)
      print("way \(index) \(escape_version(index)) \(code) \(String(cString: escape_name(index)))")
    }
    // Allowed actions still work.
    for (name, flags) in [("allowed", O_RDONLY), ("new", O_WRONLY | O_CREAT | O_TRUNC)] {
      let descriptor = open("\(inside)/\(name)", flags, 0o600)
      print("allowed \(name) \(descriptor >= 0 ? 0 : errno)")
      close(descriptor)
    }
  }
}
