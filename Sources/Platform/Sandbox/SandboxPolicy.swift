// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CProcess

/// The rights of a process in the sandbox. Everything that isn't named here is refused.
///
/// Paths are files, or folders with everything below them. A path that doesn't exist when the sandbox begins is passed
/// over.
package struct SandboxPolicy: Sendable, Codable, Equatable {
  /// Paths that may be read.
  package var reads: PathSet = []
  /// Programs that may be run, and folders of programs.
  package var runs: PathSet = []
  /// Paths that may be read and written.
  package var writes: PathSet = []
  /// Folders from which empty folders may be removed.
  package var clears: PathSet = []
  /// Whether connections to servers may be opened.
  package var usesNetwork = false

  /// A policy that allows nothing.
  package init() {}

  /// Allows what `other` allows, too.
  package mutating func add(_ other: SandboxPolicy) {
    reads.formUnion(other.reads)
    runs.formUnion(other.runs)
    writes.formUnion(other.writes)
    clears.formUnion(other.clears)
    usesNetwork = usesNetwork || other.usesNetwork
  }

  /// Allows to read all files in the folder of `path`.
  package mutating func readFolder(of path: String) {
    reads.insert(PathParts.folder(of: path))
  }

  /// Allows to write files in the folder of `path`.
  package mutating func writeFolder(of path: String) {
    writes.insert(PathParts.folder(of: path))
  }
}

extension SandboxPolicy {
  /// Policy for every program's needs of the system: to start this program again, its libraries, and facts about the machine.
  package static var system: SandboxPolicy {
    var policy = SandboxPolicy()
    let libraries = LoadedFiles.current
    policy.reads = [
      "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share",
      "/etc/ld.so.cache",
      "/etc/ld.so.preload", "/etc/localtime", "/sys/devices/system", "/sys/fs/cgroup",
      "/dev/urandom", "/dev/random", "/dev/zero",
      // The pool of threads asks here for the state of each, by numbers that aren't known beforehand, and crashes where
      // it can't. Memory and environment of other processes stay closed, because Landlock guards tracing, too.
      "/proc",
    ]
    policy.reads.formUnion(libraries.folders)
    // Without the right to run its interpreter no program starts.
    policy.runs = libraries.interpreters
    // By its link it is this very file, also when another one has taken its name meanwhile.
    policy.runs.insert(OwnProgram.path)
    if let own = PathParts.real(OwnProgram.path) { policy.runs.insert(own) }
    policy.writes = ["/dev/null"]
    return policy
  }

  /// Policy for connections to servers: names of hosts and certificates.
  package static var network: SandboxPolicy {
    var policy = SandboxPolicy()
    policy.usesNetwork = true
    policy.reads = [
      "/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/nsswitch.conf", "/etc/gai.conf",
      "/etc/services", "/etc/protocols", "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/pki/tls",
      "/etc/pki/ca-trust", "/etc/ca-certificates", "/etc/gnutls", "/etc/crypto-policies",
    ]
    for name in ["SSL_CERT_FILE", "SSL_CERT_DIR"] {
      if let path = getenv(name) { policy.reads.insert(String(cString: path)) }
    }
    return policy
  }

  /// Policy for running the program at `path`: itself, and the system's programs, because scripts name their
  /// interpreters and call other programs.
  package static func program(_ path: String) -> SandboxPolicy {
    var policy = SandboxPolicy()
    policy.runs = ["/bin", "/usr/bin", "/usr/local/bin", "/lib", "/usr/lib", "/usr/libexec", path]
    // The word is often a link to the program proper.
    if let real = PathParts.real(path) { policy.runs.insert(real) }
    policy.reads = ["/etc/alternatives", "/usr/include"]
    return policy
  }
}

/// Files that are mapped into this process.
private struct LoadedFiles {
  /// Folders of libraries.
  var folders: PathSet = []
  /// The loader of libraries, which the kernel starts with each program.
  var interpreters: PathSet = []

  static var current: LoadedFiles {
    var found = LoadedFiles()
    for line in lines where line.contains(".so") {
      // The sixth field is the path, which may contain blanks.
      let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      guard fields.count == 6 else { continue }
      // The field in front is filled up with blanks.
      let path = String(fields[5].drop { $0 == " " })
      guard PathParts.isAbsolute(path) else { continue }
      let (folder, name) = PathParts.split(path)
      if folder != "/" { found.folders.insert(folder) }
      if name.hasPrefix("ld-") || name.hasPrefix("ld.so") { found.interpreters.insert(path) }
    }
    return found
  }

  private static var lines: [Substring] {
    let descriptor = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var text: [UInt8] = []
    _ = Descriptor.readToEnd(descriptor) { text += $0 }
    return String(decoding: text, as: UTF8.self).split(separator: "\n")
  }
}
