// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import PlayQueue
import Rendering
import Synchronization

/// `pinna queue edit`.
struct QueueEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change items of a queue file.",
    discussion: """
      Edits are made in the order given; a number means the item that has it by then. Files are relative to the \
      working folder. The file is replaced as a whole or not at all; comments in it are lost. Lists of other \
      programs are changed after pinna queue convert.
      """)

  @Argument(help: "The queue.") var queue: String
  @Option(
    help: ArgumentHelp(
      "Give an item another source: a file, FILE#t=START,END, or silence:LENGTH (repeatable).",
      valueName: "number=source"), transform: PlacedArgument.place)
  var replace: [PlacedArgument] = []
  @Option(
    help: ArgumentHelp("Remove an item (repeatable).", valueName: "number"),
    transform: PlacedArgument.place)
  var remove: [PlacedArgument] = []
  @Option(
    help: ArgumentHelp(
      "Insert a source, so that it becomes this item (repeatable).", valueName: "number=source"),
    transform: PlacedArgument.place)
  var insert: [PlacedArgument] = []
  @Option(
    help: ArgumentHelp("Move an item to another number (repeatable).", valueName: "number:number"),
    transform: PlacedArgument.place)
  var move: [PlacedArgument] = []
  @Option(
    help: ArgumentHelp(
      "Set a key of an item, e.g. 3.gain=-2dB; without a value unset it (repeatable).",
      valueName: "number.key=value"), transform: PlacedArgument.place)
  var set: [PlacedArgument] = []
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: "The file to write instead of the queue itself, named .yaml or .yml.")
  var output: String?
  @Flag(name: [.customShort("y"), .customLong("overwrite")], help: "Replace an existing output.")
  var overwrite = false

  func run() throws {
    let edits = try self.edits()
    guard !edits.isEmpty else {
      throw MediaError(
        .usage, "queue edit: nothing to do; give --replace, --remove, --insert, --move or --set")
    }
    if let output {
      guard QueueFile.format(ofOutput: output) == .queue else {
        throw MediaError(.usage, "-o \(output): give a name that ends in .yaml or .yml")
      }
      try QueueOutput.check(output, notOver: queue, overwrite)
    }
    let file = try QueueFile(queue)
    try file.checkRewritable()
    let changed = try file.applying(edits)
    try file.write(
      changed, as: .queue, to: output ?? queue, overwrite: output == nil || overwrite)
    QueueOutput.tellComments(of: file, in: output ?? queue)
  }

  /// All edits in the order of the command line.
  private func edits() throws -> [QueueEdit] {
    var placed: [(place: Int, edit: QueueEdit)] = []
    for one in replace {
      let (number, item) = try QueueEditText.item(one.text, "--replace")
      placed.append((one.place, .replace(number: number, with: item.source)))
    }
    for one in remove {
      placed.append(
        (one.place, .remove(number: try QueueEditText.number(one.text, "--remove \(one.text)"))))
    }
    for one in insert {
      let (number, item) = try QueueEditText.item(one.text, "--insert")
      placed.append((one.place, .insert(item, number: number)))
    }
    for one in move {
      let (from, to) = try QueueEditText.numbers(one.text)
      placed.append((one.place, .move(number: from, to: to)))
    }
    for one in set { placed.append((one.place, .set(one.text))) }
    return placed.sorted { $0.place < $1.place }.map(\.edit)
  }
}

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
