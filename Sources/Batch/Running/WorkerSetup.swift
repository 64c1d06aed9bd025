import Platform

/// What a worker process is started with.
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

  /// A setup.
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
