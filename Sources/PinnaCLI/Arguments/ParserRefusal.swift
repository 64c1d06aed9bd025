// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Rendering

/// A command line that argument-parser refuses, in Pinna's words: one sentence that names the word and leads on.
struct ParserRefusal {
  private let words: [String]
  /// The command that reads the words, and its full name.
  private let command: CommandTree
  private let name: String
  /// The first word after the command's name.
  private let next: String?

  /// The refusal of `words`, the first of which names a command of `root`.
  init(_ words: [String], root: CommandTree) {
    self.words = words
    var (command, name, rest) = (root, root.commandName, words[...])
    while let word = rest.first, let below = command.command(word) {
      (command, name, rest) = (below, name + " " + word, rest.dropFirst())
    }
    if let usual = command.defaultSubcommand.flatMap({ command.command($0) }) { command = usual }
    self.command = command
    self.name = name
    next = rest.first
  }

  /// The sentence for `message`, which argument-parser makes.
  func sentence(for message: String) -> String {
    if let next, !next.hasPrefix("-"), !command.shown.isEmpty { return unknownCommand(next) }
    if let foreign { return foreign }
    let line = message.split(separator: "\n").first.map(String.init) ?? message
    for rule in rules {
      if let quoted = ParserRefusal.quoted(line, after: rule.beginning) { return rule.says(quoted) }
    }
    return line
  }

  /// Beginnings of argument-parser's messages, and what is said instead of each, from its quoted words.
  private var rules: [(beginning: String, says: ([String]) -> String)] {
    [
      ("Unknown option ", { unknownOption($0[0]) }),
      ("Missing value for ", { missingValue($0[0]) }),
      ("Missing expected argument ", { missingArgument($0[0]) }),
      ("Missing one of: ", { missingArgument($0[0]) }),
      ("The value ", { "\(option($0.last)) \($0[0]): not a whole number" }),
      ("The option ", { "\($0[0]): takes no value; leave out =\($0.last ?? "")" }),
      ("Unexpected argument ", { extra($0[0]) }),
      // The number stands first.
      ("unexpected arguments: ", { extra($0[0]) }),
      (
        "Can't generate completion scripts for ",
        { "--generate-completion-script=\($0[0]): give zsh, bash or fish" }
      ),
    ]
  }

  /// The words between quotation marks of `line` after `beginning`; `nil` where it hasn't any.
  private static func quoted(_ line: String, after beginning: String) -> [String]? {
    guard let found = line.firstRange(of: beginning) else { return nil }
    let parts = line[found.upperBound...].split(separator: "'", omittingEmptySubsequences: false)
    let words = stride(from: 1, to: parts.count, by: 2).map { String(parts[$0]) }
    return words.isEmpty ? nil : words
  }

  private func unknownCommand(_ word: String) -> String {
    if name == "pinna", let advice = ParserRefusal.adviceForFile(word) { return advice }
    if name == "pinna", let own = ForeignOptions.commands[word] {
      return "\(word): pinna has no such command; use \(own)"
    }
    return command.lacks(word, called: name)
  }

  /// The advice for a file or a folder in the place of a command; `nil` for any other word.
  private static func adviceForFile(_ word: String) -> String? {
    if PathParts.isFolder(word) {
      return "\(word): give a command first, e.g. pinna batch \(word) -O rendered"
    }
    let isFile = word.contains("/") || word.contains(".") || word == "-"
    guard isFile || access(word, F_OK) == 0 else { return nil }
    return
      "\(word): give a command first, e.g. pinna render \(word) -o out.wav, or pinna probe \(word)"
  }

  private func unknownOption(_ option: String) -> String {
    let typed = words.first { $0 == option || $0.hasPrefix(option + "=") } ?? option
    let word = typed.prefix { $0 != "=" }
    let beginning = "\(word): \(name) has no such option; "
    guard command.shown.isEmpty else {
      return beginning + "a command comes first (\(name) --help lists them)"
    }
    let long = command.options.filter { $0.hasPrefix("--") }
    // Options are shortened by some, and lengthened by others.
    let akin = long.filter { $0.count > 4 && ($0.hasPrefix(word) || word.hasPrefix($0)) }
    let near = Suggestion.nearest(to: option, among: long) ?? (akin.count == 1 ? akin[0] : nil)
    return beginning + (near.map { "did you mean \($0)?" } ?? "\(name) --help lists them")
  }

