// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Settings
import Testing

/// The user's YAML files: settings that they may hold, and error messages for anything else.
@Suite struct UserPresetTests {
  private let files: PresetFiles

  init() throws { files = try PresetFiles() }

  @Test("every setting of a preset file is read")
  func everySettingIsRead() throws {
    try files.write(
      "all",
      """
      summary: "all: of them"
      reference: nothing
      loudness: off
      true-peak: -1.5
      peak-policy: lower
      dual-mono: true
      lower-only: false
      max-gain: 12
      threshold: 0.5
      loudness-mode: metadata
      loudness-layout: "5.1"
      album: true
      loudest-track: true
      album-loudness: -14
      endpoint: none
      layout: 7.1.4
      codec: opus
      bit-rate: 192000
      bits: 32f
      rate: 48000
      dither: tpdf
      format: flac
      adm-times: fraction
      eq: /eq.txt
      tap: [post:fir=/a.wav, item:avfilter=bass]
      anchor: dialogue
      programme-loudness: -20
      downmix: "FL=FL+0.7*FC|FR=FR+0.7*FC"
      """)
    let preset = try files.library.preset("all")
    #expect(preset.settings.count == Setting.ofPresets.count)
    let texts = [
      "off", "-1.5", "lower", "true", "false", "12", "0.5", "metadata", "5.1", "true", "true",
      "-14",
      "none", "7.1.4", "opus", "192000", "32f", "48000", "tpdf", "flac",
      "fraction", "/eq.txt",
      "post:fir=/a.wav, item:avfilter=bass", "dialogue", "-20", "FL=FL+0.7*FC|FR=FR+0.7*FC",
    ]
    #expect(Setting.ofPresets.map { preset.text($0) } == texts)
    #expect(preset.number(.truePeak) == -1.5 && preset.number(.loudness) == nil)
    #expect(preset.summary == "all: of them")
  }

