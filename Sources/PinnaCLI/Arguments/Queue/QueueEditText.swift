import AudioCore
import PlayQueue
import Synchronization

/// A value with its place on the command line. The parser keeps values of one option in order, but not those of
/// several options.
struct PlacedArgument {
  /// How many values were met so far.
  private static let counter = Atomic<Int>(0)

  /// Its place among all such values.
  let place: Int
  /// The value as typed.
  let text: String

  /// `text` at the next place; the parser calls it in the order of the command line.
  @Sendable static func place(_ text: String) -> PlacedArgument {
    PlacedArgument(place: counter.add(1, ordering: .relaxed).newValue, text: text)
  }
}

/// Turns what is typed about edits into numbers and items.
enum QueueEditText {
  /// The number of an item, from 1; `what` is the option with its value.
  /// - Throws: ``MediaError`` of kind `usage`.
  static func number(_ text: some StringProtocol, _ what: String) throws -> Int {
    guard let number = Int(text), number > 0 else {
      throw MediaError(.usage, "\(what): give the number of an item, from 1")
    }
    return number
  }

  /// `2=x.wav`: a number, and an item of the source behind it.
  /// - Throws: ``MediaError`` of kind `usage`.
  static func item(_ text: String, _ option: String) throws -> (number: Int, item: QueueItem) {
    guard let equals = text.firstIndex(of: "="), text.index(after: equals) < text.endIndex else {
      throw MediaError(
        .usage, "\(option) \(text): give a number and a source, e.g. \(option) 2=x.wav")
    }
    let source = String(text[text.index(after: equals)...])
    return (
      try number(text[..<equals], "\(option) \(text)"),
      try JoinedInputs.item(source, option: option)
    )
  }

  /// `4:1`: the numbers of an item before and after it moves.
  /// - Throws: ``MediaError`` of kind `usage`.
  static func numbers(_ text: String) throws -> (from: Int, to: Int) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw MediaError(.usage, "--move \(text): give two numbers, e.g. --move 4:1")
    }
    return (try number(parts[0], "--move \(text)"), try number(parts[1], "--move \(text)"))
  }
}
