// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Platform
import Synchronization

/// A line for people: a label in a column of its own, and a text.
struct LabelledLine {
  /// The meaning of a line, which a terminal shows by colour and weight.
  enum Tone {
    case plain, done, degraded, failed

    /// Parameters of SGR (ECMA-48, 8.3.117): bold, and green, yellow or red. These three stay apart by their
    /// brightness and by the label's word for people who see no colours.
    fileprivate var code: String {
      switch self {
      case .plain: "1"
      case .done: "1;32"
      case .degraded: "1;33"
      case .failed: "1;31"
      }
    }
  }

  let label: String
  let text: String
  var tone = Tone.plain
}

/// The form of labelled lines: on a terminal they are broken between words and coloured, elsewhere each is one line.
struct LineLayout {
  /// Columns of the terminal; `nil` where lines aren't broken.
  var width: Int?
  var hasColours = false
  /// Columns of the labels with the space after them.
  var indent = 10

  /// The lines with their ends; everything from outside is made safe.
  func text(_ lines: [LabelledLine]) -> String {
    lines.map(text).joined()
  }

  private func text(_ line: LabelledLine) -> String {
    let label = PlainText.line(line.label)
    let space = String(repeating: " ", count: max(0, indent - TextColumns.count(label)))
    let shown = hasColours && !label.isEmpty ? "\u{1B}[\(line.tone.code)m\(label)\u{1B}[0m" : label
    let text = PlainText.line(line.text)
    // On a very narrow terminal nothing would be gained.
    guard let width, width >= indent + 20 else { return shown + space + text + "\n" }
    let parts = TextColumns.wrapped(text, width - indent)
    return shown + space + parts.joined(separator: "\n" + String(repeating: " ", count: indent))
      + "\n"
  }
}

/// The option that says whether labels are coloured, for the commands' help; ``ColourChoice`` reads it.
struct ColourArguments: ParsableArguments {
  @Option(
    help:
      "Colours on stderr: auto (default: on terminals, unless NO_COLOR is set), always or never.")
  var color = Given(ColourChoice.auto)
}

/// Values of `--color`, which stands anywhere before `--`.
enum ColourChoice: String, CaseIterable {
  case auto
  case always
  case never

  private static let chosen = Mutex(ColourChoice.auto)

  /// Takes the choice from the words of a command line.
  /// - Throws: ``MediaError`` of kind `usage` for another value.
  static func take(from words: [String]) throws {
    let own = Array(words.prefix { $0 != "--" })
    guard let place = own.lastIndex(where: { $0 == "--color" || $0.hasPrefix("--color=") })
    else { return chosen.withLock { $0 = .auto } }
    let parts = own[place].split(separator: "=", maxSplits: 1)
    let text = parts.count > 1 ? String(parts[1]) : own.dropFirst(place + 1).first
    // A missing value is the parser's to refuse.
    guard let text else { return }
    let choice = try Given<ColourChoice>(argument: text).value(of: "--color")
    chosen.withLock { $0 = choice }
  }

  /// Whether labels on standard error are coloured: by default on terminals, unless NO_COLOR is set (no-color.org).
  static var isOn: Bool {
    switch chosen.withLock({ $0 }) {
    case .always: return true
    case .never: return false
    case .auto:
      let refused = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
      let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
      return Terminal.isInteractive && !refused && !isDumb
    }
  }
}
