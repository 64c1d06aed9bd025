import AudioCore
import Batch
import MediaIn
import Platform
import Rendering

/// What the workers of a batch may do.
struct BatchSandbox {
  private let arguments: SandboxArguments
  private let root: String

  /// The sandbox of a batch whose outputs go to the folder `root`.
  init(_ arguments: SandboxArguments, root: String) {
    self.arguments = arguments
    self.root = root
  }

  /// What rendering `items` needs; `nil` where workers keep all rights: because that is asked for, or because this
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
    // Most items have the same options. What can't be parsed is told of by the worker that gets it.
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

  /// What reading the input at `source` needs: its whole folder, because it may be replaced before its turn comes.
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

  /// What a render needs: side files and caches.
  private func rights(of wanted: Wanted) throws -> SandboxPolicy {
    let folder = root.hasSuffix("/") ? root : root + "/"
    let command = try RenderCommand.parsed(
      wanted.options.map(\.text) + ["--output=\(folder)output\(wanted.ending)", "--", "silence:1s"])
    return try RenderSandbox.policy(of: command)
  }
}
