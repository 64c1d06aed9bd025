import ArgumentParser

/// How a render run behaves.
struct RunArguments: ParsableArguments {
  @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "Stop before rendering.")
  var dryRun = false
  @Option(name: [.customShort("j")], help: "Files rendered at once.")
  var jobs = 1
  @Option(help: "Write the JSON report to this file.")
  var report: String?
  @Flag(help: "Print the JSON report on stdout.")
  var json = false
  @Option(help: "Progress on stderr: auto, none or ndjson.")
  var progress = "auto"
  @Option(
    help:
      "Threads of one file: 1, or 2 to decode and measure beside the rest (default: 2, with -j 1)."
  )
  var threads: Int?
  @Option(help: "Samples a block; the output doesn't depend on it.")
  var blockSize: Int?
  @Option(help: "Rendered audio held in memory before a temporary file takes over.")
  var maxMemory = "8M"
  @Option(help: "Largest output, counted as uncompressed samples, e.g. 2G; without it no limit.")
  var maxOutputSize: String?
  @Flag(help: "Use the portable code paths of libav: same bits on every processor.")
  var deterministic = false
  @OptionGroup var sandbox: SandboxArguments
  @Option(help: StrictClasses.help)
  var strict: String?
  @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Only errors.")
  var quiet = false
  @Flag(name: [.customShort("v"), .customLong("verbose")], help: "Decisions too.")
  var verbose = false
}
