// SPDX-License-Identifier: Apache-2.0
import Foundation
import Report
import TestSupport
import Testing

@testable import AudioCore
@testable import PinnaCLI

/// `pinna explain`: each code has its texts, and words find their codes.
@Suite(.tags(.system)) struct ExplainCommandTests {
  private func explained(_ words: [String]) async throws -> String {
    let result = try await InProcess.run(["explain"] + words)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    return String(decoding: result.output, as: UTF8.self)
  }

  /// Sentences of a text; none has a full stop inside.
  private static func sentences(_ text: String) -> [String] {
    text.split(separator: ". ").map(String.init)
  }

  /// Words that leave out what a sentence is about.
  private static let vague: Set<Substring> = [
    "What", "Where", "Those", "It", "Which", "Who", "Whose", "Likewise",
  ]

  @Test("each degradation, decision and error is explained in short, whole sentences")
  func everyCodeIsExplained() {
    let codes =
      DegradationCode.allCases.map(\.rawValue) + DecisionCode.allCases.map(\.rawValue)
      + MediaError.Kind.allCases.map(\.rawValue)
    #expect(Explanation.all.map(\.code) == codes)
    for one in Explanation.all {
      for text in [one.sentence, one.cause, one.harm, one.remedy] {
        #expect(text.hasSuffix(".") && text.count > 5, "\(one.code): \(text)")
        #expect(text.count { $0 == "`" }.isMultiple(of: 2), "\(one.code): \(text)")
        for sentence in Self.sentences(text) {
          #expect(sentence.count <= 160, "\(one.code): \(sentence)")
          let first = sentence.prefix { $0.isLetter }
          #expect(!Self.vague.contains(first), "\(one.code): \(sentence)")
          #expect(!sentence.hasPrefix("The same"), "\(one.code): \(sentence)")
        }
      }
      #expect((one.class != nil) == (one.kind == .degradation), "\(one.code)")
      #expect((one.exit != nil) == (one.kind == .error), "\(one.code)")
    }
  }

  /// All options of `command` and of those below it.
  private static func options(_ command: CommandTree) -> Set<String> {
    (command.subcommands ?? []).reduce(into: Set(command.options)) { $0.formUnion(options($1)) }
  }

  @Test("the options that explanations name exist, and none stands outside of quotes")
  func optionsExist() throws {
    let known = Self.options(try CommandTree.root())
    var named = 0
    for one in Explanation.all {
      for text in [one.sentence, one.cause, one.harm, one.remedy] {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        for (place, part) in parts.enumerated() {
          if place.isMultiple(of: 2) {
            #expect(!part.contains(" -"), "\(one.code): \(text)")
          } else if part.hasPrefix("-") {
            named += 1
            let option = String(part.prefix { $0 != " " })
            #expect(known.contains(option), "\(one.code): \(option)")
          }
        }
      }
    }
    #expect(named > 100)
  }

  @Test("each exit code of an error has a meaning, and so has each signal's")
  func exitCodesHaveMeanings() {
    let numbers = ExitMeaning.all.map(\.exit)
    #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    for kind in MediaError.Kind.allCases {
      let exit = ExitMeaning.all.first { $0.exit == kind.exitCode }
      #expect(exit?.kinds.contains(kind.rawValue) == true, "\(kind)")
    }
    for one in ExitMeaning.all where one.exit > 128 { #expect(one.kinds == ["interrupted"]) }
    #expect(numbers.contains(0) && numbers.contains(10))
  }

  @Test("a code is explained by its meaning, cause, harm and remedy")
  func aCodeIsExplained() async throws {
    #expect(
      try await explained(["limited"]) == """
        limited (degradation, level)
        meaning   The limiter worked deeper than 6 dB, or at least 0.1 dB deep for more than 1 % of the time.
        cause     At the loudness target, peaks lie above the ceiling. The target is high for this programme, or the LFE or single peaks stand out.
        harm      Loud places lose dynamics. A few decibels are rarely heard; much more sounds flat, and drums lose their attack.
        remedy    Use a lower --loudness, or --peak-policy lower for no limiter. A lower --lfe-gain helps where the LFE is the cause.

        """)
  }

  @Test("several codes are parted by a blank line; a code of two lists is explained twice")
  func severalCodesAreExplained() async throws {
    let text = try await explained(["trailing-data", "usage", "7"])
    let heads = text.split(separator: "\n\n").map { String($0.prefix { $0 != "\n" }) }
    #expect(
      heads == [
        "trailing-data (degradation, loss)", "trailing-data (decision)",
        "usage (error, exit code 2)",
        "7 (exit code)",
      ])
    #expect(text.contains("\neffect    "))
  }

  @Test("a number is an exit code, with the errors that end with it")
  func aNumberIsAnExitCode() async throws {
    #expect(
      try await explained(["6"]) == """
        6 (exit code)
        meaning   The output exists, can't be written or would be too large.
        error     output-exists: The output exists and may not be replaced.
        error     output-unwritable: The output can't be written.
        error     output-limit: The output would be larger than allowed.

        """)
    #expect(try await explained(["143"]).contains("SIGTERM, as kill and"))
  }

  @Test(
    "an unknown code ends with 2 and the nearest one",
    arguments: [
      ("limitd", "limitd: no such code; did you mean limited?"),
      ("fnord", "fnord: no such code; pinna explain without a code lists all"),
      (
        "42",
        "42: no such exit code; they are 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 75, 129, 130, 131, 143, 152"
      ),
    ])
  func anUnknownCodeIsRefused(word: String, says: String) async throws {
    let result = try await InProcess.run(["explain", "limited", word])
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.errors == "pinna: \(says)\n")
  }

  @Test("without a code all are listed in three groups with their sentences")
  func allCodesAreListed() async throws {
    let groups = try await explained([]).split(separator: "\n\n").map {
      $0.split(separator: "\n").map(String.init)
    }
    #expect(
      groups.map(\.count) == [
        DegradationCode.allCases.count + 1, DecisionCode.allCases.count + 1,
        MediaError.Kind.allCases.count + 1,
      ])
    #expect(groups.map { $0[0].prefix { $0 != " " } } == ["degradation", "decision", "error"])
    for (line, code) in zip(groups[0].dropFirst(), DegradationCode.allCases) {
      #expect(line.hasPrefix(code.rawValue + " ") && line.hasSuffix(code.sentence))
    }
  }

  @Test("JSON has the texts without marks; without a code it has all")
  func jsonHasTheTexts() async throws {
    let all = try JSONDecoder().decode(
      ExplainReport.self, from: Data(try await explained(["--json"]).utf8))
    #expect(all.codes.map(\.code) == Explanation.all.map(\.code))
    #expect(all.exits.map(\.exit) == ExitMeaning.all.map(\.exit))
    let one = try JSONDecoder().decode(
      ExplainReport.self, from: Data(try await explained(["clipped", "9", "--json"]).utf8))
    #expect(one.codes.map(\.code) == ["clipped"] && one.exits.map(\.exit) == [9])
    #expect(one.codes[0].remedy.hasPrefix("Use --peak-policy limit or --peak-policy lower,"))
  }

  @Test("the summary of a degraded render ends with the command that explains its codes")
  func summariesNameTheCommand() throws {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 6, seconds: 1, mask: 0x3F).write(to: folder.url("in.wav"))
    let words = [
      "render", folder.file("in.wav"), "-o", folder.file("out.wav"), "-e", "none", "-l", "off",
      "-b", "32f",
      "-y",
    ]
    let plain = try Product.run(words)
    #expect(plain.status == 0 && !plain.errors.contains("explain"), "\(plain.errors)")
    let degraded = try Product.run(words + ["--layout", "stereo"])
    #expect(
      degraded.errors.hasSuffix("\nexplain   pinna explain lfe-dropped\n"), "\(degraded.errors)")
    let planned = try Product.run(words + ["--layout", "stereo", "-n"])
    #expect(
      planned.errors.hasSuffix("\nexplain   pinna explain lfe-dropped\n"), "\(planned.errors)")
    #expect(try Product.run(words + ["--layout", "stereo", "-q"]).errors.isEmpty)
  }

  @Test("codes of a command stand once, in their order")
  func aCommandNamesEachCodeOnce() {
    #expect(
      Explanation.command(for: ["limited", "lfe-dropped", "limited"])
        == "pinna explain limited lfe-dropped")
  }

  @Test("the totals of a batch with degradations or errors are followed by the command")
  func batchesNameTheCommand() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.url("in"), withIntermediateDirectories: true)
    try TestProgramme.wav(channels: 6, seconds: 1, mask: 0x3F).write(to: folder.url("in/a.wav"))
    try Data("no sound".utf8).write(to: folder.url("in/b.wav"))
    let words = [
      "batch", folder.file("in"), "-O", folder.file("out"), "-e", "none", "-l", "off", "--layout",
      "stereo", "-f", "wav", "-b", "32f",
    ]
    let result = try Product.run(words)
    #expect(
      result.errors.hasSuffix("\nexplain: pinna explain input-unreadable lfe-dropped\n"),
      "\(result.errors)")
    #expect(try !Product.run(words + ["-q"]).errors.contains("explain"))
  }
}
