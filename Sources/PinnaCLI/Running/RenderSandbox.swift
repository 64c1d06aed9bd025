// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Batch
import MediaIn
import Platform
import Rendering
import Settings

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
    let folders = SandboxFolders(policy.writes)
    policy.writes.insert(scratch.path)
    // At the end they are removed.
    policy.clears.formUnion((folders.made + [scratch.path]).map { PathParts.folder(of: $0) })
    if let gap = Sandbox.possible.gap { Terminal.error("sandbox   \(gap)\n") }
    do {
      try folders.note(in: scratch)
      let state = try Sandbox.restrict(policy)
      try Sandbox.restart(state, scratch: scratch, closingFrom: namesDescriptor ? nil : 3)
    } catch {
      folders.removeEmpty()
      throw error
    }
  }

  /// Rights that the command needs besides those of every program.
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
    policy.reads.formUnion(
      [listener.trajectory, listener.speakers, command.render.carriage.cover].compactMap { $0 })
    guard let preset = command.render.preset else { return policy }
    policy.reads.insert(preset)
    // A preset may extend another one beside it.
    if PresetLibrary.isFile(preset) { policy.readFolder(of: preset) }
    if let folder = PresetsCommand.library.folder { policy.reads.insert(folder) }
    return policy
  }

  /// Whether an input is named by its descriptor, which then has to stay open.
  private var namesDescriptor: Bool {
    command.inputs.contains { $0.hasPrefix("/dev/fd/") || $0.hasPrefix("/proc/self/fd/") }
  }
}

/// The rights of a render in the sandbox.
struct SandboxArguments: ParsableArguments {
  @Flag(
    inversion: .prefixedNo,
    help:
      "Restrict the run to its inputs and the folders of its outputs; no network unless an input is a web address (batch workers: on by default)."
  )
  var sandbox: Bool?
  @Option(
    help: ArgumentHelp(
      "Another file or folder that may be read in the sandbox (repeatable).", valueName: "path"))
  var sandboxRead: [String] = []
}

/// The rights of a batch's workers.
struct BatchSandbox {
  private let arguments: SandboxArguments
  private let root: String

  /// The sandbox of a batch whose outputs go to the folder `root`.
  init(_ arguments: SandboxArguments, root: String) {
    self.arguments = arguments
    self.root = root
  }

  /// Rights that rendering `items` needs; `nil` where workers keep all rights: because that is asked for, or because this
  /// system can't take rights away.
  func policy(for items: [BatchItem]) -> SandboxPolicy? {
    switch arguments.sandbox {
    case false: return nil
    case true: if let gap = Sandbox.possible.gap { Terminal.error("sandbox   \(gap)\n") }
    case nil: if Sandbox.possible.isEmpty { return nil }
    }
    var policy = SandboxPolicy.system
    policy.writes.insert(root)
    policy.reads.formUnion(arguments.sandboxRead)
    for item in items {
      policy.add(rights(ofSource: item.source))
      if let golden = item.golden { policy.reads.insert(golden) }
    }
    // Most items have the same options. Options that can't be parsed are reported by the worker that gets them.
    let wanted = items.flatMap(\.renders).flatMap { render in
      zip(render.options, render.outputs).map {
        Wanted(options: $0.map(PathName.init), ending: Wanted.ending(of: $1))
      }
    }
    for one in Set(wanted) { if let found = try? rights(of: one) { policy.add(found) } }
    let isOffline = items.allSatisfy { item in
      item.renders.flatMap(\.options).allSatisfy { $0.contains("--offline") }
    }
    if isOffline { policy.usesNetwork = false }
    return policy
  }

  /// Rights to read the input at `source`: its whole folder, because it may be replaced before its turn comes.
  private func rights(ofSource source: String) -> SandboxPolicy {
    var policy = RequestRights.policy(ofInput: source)
    guard WebAddress(source) == nil else { return policy }
    for path in [source, PathParts.real(source)].compactMap({ $0 }) { policy.readFolder(of: path) }
    // By default a batch does all that it does without the sandbox, and lists may name files and addresses anywhere.
    if arguments.sandbox == nil, RequestRights.isList(source) {
      policy.add(.network)
      let files = (try? QueueContents(of: Clip(.file(source))))?.files ?? []
      for file in files { policy.readFolder(of: PathParts.real(file) ?? file) }
    }
    return policy
  }

  /// The options of a render, and the ending of its output, with which they have to fit.
  private struct Wanted: Hashable {
    let options: [PathName]
    let ending: String

    static func ending(of path: String) -> String {
      let name = PathParts.split(path).name
      return name.lastIndex(of: ".").map { String(name[$0...]) } ?? ""
    }
  }

  /// Rights that a render needs: side files and caches.
  private func rights(of wanted: Wanted) throws -> SandboxPolicy {
    let folder = PathParts.start(of: root)
    let command = try RenderCommand.parsed(
      wanted.options.map(\.text) + ["--output=\(folder)output\(wanted.ending)", "--", "silence:1s"])
    return try RenderSandbox.policy(of: command)
  }
}
