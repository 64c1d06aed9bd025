import AudioCore
import Essentials
import Platform

/// What the workers of a batch may do: the policy in a file without a name that all of them inherit, and their folder for
/// temporary files.
final class WorkerRights {
  /// The file, from its beginning.
  let descriptor: Int32
  private let scratch: ScratchFolder

  /// The rights that `policy` gives; the folder for temporary files is added.
  /// - Throws: ``MediaError`` when the file or the folder can't be made.
  init(_ policy: SandboxPolicy) throws {
    scratch = try ScratchFolder()
    var policy = policy
    policy.writes.insert(scratch.path)
    descriptor = try TemporaryFile.makeDescriptor()
    let code = Descriptor.writeAll(Array(try JSONEncoder().encode(policy)), to: descriptor)
    guard code == 0 else { throw OutputFailure.error(code, "temporary file") }
  }

  deinit { close(descriptor) }

  /// The folder for temporary files.
  var scratchPath: String { scratch.path }

  /// Gives up in this process what the policy in the inherited file doesn't allow. Returns when that has been done.
  /// - Throws: ``MediaError`` of kind `internal`.
  static func enter() throws {
    if Sandbox.current != nil {
      guard Sandbox.isConfirmed else {
        throw MediaError(.internal, "worker: its sandbox has begun, but doesn't hold")
      }
      return
    }
    let policy = try JSONDecoder().decode(
      SandboxPolicy.self,
      from: Data(
        try LocalFile(descriptor: WorkerSetup.rights, name: "worker: its rights").wholeContent()))
    try Sandbox.restart(try Sandbox.restrict(policy), closingFrom: WorkerSetup.rights)
  }
}
