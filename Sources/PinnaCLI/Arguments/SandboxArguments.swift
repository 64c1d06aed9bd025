import ArgumentParser

/// What a render in the sandbox may do.
struct SandboxArguments: ParsableArguments {
  @Flag(
    inversion: .prefixedNo,
    help:
      "Keep the run to its inputs, the folders of its outputs and, without web addresses, off the network (batch workers: on by default)."
  )
  var sandbox: Bool?
  @Option(
    help: ArgumentHelp(
      "Another file or folder that may be read in the sandbox (repeatable).", valueName: "path"))
  var sandboxRead: [String] = []
}