  /// The sentence for the first option that other programs have, and this command hasn't.
  private var foreign: String? {
    let known = Set(command.options)
    for word in words.prefix(while: { $0 != "--" }) {
      let option = String(word.prefix { $0 != "=" })
      guard !known.contains(option), let own = ForeignOptions.table[option] else { continue }
      // Another command may not have what does the work in `render`.
      let isThere = own.split(separator: " ").first.map { known.contains(String($0)) } ?? false
      if option == "-i" { return "-i: inputs stand without an option, e.g. \(name) film.mkv" }
      if isThere { return "\(option): \(name) has no such option; use \(own)" }
    }
    return nil
  }

  private func missingValue(_ quoted: String) -> String {
    "\(option(quoted)): give a value: \(purpose(of: option(quoted)))"
  }

  private func missingArgument(_ quoted: String) -> String {
    let shown = quoted.replacing(" ...", with: "")
    let what = purpose(of: option(shown))
    let own = name.split(separator: " ").dropFirst().joined(separator: " ")
    // The name of an output at the end is a habit of ffmpeg and sox.
    if option(shown) == "--output", words.count > 2, let last = words.last, !last.hasPrefix("-"),
      !words[words.count - 2].hasPrefix("-"), OutputExtension(last).kind != nil,
      access(last, F_OK) != 0
    {
      return "\(own) needs \(shown): did you mean -o \(last)?"
    }
    return "\(own) needs \(shown): \(what)"
  }

  private func extra(_ word: String) -> String {
    "\(word): one word too many; \(name) --help shows its form"
  }

  /// The option or the placeholder in `text`, without a value's name.
  private func option(_ text: String?) -> String {
    text?.split(separator: " ").first.map(String.init) ?? ""
  }

  /// The help of an option or placeholder as a part of a sentence.
  private func purpose(of name: String) -> String {
    let argument = (command.arguments ?? []).first { argument in
      (argument.names ?? []).contains { $0.text == name } || "<\(argument.valueName ?? "")>" == name
    }
    var text = argument?.abstract ?? ""
    if text.hasSuffix(".") { text.removeLast() }
    // A word of capitals, such as HLS, keeps them.
    guard let second = text.dropFirst().first, second.isLowercase else { return text }
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

/// Options of ffmpeg, ffmpeg-normalize, SoX and others, each with the words that ask Pinna for the same.
enum ForeignOptions {
  static let table = [
    "-i": "", "-map": "-a", "-ss": "--start", "-t": "--duration", "-to": "--end", "-ar": "-r",
    "--rate": "-r", "--sample-rate": "-r", "-ac": "--layout", "--channels": "--layout",
    "-channel_layout": "--layout", "-vn": "--video drop", "-sn": "--subtitles drop",
    "-c:v": "--video copy", "-vcodec": "--video copy", "-acodec": "-c:a", "-codec:a": "-c:a",
    "--codec": "-c:a", "--audio-codec": "-c:a", "-ab": "-b:a", "--bitrate": "-b:a",
    "--bit-rate": "-b:a", "-af": "--tap post:avfilter=…", "-filter:a": "--tap post:avfilter=…",
    "--lufs": "--loudness", "--lkfs": "--loudness", "-nt": "--loudness", "--target": "--loudness",
    "--target-level": "--loudness", "-tp": "--true-peak", "--peak": "--true-peak",
    "--ceiling": "--true-peak", "--dual_mono": "--dual-mono", "--extension": "-f",
    "--format": "-f", "-ext": "-f", "--bits": "-b", "--bit-depth": "-b", "-sample_fmt": "-b",
    "--force": "--overwrite", "--silent": "--quiet", "-loglevel": "--quiet",
    "--output-format": "-f", "--binaural": "-e headphones", "--headphones": "-e headphones",
    "--speakers-span": "--speaker-span", "-hide_banner": "--quiet",
    "--gain": "--loudness off --tap post:avfilter=volume=volume=3dB",
    "--language": "-a lang:…", "--track": "-a", "-c": "-c:a", "--normalize": "--loudness",
  ]

  /// Commands of other programs, each with the one that does the same.
  static let commands = [
    "convert": "render", "transcode": "render", "encode": "render", "normalize": "render",
    "info": "probe", "identify": "probe", "inspect": "probe", "analyze": "measure",
    "analyse": "measure", "loudness": "measure", "scan": "measure", "diff": "compare",
    "check": "validate", "verify": "validate", "version": "--version",
  ]
}
