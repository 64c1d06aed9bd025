// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

/// On a terminal, progress is drawn while a job runs, and nothing of it is left at the end.
@Suite(
  .tags(.system), .fullRunOnly, .enabled(if: Tool.isInstalled("python3"), "python3 is not here"))
struct TerminalTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a.wav", "b.wav"] {
      try TestProgramme.wav(channels: 2, seconds: 2).write(to: folder.url(name))
    }
    try Data("no media".utf8).write(to: folder.url("c.wav"))
  }

  /// Lines without figures of time and memory, which differ from run to run, and with single blanks.
  private func words(_ lines: [String]) -> [String] {
    lines.map {
      $0.replacing(#/[0-9.]+(×| CPU s| MiB| s$)/#, with: "")
        .replacing(#/ [0-9]+\.[0-9]{2}( |$)/#, with: " ").replacing(#/ +/#, with: " ")
    }
  }

  /// Lines of a run where there is no terminal.
  private func plain(_ arguments: [String]) throws -> [String] {
    let result = try Product.run(arguments)
    let text = result.errors + String(decoding: result.output, as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }

  /// Checks that no bar stands on the terminal in the end, and returns what stands there.
  private func left(by run: TerminalRun) -> [String] {
    let screen = run.screen
    #expect(screen.unknown.isEmpty, "\(screen.unknown)")
    #expect(!screen.lines.joined().contains(#/[█░]/#), "\(screen.lines)")
    return screen.lines
  }

  @Test("a render draws a bar on a terminal up to 100 % and removes the bar at the end")
  func theBarOfARenderIsDrawnAndRemoved() throws {
    let arguments = ["render", folder.file("a.wav"), "-o", folder.file("out.wav"), "-y"]
    let run = try TerminalRun(arguments)
    #expect(run.status == 0)
    let bars = run.text.split(separator: "\r\u{1B}[K")
    #expect(bars.first?.wholeMatch(of: #/render █{0,29}░{1,30} +[0-9]+ %.*/#) != nil, "\(bars)")
    // One bar for all passes, which never goes back, and is full at the end of the last one.
    let parts = bars.compactMap { $0.firstMatch(of: #/ ([0-9]+) %/#).flatMap { Int($0.output.1) } }
    #expect(parts == parts.sorted(), "\(bars)")
    let whole = "verify " + String(repeating: "█", count: 30) + " 100 %"
    #expect(bars.dropLast().last?.hasPrefix(whole) == true, "\(bars)")
    #expect(words(left(by: run)) == words(try plain(arguments)))
  }

  @Test(
    "-q and --progress none draw no bar", arguments: [["-q"], ["--progress", "none"]])
  func barsCanBeLeftOut(options: [String]) throws {
    let run = try TerminalRun(
      ["render", folder.file("a.wav"), "-o", folder.file("out.wav")] + options)
    #expect(run.status == 0)
    #expect(!run.text.contains("\r\u{1B}"), "\(run.text)")
    let plain = try TerminalRun(
      ["render", folder.file("a.wav"), "-o", folder.file("other.wav"), "--color", "never"] + options
    )
    #expect(!plain.text.contains("\u{1B}"), "\(plain.text)")
    // The summary is left out by -q alone.
    #expect(run.text.isEmpty == (options == ["-q"]), "\(run.text)")
  }

  @Test(
    "names of files give a terminal no commands, in data either",
    arguments: [
      ["measure", "--csv"], ["measure", "--json"], ["measure"], ["probe"], ["probe", "--json"],
    ])
  func namesAreNoCommands(words: [String]) throws {
    let name = folder.file("x\u{1B}[2J\u{7}\u{9B}\u{202E}\u{85}.wav")
    try FileManager.default.copyItem(atPath: folder.file("a.wav"), toPath: name)
    let run = try TerminalRun(words + [name])
    #expect(run.status == 0, "\(run.text)")
    // A bar may have been drawn; the terminal puts a carriage return before each line feed.
    let text = run.text.replacing("\r\u{1B}[K", with: "")
    let odd = text.unicodeScalars.filter { !$0.isPlain && $0 != "\r" && $0 != "\n" }
    #expect(odd.isEmpty, "\(words): \(odd.map { String($0.value, radix: 16) })")
    #expect(text.contains("[2J"), "\(text)")
  }

  @Test("a failed render leaves one sentence on the terminal")
  func aFailedRenderLeavesOneSentence() throws {
    let run = try TerminalRun(["render", folder.file("c.wav"), "-o", folder.file("out.wav")])
    #expect(run.status == 3)
    let lines = left(by: run)
    #expect(lines.count == 1, "\(lines)")
    #expect(lines.first?.hasPrefix("pinna: " + folder.file("c.wav")) == true, "\(lines)")
  }

  @Test("a batch shows a line for each worker, and at the end its table")
  func aBatchShowsItsWorkersAndThenItsTable() throws {
    let list = folder.file("list.txt")
    let names = ["a.wav", "b.wav", "c.wav"]
    try names.map(folder.file).joined(separator: "\n").write(
      toFile: list, atomically: true, encoding: .utf8)
    func arguments(_ out: String) -> [String] {
      ["batch", "--input-list", list, "-O", folder.file(out), "-j", "2"]
    }
    let run = try TerminalRun(arguments("one"))
    #expect(run.status == 10)
    // A line for the whole, and one for each worker that has something to do.
    let start = String(repeating: "░", count: 30) + " 0 of 3\r\n  begin "
    #expect(run.text.hasPrefix(start), "\(run.text)")
    let lines = left(by: run)
    #expect(lines.first?.hasPrefix("FAILED  ") == true)
    // A file that ended well is a line of its own only where nothing moves.
    let other = try plain(arguments("two")).filter { !$0.hasPrefix("ok  ") }
    #expect(words(lines).sorted() == words(other).sorted())
  }

  @Test("a failure of measure stands on a line of its own")
  func aMeasurementsFailureStandsOnALineOfItsOwn() throws {
    let run = try TerminalRun(["measure"] + ["a.wav", "c.wav", "b.wav"].map(folder.file))
    #expect(run.status != 0)
    #expect(run.text.contains("\r\u{1B}[Kmeasuring "))
    let lines = left(by: run)
    #expect(lines.contains { $0.hasPrefix("pinna: \(folder.file("c.wav"))") }, "\(lines)")
    #expect(lines.contains { $0.hasSuffix(folder.file("b.wav")) }, "\(lines)")
  }
}
