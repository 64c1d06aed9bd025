// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The words of a command line before and after argument-parser has read them.
enum CommandWords {
  /// `words` as argument-parser is to read them.
  /// - Throws: ``MediaError`` of kind `usage` for help on a command that doesn't exist, for which the parser prints its
  ///   general help.
  static func settled(_ words: [String]) throws -> [String] {
    try ColourChoice.take(from: words)
    let first = words.first
    if first == "help" { try checkHelp(words) }
    // ffmpeg's option would be read as -v and -n, a dry run.
    if words.prefix(while: { $0 != "--" }).contains("-vn") {
      throw MediaError(
        .usage, "-vn: pinna has no such option; use --video drop, or -v -n for a dry run in full")
    }
    // Its options are those of its usual subcommand, which the parser shows under that name only.
    if first == "audition", words.count == 2, ["-h", "--help"].contains(words[1]) {
      return ["help", "audition", "page"]
    }
    return StrictClasses.settled(words)
  }

  /// The sentence for `message`, with which argument-parser refuses `words`.
  static func refusal(of words: [String], _ message: String) -> String {
    guard let root = try? CommandTree.root() else { return message }
    return ParserRefusal(words, root: root).sentence(for: message)
  }

  private static func checkHelp(_ words: [String]) throws {
    var command = try CommandTree.root()
    for (index, word) in words.dropFirst().enumerated() where !word.hasPrefix("-") {
      guard let below = command.command(word) else {
        let known = (["pinna"] + words[1..<index + 1]).joined(separator: " ")
        throw MediaError(.usage, command.lacks(word, called: known))
      }
      command = below
    }
  }
}
