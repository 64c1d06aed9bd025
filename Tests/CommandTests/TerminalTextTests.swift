// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import PinnaCLI

/// All that is shown passes one place, and nothing in it is a command to the terminal but what Pinna means.
@Suite struct TerminalTextTests {
  private static let hostile =
    "a\u{1B}[2J\r\u{7}\u{85}\u{9B}\u{202E}\u{2069}\u{2028}\u{7F}\t\u{0}é\n漢"
  private static let safe = "a\u{FFFD}[2J" + String(repeating: "\u{FFFD}", count: 10) + "é\n漢"

  /// The text that `body` writes.
  private func written(_ body: () -> Void) -> (output: [UInt8], errors: String) {
    let record = TerminalRecord()
    TerminalRecord.$current.withValue(record, operation: body)
    return (record.output, record.errors)
  }

  @Test("text is made safe wherever it is written, and keeps its lines")
  func textIsMadeSafe() {
    let (hostile, safe) = (TerminalTextTests.hostile, TerminalTextTests.safe)
    #expect(written { Terminal.output(hostile) }.output == Array(safe.utf8))
    #expect(written { Terminal.error(hostile) }.errors == safe)
    // A sentence has no line feed of its own.
    let line = safe.replacing("\n", with: "\u{FFFD}")
    #expect(written { Terminal.complain(hostile) }.errors == "pinna: \(line)\n")
    #expect(PlainText.shown("plain text\n") == "plain text\n")
  }

  @Test("data in a file or a pipe keep their bytes")
  func dataKeepTheirBytes() {
    let hostile = TerminalTextTests.hostile
    #expect(written { Terminal.output(data: hostile) }.output == Array(hostile.utf8))
  }

  @Test("text over other text moves the cursor, and nothing that it holds does")
  func onlyOverdrawingMovesTheCursor() {
    let (hostile, safe) = (TerminalTextTests.hostile, TerminalTextTests.safe)
    #expect(written { Terminal.overdraw(hostile) }.errors == "\r\u{1B}[K" + safe)
    #expect(written { Terminal.overdraw(lines: 3, hostile) }.errors == "\r\u{1B}[3A\u{1B}[J" + safe)
    #expect(written { Terminal.overdraw(lines: 0, hostile) }.errors == safe)
    #expect(written { Terminal.overdraw() }.errors == "\r\u{1B}[K")
  }
}

/// Names of files with commands to the terminal, through a batch and all that it writes.
@Suite(.tags(.system), .fullRunOnly) struct HostileNameTests {
  private static let names = [
    "esc\u{1B}[31mred", "bell\u{7}", "line\nok      done", "turn\u{202E}wav", "next\u{85}",
    "del\u{7F}",
    "csi\u{9B}2J", "isolate\u{2066}", "part\u{2029}",
  ]
  private let place: BatchFolder

  init() throws {
    place = try BatchFolder()
    for name in HostileNameTests.names { try place.programme(name + ".wav") }
    // One of them fails, and one is left aside.
    try Data("no sound".utf8).write(to: place.folder.url("in/bad\u{1B}c.wav"))
    try Data("no sound".utf8).write(to: place.folder.url("in/notes\u{9B}.txt"))
  }

  private func check(_ text: String, _ what: String) {
    let odd = text.unicodeScalars.filter { !$0.isPlain && $0 != "\n" }
    #expect(odd.isEmpty, "\(what): \(odd.map { String($0.value, radix: 16) })")
  }

  @Test("a batch shows and writes no command to the terminal, and its report has the names' bytes")
  func batches() throws {
    let count = HostileNameTests.names.count
    for options in [["-n"], ["--progress", "ndjson"], [], ["-y"], ["-q"]] {
      let result = try place.batch(to: "out", options)
      check(result.errors + String(decoding: result.output, as: UTF8.self), "\(options)")
      if options.isEmpty {
        let cached = result.errors.split(separator: "\n").filter { $0.contains("done before") }
        #expect(cached.count == count, "\(result.errors)")
      }
    }
    let pages = ["junit": "x.xml", "markdown": "x.md", "html": "x.html", "report": "x.json"]
    let written = pages.flatMap { ["--\($0.key)", place.folder.file($0.value)] }
    let outcome = try place.report(to: "out", written)
    let wanted = (HostileNameTests.names + ["bad\u{1B}c"]).map { Array("\($0).wav".utf8) }
    #expect(Set(outcome.ids.map { Array($0.utf8) }) == Set(wanted))
    for name in pages.values {
      check(try String(contentsOf: place.folder.url(name), encoding: .utf8), name)
    }
  }

  @Test("each item of a batch has one line, whatever its name")
  func itemsHaveOneLine() throws {
    let result = try place.batch()
    let done = result.errors.split(separator: "\n").filter { $0.hasPrefix("ok ") }
    #expect(done.count == HostileNameTests.names.count, "\(result.errors)")
  }
}
