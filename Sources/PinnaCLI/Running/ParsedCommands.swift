import AudioCore
import Batch
import Rendering
import Synchronization

/// Parsed arguments of `render`, by their options: items of a batch that differ in nothing but their names are parsed
/// once, because parsing takes longer than finding out that an item is done already.
final class ParsedCommands: Sendable {
  /// Most options that are remembered; a manifest can give each item its own.
  private static let most = 64

  private let known = Mutex<[[PathName]: RenderCommand]>([:])

  /// The requests that `words` ask for, and the head trajectory that they name.
  /// - Throws: ``MediaError`` of kind `usage` or `unsupportedFeature`.
  func requests(_ words: RenderWords) throws -> (requests: [RenderRequest], trajectory: String?) {
    // Options hold paths, such as those of HRTF sets.
    let key = words.options.map(PathName.init)
    return try known.withLock { known in
      var command: RenderCommand
      if let found = known[key] {
        command = found
      } else {
        command = try RenderCommand.parsed(words.options + ["--output=output"])
        if known.count >= ParsedCommands.most { known = [:] }
        known[key] = command
      }
      command.output = words.output
      command.inputs = [words.source]
      return (try command.requests(command.choice()), command.listener.trajectory)
    }
  }
}
