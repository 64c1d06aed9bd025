// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The text on a terminal after a program has written to it: as many columns as it is asked for, and rows without end.
/// Control sequences are those that Pinna uses.
package struct TerminalScreen {
  /// Control sequences that it doesn't know.
  package private(set) var unknown: [String] = []
  private let columns: Int
  private var rows: [[Character]] = [[]]
  private var row = 0
  private var column = 0

  /// The screen after `text`.
  package init(_ text: String, columns: Int) {
    self.columns = columns
    // Swift takes a carriage return and a line feed for one character.
    var rest = text.unicodeScalars.map(Character.init)[...]
    while let next = rest.popFirst() {
      switch next {
      case "\r": column = 0
      case "\n": down()
      case "\u{1B}": control(&rest)
      default: put(next)
      }
    }
  }

  /// The rows from the top, without blanks at their ends, and without empty rows at the end.
  package var lines: [String] {
    var lines = rows.map { row in
      String(row.reversed().drop { $0 == " " }.reversed())
    }
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  private mutating func down() {
    row += 1
    if row == rows.count { rows.append([]) }
  }

  private mutating func put(_ character: Character) {
    if column == columns {
      down()
      column = 0
    }
    while rows[row].count <= column { rows[row].append(" ") }
    rows[row][column] = character
    column += 1
  }

  /// `ESC [ number letter` (ECMA-48, 5.4).
  private mutating func control(_ rest: inout ArraySlice<Character>) {
    guard rest.popFirst() == "[" else { return unknown.append("ESC") }
    var number = ""
    while let digit = rest.first, digit.isNumber || digit == ";" {
      number.append(rest.removeFirst())
    }
    switch rest.popFirst() {
    // Weight and colour (SGR) put nothing anywhere.
    case "m": break
    case "A": row = max(0, row - (Int(number) ?? 1))
    case "K" where number.isEmpty: rows[row].removeLast(max(0, rows[row].count - column))
    case "J" where number.isEmpty:
      rows[row].removeLast(max(0, rows[row].count - column))
      rows.removeLast(rows.count - row - 1)
    case let letter: unknown.append("ESC [ \(number) \(letter.map(String.init) ?? "")")
    }
  }
}

/// A program that ran on a terminal.
package struct TerminalRun {
  /// Its exit code.
  package let status: Int32
  /// Text that it wrote to the terminal, both streams.
  package let text: String
  /// Columns of the terminal: enough for sentences with long paths.
  private static let columns = 400

  /// Runs `pinna` with `arguments` on a terminal.
  package init(_ arguments: [String]) throws {
    let script = """
      import fcntl, os, pty, struct, sys, termios
      pid, terminal = pty.fork()
      if pid == 0:
          fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, int(sys.argv[1]), 0, 0))
          os.execvp(sys.argv[2], sys.argv[2:])
      while True:
          try:
              data = os.read(terminal, 65536)
          except OSError:
              break
          sys.stdout.buffer.write(data)
      sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
      """
    let result = try Tool.run(
      "python3", ["-c", script, "\(TerminalRun.columns)", Product.path] + arguments,
      environment: ["PINNA_CACHE": "off"])
    (status, text) = (result.status, String(decoding: result.output, as: UTF8.self))
  }

  /// Terminal at the end.
  package var screen: TerminalScreen { TerminalScreen(text, columns: TerminalRun.columns) }
}
