import ArgumentParser

/// `pinna golden`.
struct GoldenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "golden",
    abstract: "Record what commands make of their inputs, and verify that it stays so.",
    discussion: """
      A golden is a folder with case.json (what is run, why, and by which oracle the first values \
      are right) and expected.json (what came of it: lengths, boxes, levels second by second, \
      hashes). Hashes decide where libavcodec is the recorded one, and the processor too unless \
      the command says --deterministic; elsewhere the levels decide, and the output says so.
      """,
    subcommands: [
      GoldenVerifyCommand.self, GoldenRecordCommand.self, GoldenBlessCommand.self,
      GoldenListCommand.self,
    ])
}
