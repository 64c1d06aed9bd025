import ArgumentParser

/// `pinna audition`.
struct AuditionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audition",
    abstract: "Make a page to listen by: switch, choose blindly, ABX; or read what it saved.",
    usage: """
      pinna audition IN… -o page.html [options]
      pinna audition results FILE…
      """,
    discussion: "pinna help audition page lists the options.",
    subcommands: [AuditionPageCommand.self, AuditionResultsCommand.self],
    defaultSubcommand: AuditionPageCommand.self)
}
