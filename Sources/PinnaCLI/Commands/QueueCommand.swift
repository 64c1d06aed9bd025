import ArgumentParser
import AudioCore

/// `pinna queue`.
struct QueueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue",
    abstract: "Show, convert, edit and compare queues: many items that make one programme.",
    discussion: """
      A queue is a pinna.queue file in YAML, or a list of another program: CUE, M3U, XSPF, PLS or \
      OpenTimelineIO. pinna render takes each of them as its input. Nothing here renders.
      """,
    subcommands: [
      QueueShowCommand.self, QueueConvertCommand.self, QueueEditCommand.self,
      QueueDiffCommand.self, QueuePinCommand.self,
    ])

  /// Prints doubts about what was read, which the file that is written doesn't hold.
  static func tell(_ degradations: [Diagnostic]) {
    for one in degradations {
      Terminal.error(PlainText.line("\(one.code.rawValue)  \(one.message)") + "\n")
    }
  }
}
