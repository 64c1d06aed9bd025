// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Essentials
import Platform

/// The setup that a worker process is started with.
package struct WorkerSetup: Sendable {
  /// The descriptor that a worker's replies go to.
  static let replies: Int32 = 3
  /// The descriptor by which a worker keeps the output folder locked as long as it lives.
  static let lock: Int32 = 4
  /// The descriptor of the file that says what a worker may do.
  static let rights: Int32 = 5

  /// The exit code of a worker that can't reach the batch any more.
  static let mute: Int32 = 75

  /// The process of the batch.
  package var parent: pid_t
  /// Folder to work in.
  package var folder: String
  /// Most private memory it may ask for, bytes.
  package var memory: Int?
  /// Whether its samples must not depend on the processor.
  package var isDeterministic: Bool
  /// Whether it gives up what the file at its descriptor 5 doesn't allow.
  package var isSandboxed = false

  package init(
    parent: pid_t, folder: String, memory: Int?, isDeterministic: Bool, isSandboxed: Bool = false
  ) {
    self.parent = parent
    self.folder = folder
    self.memory = memory
    self.isDeterministic = isDeterministic
    self.isSandboxed = isSandboxed
  }

  /// The command line that states this.
  var arguments: [String] {
    var all = ["worker", "--parent=\(parent)", "--folder=\(folder)"]
    if let memory { all.append("--memory=\(memory)") }
    if isDeterministic { all.append("--deterministic") }
    if isSandboxed { all.append("--sandboxed") }
    return all
  }
}

/// The rights of a batch's workers: the policy in a file without a name that all of them inherit, and their folder for
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

/// The resources that a batch and its workers may use.
package struct BatchLimits: Sendable {
  /// Worker processes.
  package var workers: Int
  /// Rendered audio held in memory by all workers together, bytes.
  package var spoolMemory: Int
  /// Seconds a job may take; `nil` has no limit.
  package var jobSeconds: Double?
  /// Memory a worker may take, bytes.
  package var jobMemory: Int
  /// Times a job is tried again after an error that may pass.
  package var retries: Int

  package init(
    workers: Int, spoolMemory: Int, jobSeconds: Double? = nil, jobMemory: Int,
    retries: Int = 0
  ) {
    self.workers = workers
    self.spoolMemory = spoolMemory
    self.jobSeconds = jobSeconds
    self.jobMemory = jobMemory
    self.retries = retries
  }

  /// Least memory a worker can be given, bytes.
  package static let leastJobMemory = 128 << 20

  /// Default memory for each of `workers`: its share of the machine's, between 256 MiB and 2 GiB.
  package static func usualJobMemory(workers: Int) -> Int {
    let machine = Int(sysconf(Int32(_SC_PHYS_PAGES))) * Int(getpagesize())
    return max(256 << 20, min(2 << 30, machine / max(1, workers)))
  }
}
