import AudioCore

/// What a process in the sandbox may do. Everything that isn't named here is refused.
///
/// Paths are files, or folders with everything below them. A path that doesn't exist when the sandbox begins is passed
/// over.
package struct SandboxPolicy: Sendable, Codable, Equatable {
  /// What may be read.
  package var reads: PathSet = []
  /// Programs that may be run, and folders of programs.
  package var runs: PathSet = []
  /// What may be read and written.
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
