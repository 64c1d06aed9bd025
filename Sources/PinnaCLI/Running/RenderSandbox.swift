import AudioCore
import Platform
import Rendering

/// Puts a render into the sandbox before anything of its inputs is read.
struct RenderSandbox {
  private let command: RenderCommand

  init(_ command: RenderCommand) { self.command = command }

  /// Begins the sandbox: this process becomes the same program anew with less rights. Returns where it has begun.
  /// - Throws: ``MediaError`` of kind `usage` for arguments that can't be understood, or `internal`; what
  ///   making the folder for temporary files throws.
  func begin() throws {
    if Sandbox.current != nil {
      guard Sandbox.isConfirmed else {
        throw MediaError(
          .internal, "the sandbox has begun, but doesn't hold; unset PINNA_SANDBOX")
      }
      return
    }
    var policy = try RenderSandbox.policy(of: command)
    policy.add(.system)
    let scratch = try ScratchFolder()
    policy.writes.insert(scratch.path)
    // At the end it is removed.
    policy.clears.insert(PathParts.split(scratch.path).folder)
    if let gap = Sandbox.possible.gap { Terminal.error("sandbox   \(gap)\n") }
    let state = try Sandbox.restrict(policy)
    try Sandbox.restart(state, scratch: scratch, closingFrom: namesDescriptor ? nil : 3)
  }

  /// What the command needs besides what every program does.
  /// - Throws: ``MediaError`` of kind `usage` or `unsupportedFeature`.
  static func policy(of command: RenderCommand) throws -> SandboxPolicy {
    var choice = try command.choice()
    choice.opensInputs = false
    let inputs = command.inputs + command.render.taps.inputs
    guard !inputs.isEmpty else { throw RenderCommand.withoutInput }
    let requests = try choice.requests(
      inputs: inputs, output: command.output, joins: command.join)
    var policy = SandboxPolicy()
    for request in requests {
      policy.add(RequestRights.policy(of: request, in: RenderCommand.environment))
    }
    // The folders that are joined are listed again.
    if command.join { policy.reads.formUnion(inputs.filter { PathParts.isFolder($0) }) }
    if let report = command.run_.report, report != "-" { policy.writeFolder(of: report) }
    policy.add(settings(of: command))
    return policy
  }

  /// The user's own files of settings, and what is allowed by hand.
  private static func settings(of command: RenderCommand) -> SandboxPolicy {
    var policy = SandboxPolicy()
    policy.reads.formUnion(command.run_.sandbox.sandboxRead)
    let listener = command.listener
    policy.reads.formUnion([listener.trajectory, listener.speakers].compactMap { $0 })
    guard let preset = command.render.preset else { return policy }
    policy.reads.insert(preset)
    // A preset may extend another one beside it.
    if preset.contains("/") || preset.hasSuffix(".yaml") || preset.hasSuffix(".yml") {
      policy.readFolder(of: preset)
    }
    if let folder = PresetsCommand.library.folder { policy.reads.insert(folder) }
    return policy
  }

  /// Whether an input is named by its descriptor, which then has to stay open.
  private var namesDescriptor: Bool {
    command.inputs.contains { $0.hasPrefix("/dev/fd/") || $0.hasPrefix("/proc/self/fd/") }
  }
}
