// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Testing

@testable import Batch
@testable import PinnaCLI

/// The rows of options and the declarations of `render` say the same.
@Suite struct OptionRowTests {
  /// An argument as the parser's own description of the program holds it.
  private struct Declared: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String
      var flag: String { (kind == "long" ? "--" : "-") + name }
    }
    let kind: String
    let isRepeating: Bool
    let names: [Name]?
    let defaultValue: String?
    let abstract: String?
    var flags: Set<String> { Set((names ?? []).map(\.flag)) }
  }

  private struct Command: Decodable {
    let commandName: String
    let arguments: [Declared]?
    let subcommands: [Command]?
  }

  private struct Dump: Decodable {
    let command: Command
  }

  private static func declared() throws -> [Declared] {
    let dump = try JSONDecoder().decode(Dump.self, from: Data(Pinna._dumpHelp().utf8))
    let render = dump.command.subcommands?.first { $0.commandName == "render" }
    return try #require(render?.arguments).filter { $0.kind != "positional" }
  }

  private static let rows = Setting.allCases.map(\.row).filter { $0.scope != .other }

  @Test(
    "each declared option of render has one row with its flags and its form, and the other way round"
  )
  func declarationsAndRowsAreTheSame() throws {
    let declared = try OptionRowTests.declared().filter {
      $0.flags.isDisjoint(with: ["--help", "--version"])
    }
    let flags = Set(OptionRowTests.rows.map(\.flag))
    #expect(flags.count == OptionRowTests.rows.count)
    for row in OptionRowTests.rows {
      let found = declared.filter { $0.flags.contains(row.flag) }
      #expect(found.count == 1, "\(row.flag)")
      guard let option = found.first else { continue }
      #expect(row.short.map(option.flags.contains) != false, "\(row.flag)")
      let isFlag = row.value == .flag || row.value == .toggle
      #expect((option.kind == "flag") == isFlag, "\(row.flag)")
      let isTakenBack = declared.contains {
        $0.flags == ["--no-\(row.key)"] && $0.flags.isDisjoint(with: flags)
      }
      #expect(isTakenBack == (row.value == .toggle), "\(row.flag)")
      #expect(option.isRepeating == row.value.isRepeated, "\(row.flag)")
      if case .words(let words) = row.value, let usual = option.defaultValue {
        #expect(words.contains(usual), "\(row.flag) \(usual)")
      }
    }
    let taken = OptionRowTests.rows.filter { $0.value == .toggle }.map { "--no-\($0.key)" }
    for option in declared {
      #expect(!option.flags.isDisjoint(with: flags.union(taken)), "\(option.flags) have no row")
    }
  }

  @Test("the words of a row stand in the option's help, but for names of layouts")
  func helpNamesTheWords() throws {
    let declared = try OptionRowTests.declared()
    for row in OptionRowTests.rows where row.key != "layout" && row.key != "loudness-layout" {
      let help = try #require(declared.first { $0.flags.contains(row.flag) }).abstract ?? ""
      for word in row.value.words { #expect(help.contains(word), "\(row.flag): \(word)") }
    }
  }

  // MARK: Typed options

  /// The options of a batch that `words` give.
  private func values(_ words: [String]) throws -> OptionValues {
    let merge = try MergeCommand.parse(StrictClasses.settled(["folder", "-O", "out"] + words))
    return GivenOptions(merge.source, merge.input, merge.render, merge.listener).ofBatch
  }

  @Test(
    "each option of a manifest is read off a batch's command line, and none where none is typed")
  func typedOptionsAreFound() throws {
    #expect(try values([]).isEmpty)
    for setting in Setting.ofManifests {
      var expected = OptionValues()
      expected[setting] = OptionRowTests.sample(setting)
      #expect(!expected.arguments.isEmpty, "\(setting)")
      #expect(try values(expected.arguments) == expected, "\(setting)")
    }
    var taken = OptionValues()
    taken[.dualMono] = ["false"]
    #expect(try values(["--no-dual-mono"]) == taken)
  }

  @Test("options of render are found between a batch's own, in every form, and not after --")
  func aWholeCommandLineIsRead() throws {
    let found = try values([
      "-l", "-18", "--true-peak=-2", "-c:a", "aac", "--no-dual-mono", "--strict", "--eq", "a",
      "--eq=b", "--in-opt", "a=b", "--in-opt=c=d", "--shards", "2", "-e", "speakers", "--json",
      "--hrtf", "kemar", "--", "-l", "-5",
    ])
    #expect(
      found.arguments == [
        "--in-opt=a=b", "--in-opt=c=d", "--endpoint=speakers", "--hrtf=kemar", "--loudness=-18",
        "--true-peak=-2", "--no-dual-mono", "-c:a", "aac", "--eq=a", "--eq=b", "--strict",
      ])
    let twice = try values(["--loudness", "-18", "-l=-20", "--dual-mono"])
    #expect(twice[.loudness] == ["-20"] && twice[.dualMono] == ["true"])
  }

  @Test(
    "strict takes the classes that follow it, and stands alone before anything else",
    arguments: [
      (["--strict"], ["--strict"]), (["--strict", "damage,loss"], ["--strict=damage,loss"]),
      (["--strict=level", "-l", "-18"], ["--loudness=-18", "--strict=level"]),
      (["--strict", "-l", "-18"], ["--loudness=-18", "--strict"]),
      (["--strict", "damage", "--strict"], ["--strict"]),
    ])
  func strictTakesClasses(words: [String], arguments: [String]) throws {
    #expect(try values(words).arguments == arguments)
  }

  // MARK: Refusals

  /// The message that refuses `words`; `nil` where they make a request.
  private func refusal(_ words: [String], output: String = "o.wav") -> String? {
    SettingWords.$current.withValue(.commandLine) {
      do {
        let requests = try RenderCommand.requests(["a.wav", "-o", "/nowhere/" + output] + words)
        for request in requests { try request.validate() }
        return nil
      } catch { return (error as? MediaError)?.message ?? "\(error)" }
    }
  }

  /// Words without which an option means nothing.
  private static let company: [Setting: [String]] = [
    .outputLayout: ["-e", "none"], .speakerSpan: ["-e", "speakers"],
    .bitRate: ["-f", "fmp4", "-c:a", "aac"], .levelRange: ["--level", "night"],
    .programmeLoudness: ["--anchor", "dialogue"],
  ]

  @Test("a word that isn't one of a row's is refused with all words of the row")
  func unknownWordsAreRefusedWithTheKnown() {
    var inOrder = 0
    for setting in Setting.ofManifests {
      guard case .words(let words) = setting.row.value else { continue }
      let company = OptionRowTests.company[setting] ?? []
      let message = refusal(company + setting.arguments(["nonsense"])) ?? ""
      #expect(message.hasPrefix(setting.row.flag), "\(setting): \(message)")
      for word in words { #expect(message.contains(word), "\(setting): \(message)") }
      if message.hasSuffix("unknown value; give one of \(words.joined(separator: ", "))") {
        inOrder += 1
      }
    }
    // Layouts, text encodings and codecs say it in other words or know more.
    #expect(inOrder == Setting.ofManifests.count { $0.takesWords } - 4)
  }

  @Test("both ends of a row's range are taken, and what lies beyond is refused with the range")
  func rangesAreThoseOfTheRows() {
    var ranges = 0
    for setting in Setting.ofManifests {
      let (range, isWhole): (ClosedRange<Double>, Bool)
      switch setting.row.value {
      case .number(let own, _, _): (range, isWhole) = (own, false)
      case .whole(let own, _) where own.upperBound < Int.max:
        (range, isWhole) = (Double(own.lowerBound)...Double(own.upperBound), true)
      default: continue
      }
      ranges += 1
      func answer(_ number: Double) -> String? {
        let text = isWhole ? String(Int(number)) : String(number)
        let output = setting == .bitRate ? "o.mp4" : "o.wav"
        return refusal(
          (OptionRowTests.company[setting] ?? []) + setting.arguments([text]), output: output)
      }
      #expect(answer(range.lowerBound) == nil, "\(setting)")
      #expect(answer(range.upperBound) == nil, "\(setting)")
      for beyond in [range.lowerBound - 1, range.upperBound + 1] {
        let message = answer(beyond) ?? ""
        #expect(message.hasPrefix(setting.row.flag + " "), "\(setting): \(message)")
        // The rate says it in a sentence of its own, and bit rates in kbit/s.
        if ![.sampleRate, .bitRate].contains(setting) {
          let allowed = setting.row.value.allowed(minus: "−")
          #expect(message.contains("give " + allowed), "\(setting): \(message)")
        }
      }
    }
    #expect(ranges > 15)
  }

  @Test("a copy refuses each option whose row says that it changes the sound, and no other")
  func copiesRefuseWhatChangesTheSound() {
    for setting in Setting.ofManifests {
      let row = setting.row
      let words =
        ["-f", "fmp4", "-c:a", "copy"] + setting.arguments(OptionRowTests.sample(setting))
      guard setting != .container, setting != .codec else { continue }
      let message = refusal(words, output: "o.mp4") ?? ""
      let isRefused = message.contains("changes the sound, which -c:a copy leaves as it is")
      #expect(isRefused == (row.copy != .never), "\(setting): \(message)")
      if isRefused { #expect(message.contains(row.flag), "\(setting): \(message)") }
      guard case .byFlag(_, let kept?, _) = row.copy else { continue }
      let same = refusal(
        ["-f", "fmp4", "-c:a", "copy"] + setting.arguments([kept]), output: "o.mp4")
      #expect(same?.contains("changes the sound") != true, "\(setting) \(kept)")
    }
    for words in [["--tap-exec", "post", "--", "cat"], ["--analyze", "levels"]] {
      let message = refusal(["-c:a", "copy"] + words, output: "o.mp4") ?? ""
      #expect(message.hasPrefix("--eq, --tap, --tap-exec and --analyze: changes the sound"))
    }
    // Of several the first in the order of their ranks is told.
    let several = refusal(
      ["-c:a", "copy", "--layout", "stereo", "-l", "-16", "--eq", "x"], output: "o.mp4")
    #expect(several?.hasPrefix("--loudness other than off: changes the sound") == true)
  }

  @Test("a programme that keeps its level refuses each option whose row is one of the level")
  func optionsOfTheLevelAreRefusedWithoutOne() {
    for setting in Setting.allCases where setting.row.scope != .other {
      guard setting.row.scope == .file || setting == .album else { continue }
      let own = setting.arguments(OptionRowTests.sample(setting))
      // The first of several comes first, without which these mean nothing.
      let first: [Setting: Setting] = [
        .loudestTrack: .album, .programmeLoudness: .anchor, .levelRange: .levelling,
      ]
      let needed = first[setting]
      let more =
        needed.map { $0 == .album ? ["--album"] : OptionRowTests.company[setting] ?? [] } ?? []
      let message = refusal(["-f", "bw64"] + own + more) ?? ""
      let isRefused = message.contains("a programme that is stored as it is keeps its level")
      #expect(isRefused == (setting.row.level != nil), "\(setting): \(message)")
      let flag = (needed ?? setting).row.flag
      if isRefused { #expect(message.hasPrefix(flag + ":"), "\(setting): \(message)") }
    }
    let both = refusal(["-f", "bw64", "--loudness-mode", "metadata", "--true-peak", "-2"])
    #expect(both?.hasPrefix("--true-peak:") == true, "\(both ?? "")")
  }

  /// A value that the option takes, not its default.
  private static func sample(_ setting: Setting) -> [String] {
    if let text = texts[setting] { return [text] }
    switch setting.row.value {
    case .flag, .toggle, .classes: return ["true"]
    case .words(let words):
      guard case .byFlag(_, let kept?, _) = setting.row.copy else {
        return [words.last ?? ""]
      }
      return [words.first { $0 != kept } ?? ""]
    case .number(let range, _, _): return [String(range.lowerBound)]
    case .whole(let range, _): return [String(range.lowerBound)]
    case .time: return ["1s"]
    case .size: return ["1M"]
    case .text: return ["1"]
    case .file: return ["/nowhere/file.yaml"]
    case .files: return ["/nowhere/eq.txt"]
    case .texts: return ["a=b"]
    }
  }

  private static let texts: [Setting: String] = [
    .inputLayout: "5.1", .objects: "bed", .objectChanges: "AO_1=off", .allowedHosts: "example.com",
    .priming: "none", .layers: "stereo", .tapLatency: "measure", .dialogueGain: "3",
    .codec: "aac", .taps: "post:eq=/nowhere/eq.txt", .preset: "podcast", .dynamicRange: "line",
    .endpoint: "headphones", .outputLayout: "stereo",
  ]
}

extension Setting {
  fileprivate var takesWords: Bool {
    if case .words = row.value { return true }
    return false
  }
}