  /// Paths count from the preset's folder, so that a preset and its files can be moved together.
  @Test("relative paths of taps count from the preset's folder")
  func pathsOfTapsCountFromThePreset() throws {
    let path = try files.write(
      "ears",
      """
      eq: [hd650.txt, /abs.txt]
      tap:
        - post:fir=irs/a.wav,align=start
        - item:avfilter=bass=g=3
        - item:lv2=urn:x,state=s.ttl,gain=2
        - post:eq=b.txt
      """)
    let folder = String(path.dropLast("ears.yaml".count))
    let preset = try files.library.preset("ears")
    #expect(preset.texts(.equalizers) == [folder + "hd650.txt", "/abs.txt"])
    #expect(
      preset.texts(.taps) == [
        "post:fir=\(folder)irs/a.wav,align=start", "item:avfilter=bass=g=3",
        "item:lv2=urn:x,state=\(folder)s.ttl,gain=2", "post:eq=\(folder)b.txt",
      ])
    // The printed text gives the same preset anywhere.
    let copy = try PresetFiles()
    try copy.write("ears", preset.yaml())
    let again = try copy.library.preset("ears")
    #expect(
      again.texts(.equalizers) == preset.texts(.equalizers)
        && again.texts(.taps) == preset.texts(.taps))
  }

  @Test("a preset's own eq replaces that of the preset it extends, and the loudness stays")
  func ownTapsTakeThePlaceOfThoseThatAreExtended() throws {
    try files.write("one", "eq: /a.txt\nloudness: -20\n")
    try files.write("two", "extends: one\neq: [/b.txt, /c.txt]\n")
    let preset = try files.library.preset("two")
    #expect(preset.texts(.equalizers) == ["/b.txt", "/c.txt"] && preset.number(.loudness) == -20)
  }

  @Test(
    "an eq or tap that isn't a text or a list of texts is a usage error with the file",
    arguments: ["eq:", "eq: ''", "eq: []", "tap: {a: b}", "tap: [[a]]", "tap: [a, ~]"])
  func tapsThatAreNoTextsAreRefused(yaml: String) throws {
    try files.write("odd", yaml + "\n")
    let error = #expect(throws: MediaError.self) { try files.library.preset("odd") }
    #expect(error?.kind == .usage && error?.message.contains("odd.yaml") == true)
  }

  @Test("bits 16 with and without quotes are read alike")
  func quotedWordsAndPlainNumbersAreTheSame() throws {
    for bits in ["16", "\"16\"", "'16'"] {
      try files.write("bits", "bits: \(bits)\n")
      #expect(try files.library.preset("bits").text(.bits) == "16")
    }
  }

  static let faults: [(String, [String])] = [
    ("loudnes: -16", ["line 1", "loudnes", "give loudness, true-peak"]),
    ("loudness: -16\n\nloudness: -14", ["loudness", "more than once"]),
    ("true-peak: -1\nloudness: loud", ["line 2", "loudness", "-70 to 0 LUFS, or off"]),
    ("loudness: 3", ["loudness", "“3”", "-70 to 0 LUFS, or off"]),
    ("loudness: \"-16\"", ["loudness"]), ("loudness: -71", ["loudness"]),
    ("loudness: .nan", ["loudness"]), ("loudness: -.inf", ["loudness"]),
    ("loudness: 0x0", ["loudness"]),
    ("loudness:", ["loudness"]), ("loudness: ~", ["loudness"]), ("loudness: false", ["loudness"]),
    ("true-peak: 1", ["true-peak", "-30 to 0 dBTP"]), ("true-peak: off", ["true-peak"]),
    ("peak-policy: squash", ["peak-policy", "limit, lower, fail, ignore"]),
    ("dual-mono: 1", ["dual-mono", "true or false"]), ("dual-mono: yes", ["true or false"]),
    ("dual-mono: \"true\"", ["true or false"]), ("max-gain: -1", ["max-gain", "0 to 100 dB"]),
    ("threshold: -0.1", ["threshold", "0 to 20 LU"]), ("bits: 20", ["bits", "16, 24, 32f"]),
    ("rate: 44.1", ["rate", "8000 to 384000 Hz"]), ("rate: 96k", ["rate"]),
    ("rate: 99999999999999999999", ["rate"]), ("endpoint: ears", ["headphones, speakers, none"]),
    ("layout: 9.9.9", ["layout", "keep, ", "stereo", "7.1.4"]), ("layout: 5", ["layout"]),
    ("codec: copy", ["codec", "aac, flac, alac, opus, mp3, pcm"]),
    ("bit-rate: 192k", ["bit-rate", "8000 to 2000000 bit/s"]), ("bit-rate: 7999", ["bit-rate"]),
    ("loudness: [-16]", ["line 1", "loudness", "one value"]), ("loudness: {a: 1}", ["one value"]),
    ("- loudness", ["isn't a mapping"]), ("just text", ["isn't a mapping"]), ("", ["is empty"]),
    ("# nothing", ["is empty"]), ("? [a]\n: b", ["a key that isn't a word"]),
    ("loudness: -16\n---\nloudness: -14", ["several documents"]),
    ("a: b: c", ["line 1", "valid YAML"]),
    ("loudness: *x", ["valid YAML", "alias"]), ("loudness: \"", ["valid YAML"]),
    ("summary: \"a\\nb\"", ["summary", "one line"]), ("summary: \"\\e[31m\"", ["summary"]),
    ("summary: ~", ["summary"]), ("extends: nobody", ["line 1", "extends", "nobody", "spotify"]),
    ("\u{07}", ["valid YAML"]),
  ]

  @Test(
    "a fault in a preset is a usage error of one line with its file, key and reason",
    arguments: faults.indices)
  func faultsAreToldByFileLineAndKey(index: Int) throws {
    let (yaml, words) = UserPresetTests.faults[index]
    let path = try files.write("bad", yaml)
    for name in ["bad", path] {
      let error = try #require(throws: MediaError.self) { try files.library.preset(name) }
      #expect(error.kind == .usage)
      for word in words + [path] { #expect(error.message.contains(word), "\(error.message)") }
      #expect(!error.message.contains("\n") && !error.message.contains("\u{1B}"))
    }
  }

  /// YAML 1.2, 5.2: a byte order mark may begin a document, and isn't part of it.
  @Test("a preset that begins with a byte order mark is read, and its faults keep their lines")
  func aByteOrderMarkIsPassedOver() throws {
    try files.write("good", "\u{FEFF}loudness: -20\r\n")
    #expect(try files.library.preset("good").number(.loudness) == -20)
    try files.write("bad", "\u{FEFF}loudness: -20\ntrue-peak: 1\n")
    let error = try #require(throws: MediaError.self) { try files.library.preset("bad") }
    #expect(error.message.contains("line 2"), "\(error.message)")
  }

  /// A text may hold stars: they are no aliases, however many they are.
  @Test("forty stars in a text and in a comment are no aliases")
  func starsInATextAreNoAliases() throws {
    let stars = (1...40).map { "*a\($0)*b" }.joined()
    try files.write("good", "summary: \"\(stars)\" # \(stars)\nloudness: -20\n")
    let preset = try files.library.preset("good")
    #expect(preset.summary == stars && preset.number(.loudness) == -20)
  }

  /// A text within quotes may have stars behind any sign: without an anchor there is nothing they could stand for.
  @Test(
    "twenty stars after signs in a quoted text are no aliases",
    arguments: [",", ":", "-", "[", "?"])
  func starsBehindSignsAreNoAliases(sign: String) throws {
    let stars = (1...20).map { "R&B & Soul\(sign) *a\($0)" }.joined()
    try files.write("good", "summary: \"\(stars)\"\nloudness: -20\n")
    #expect(try files.library.preset("good").summary == stars)
  }

  /// An alias of nothing is a fault that is told by its line.
  @Test("aliases without an anchor aren't valid YAML, and the error has the line")
  func aliasesWithoutAnAnchorAreFaults() throws {
    let lines = (1...9).map { "k\($0): *a\n" }.joined()
    try files.write("bad", lines)
    let error = try #require(throws: MediaError.self) { try files.library.preset("bad") }
    #expect(
      error.message.contains("isn't valid YAML") && error.message.contains("line 1"),
      "\(error.message)")
  }

  @Test(
    "nine aliases are refused wherever an alias may stand",
    arguments: [
      "b: [*a, *a, *a, *a, *a, *a, *a, *a, *a]", "b: {\"k\": [*a,*a,*a,*a,*a,*a,*a,*a,*a]}",
      "b:\n- *a\n- *a\n- *a\n- *a\n- *a\n- *a\n- *a\n- *a\n- *a",
      "? [*a, *a, *a, *a, *a, *a, *a, *a, *a]\n: x",
      "b: !!seq [*a, *a, *a, *a, *a, *a, *a, *a, *a]",
    ])
  func aliasesAreCounted(line: String) throws {
    for lineBreak in ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"] {
      let yaml = "a: !!str &a x\n" + line + "\n"
      try files.write("bad", yaml.replacing("\n", with: lineBreak))
      let error = try #require(throws: MediaError.self) { try files.library.preset("bad") }
      #expect(error.message.contains("more than 8 aliases"), "\(error.message)")
    }
  }

  @Test("eight aliases stand for the anchor's value")
  func aliasesAreFollowed() throws {
    try files.write("good", "summary: &a text\nreference: *a\n")
    let preset = try files.library.preset("good")
    #expect(preset.reference == "text")
  }

  /// A reader that followed the aliases would never end.
  @Test("alias bombs, deep nesting, large files and devices are refused")
  func hostileFilesAreRefused() throws {
    var bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    for level in 1...12 {
      let alias = "*a\(level - 1)"
      bomb += "a\(level): &a\(level) [" + Array(repeating: alias, count: 9).joined(separator: ", ")
      bomb += "]\n"
    }
    let many = [
      bomb, bomb + "? *a12\n: x\n", bomb.replacing("\n", with: "\u{85}"),
      String(repeating: "[", count: 60_000),
      String(repeating: "{a: ", count: 15_000), String(repeating: "- ", count: 30_000) + "x",
      String(repeating: "[", count: 900) + String(repeating: "]", count: 900),
      String(repeating: "x: 1\n", count: 13_000), "a: " + String(repeating: "y", count: 65_000),
      String(repeating: " ", count: 65_537), "loudness: " + String(repeating: "1", count: 60_000),
    ]
    for yaml in many {
      try files.write("bad", yaml)
      let error = try #require(throws: MediaError.self) { try files.library.preset("bad") }
      #expect(error.kind == .usage && error.message.utf8.count < 1000, "\(error.message)")
    }
    try files.write("bad", bytes: Data([0x61, 0xFF, 0xFE]))
    #expect(throws: MediaError.self) { try files.library.preset("bad") }
    for path in ["/dev/zero", "/", "/no/such.yaml", "/proc/self/mem"] {
      #expect(throws: MediaError.self) { try files.library.preset(path) }
    }
  }

  @Test("a preset in UTF-16 is read as the one in UTF-8, and half a character refuses it")
  func presetsInUTF16AreRead() throws {
    let yaml = "summary: Åse\nloudness: -18\n"
    var bytes: [UInt8] = [0xFF, 0xFE]
    for unit in yaml.utf16 { bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    try files.write("plain", yaml)
    try files.write("wide", bytes: Data(bytes))
    #expect(try files.library.preset("wide").settings == files.library.preset("plain").settings)
    try files.write("wide", bytes: Data(bytes + [0x61]))
    #expect(throws: MediaError.self) { try files.library.preset("wide") }
  }

  @Test("a user's preset hides the built-in one of its name, and its origin says so")
  func aUsersPresetHidesTheBuiltInAndSaysSo() throws {
    let path = try files.write("podcast", "loudness: -18\n")
    let preset = try files.library.preset("podcast")
    #expect(preset.source == .file(path: path, replacesBuiltIn: true))
    #expect(preset.origin.contains("instead of the built-in"))
    #expect(preset.settings == [.loudness: .number(-18)])
    #expect(files.library.names.filter { $0 == "podcast" }.count == 1)
    // A preset that is given by its path replaces no built-in one.
    let other = try files.write("spotify2", "loudness: -15\n")
    #expect(try files.library.preset(other).source == .file(path: other, replacesBuiltIn: false))
  }

  @Test("a preset takes over unset values of the one that it extends, for one step only")
  func extendsTakesOverWhatIsNotSet() throws {
    try files.write("podcast", "extends: podcast\ntrue-peak: -2\n")
    let own = try files.library.preset("podcast")
    #expect(
      own.settings == [
        .loudness: .number(-16), .truePeak: .number(-2), .dualMono: .flag(true),
        .endpoint: .word("none"), .outputLayout: .word("stereo"), .container: .word("mp3"),
      ])
    try files.write("base", "loudness: -20\nbits: 16\n")
    try files.write("more", "extends: base\nbits: 24\n")
    #expect(
      try files.library.preset("more").settings == [.loudness: .number(-20), .bits: .word("24")])
    try files.write("deep", "extends: more\n")
    let error = try #require(throws: MediaError.self) { try files.library.preset("deep") }
    #expect(error.message.contains("only one step"))
    try files.write("loop", "extends: loop\n")
    #expect(throws: MediaError.self) { try files.library.preset("loop") }
  }

  @Test("unknown names such as .. and names with line breaks are usage errors of one line")
  func namesAreNotPaths() throws {
    for name in ["..", "", ".hidden", "nobody", "a b", "x\ny"] {
      let error = try #require(throws: MediaError.self) { try files.library.preset(name) }
      #expect(error.kind == .usage && !error.message.contains("\n"))
    }
  }
}
