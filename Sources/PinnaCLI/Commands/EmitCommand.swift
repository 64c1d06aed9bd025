// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Batch
import MediaOut
import Platform
import Rendering

/// `pinna emit`.
struct EmitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "emit",
    abstract: "Write what runs a batch on Slurm, Kubernetes, AWS Batch, Snakemake or GNU parallel.",
    discussion: """
      The batch is planned first, so that what is wrong with it shows here. Options of batch and merge \
      may follow after --, such as -- --on-damage conceal.
      """)

  @Argument(help: "slurm, kubernetes, aws-batch, snakemake or gnu-parallel.") var engine: String
  @Argument(help: "Manifest, or folder of media files.") var source: String
  @Option(
    name: [.customShort("O"), .customLong("output-folder")], help: "Folder for outputs and results."
  )
  var root: String
  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp("Write to this file.", valueName: "file|-"))
  var output = "-"
  @Flag(name: [.customShort("y"), .customLong("overwrite")], help: "Replace an existing file.")
  var overwrite = false
  @Option(help: "Parts the batch is cut into.") var shards = 4
  @Option(help: "How pinna is called.") var program = "pinna"
  @Option(help: "Name of the jobs.") var jobName = "pinna"
  @Option(help: "Processors of a shard; files are rendered side by side on them.") var cpus = 1
  @Option(help: "Memory of a shard.") var memory = Given<Int>(default: "2G")
  @Option(help: "Time a shard may take, such as 2:00:00.") var time: String?
  @Option(help: "Time a file may take, such as 10:00.") var jobTimeout: String?
  @Option(help: "Times a shard is started again after failures that may pass.") var retries = 3
  @OptionGroup var containers: EmitContainers
  @Argument(parsing: .postTerminator, help: "Options of pinna batch and merge.")
  var options: [String] = []

  func run() throws {
    let engine = try Given<EmitEngine>(argument: engine).value(of: "ENGINE")
    var order = EmitOrder(source: source, root: root)
    order.options = options
    order.jobTimeout = jobTimeout
    order.shards = shards
    order.program = program
    order.cpus = cpus
    order.memory = try memory.bytes(of: "--memory") >> 20
    order.minutes = try time.map(EmitCommand.minutes)
    order.retries = retries
    order.image = containers.image
    order.name = jobName
    order.volume = containers.volume
    order.mount = containers.mount
    order.queue = containers.queue
    let text = try order.text(for: engine)
    let plan = try check()
    try order.checkInputs(of: plan, for: engine)
    guard output != "-" else { return Terminal.output(data: text) }
    if let role = plan.role(of: output) {
      throw MediaError(.outputUnwritable, "-o \(output): is \(role); give another name")
    }
    guard !OutputPlace(output, overwrite: overwrite).isTaken else {
      throw MediaError(.outputExists, "\(output) exists; add -y to replace it")
    }
    try TextFile.write(text, to: output)
  }

  /// Plans the batch in the same way as a shard will, so that its faults show now.
  private func check() throws -> BatchPlan {
    let own = [
      "-O", "--output-folder", "--shard", "--report", "--junit", "--markdown", "--csv", "--html",
    ]
    if let word = options.first(where: { word in own.contains { word.hasPrefix($0) } }) {
      throw MediaError(.usage, "after --: \(word) is what emit chooses itself; leave it out")
    }
    let merge: MergeCommand
    do {
      merge = try MergeCommand.parse(StrictClasses.settled([source, "-O", root] + options))
    } catch {
      throw MediaError(
        .usage,
        "after --: \(MergeCommand.message(for: error)); give what batch and merge both take")
    }
    try BatchSourceArguments.check(merge.render)
    return try BatchFaultText.telling {
      var planner = try merge.source.planner(merge.input, merge.render, merge.listener)
      return try planner.plan(BatchSource(path: source))
    }
  }

  private static func minutes(_ text: String) throws -> Int {
    guard case .clock(let time) = try TimeSpec(text, option: "--time"), time.ticks > 0 else {
      throw MediaError(.usage, "--time \(text): give a time such as 2:00:00")
    }
    return max(1, Int((time.samples(at: 1) + 59) / 60))
  }
}

/// Options of `pinna emit` for engines that run containers.
struct EmitContainers: ParsableArguments {
  @Option(help: "Container image (kubernetes, aws-batch).") var image: String?
  @Option(help: "What containers mount: a claim of Kubernetes, a file system of AWS.")
  var volume = "media"
  @Option(help: "Where containers mount it.") var mount = "/data"
  @Option(help: "Queue (aws-batch).") var queue: String?
}
