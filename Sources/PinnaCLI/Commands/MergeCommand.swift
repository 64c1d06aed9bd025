import ArgumentParser
import AudioCore
import Batch
import Rendering
import Report

/// `pinna merge`.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract:
      "Join the results of a batch's shards into one report; exit 10 names what is missing.",
    discussion:
      "Give the same manifest, folder or list, and the same options, as to pinna batch --shard.")

  @OptionGroup var source: BatchSourceArguments
  @Option(help: "How many shards there must be (default: as many as their records say).")
  var shards: Int?
  @OptionGroup(title: "Reports") var reports: BatchReportArguments
  @OptionGroup(title: "Input") var input: InputArguments
  @OptionGroup(title: "Render") var render: RenderArguments
  @OptionGroup(title: "Listener") var listener: ListenerArguments

  func run() throws {
    if let shards { _ = try Shard(index: 1, count: shards) }
    let plan = try BatchFaultText.telling { try source.plan(render, command: "merge") }
    try reports.check(plan, count: plan.items.count, overwrite: render.overwrite)
    let outcome = try BatchMerge(plan: plan, version: PinnaVersion.text).outcome(shards: shards)
    try reports.publish(outcome, root: plan.root)
    Terminal.error(
      try BatchTable.text(outcome, isQuiet: reports.quiet, wereFailuresTold: false))
    if outcome.head.exit != 0 { throw ExitStatus(code: outcome.head.exit) }
  }
}
