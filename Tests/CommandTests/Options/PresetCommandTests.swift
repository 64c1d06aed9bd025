// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Rendering
import TestSupport
import Testing

@testable import PinnaCLI

/// Presets on the command line: flags beat them, they beat the defaults, and they are never silent.
@Suite(.tags(.system), .fullRunOnly) struct PresetCommandTests {
  private let folder: TemporaryFolder
  private let source: String

  init() throws {
    folder = try TemporaryFolder()
    source = folder.file("in.wav")
    try TestProgramme.wav(channels: 1, seconds: 4).write(to: folder.url("in.wav"))
    try FileManager.default.createDirectory(
      atPath: folder.file("config/pinna/presets"), withIntermediateDirectories: true)
  }

  private func run(_ arguments: [String]) throws -> Tool.Result {
    try Tool.run(
      Product.path, arguments, environment: ["XDG_CONFIG_HOME": folder.file("config")])
  }

  private func save(_ name: String, _ yaml: String) throws {
    try Data(yaml.utf8).write(to: folder.url("config/pinna/presets/\(name).yaml"))
  }

  private func loudness(_ extra: [String]) throws -> (integrated: Double, target: Double?) {
    let result = try run(
      ["render", source, "-o", folder.file("out.wav"), "-y", "-e", "none", "--json", "-q"] + extra)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let report = try #require(
      JSONSerialization.jsonObject(with: result.output) as? [String: Any])
    let output = (report["outputs"] as? [[String: Any]])?.first
    let target = (output?["loudness"] as? [String: Any])?["target"] as? Double
    let measured = try run(["measure", folder.file("out.wav"), "--json"])
    let levels = try #require(
      JSONSerialization.jsonObject(with: measured.output) as? [String: Any])["levels"]
    return (try #require((levels as? [String: Any])?["integrated"] as? Double), target)
  }

  @Test("a flag beats the preset, and the preset beats the default")
  func flagsBeatThePresetAndThePresetBeatsDefaults() throws {
    #expect(try loudness([]).target == -16)
    #expect(try loudness(["--preset", "ebu-r128"]).target == -23)
    #expect(try loudness(["--preset", "ebu-r128", "-l", "-20"]).target == -20)
    #expect(try loudness(["--preset", "ebu-r128", "-l", "off"]).target == nil)
  }

  @Test("the preset podcast puts mono at −19 LUFS and stereo at −16 LUFS")
  func podcastsPutMonoAtMinus19AndStereoAtMinus16() throws {
    let mono = try loudness(["--preset", "podcast"]).integrated
    #expect(abs(mono + 19.01) < 0.06, "\(mono)")
    let plain = try loudness(["--preset", "podcast", "--no-dual-mono"]).integrated
    #expect(abs(plain + 16) < 0.06, "\(plain)")
    try TestProgramme.wav(channels: 2, seconds: 4).write(to: folder.url("in.wav"))
    let stereo = try loudness(["--preset", "podcast"]).integrated
    #expect(abs(stereo + 16) < 0.06, "\(stereo)")
  }

  /// Apple recommends 96 to 128 kbit/s for mono and 128 to 256 for stereo; a typed name is nearer to the wish.
  @Test(
    "the preset podcast makes MP3 at Apple's bit rates, unless a name or -f asks for something else",
    arguments: [
      ("out/", [], 1, "in.mp3", "mp3 96000 mono"), ("out/", [], 2, "in.mp3", "mp3 192000 stereo"),
      ("out/", [], 6, "in.mp3", "mp3 192000 stereo"),
      ("out/", ["-b:a", "128k"], 2, "in.mp3", "mp3 128000 stereo"),
      ("out/", ["-f", "flac"], 2, "in.flac", "flac N/A stereo"),
      ("out.mp3", [], 1, nil, "mp3 96000 mono"), ("out.m4a", [], 1, nil, "aac"),
    ] as [(String, [String], Int, String?, String)])
  func podcastsAreMP3(
    output: String, flags: [String], channels: Int, name: String?, expected: String
  ) throws {
    let mask: UInt32? = channels == 6 ? 0x3F : nil
    try TestProgramme.wav(channels: channels, seconds: 2, mask: mask).write(
      to: folder.url("in.wav"))
    try FileManager.default.createDirectory(
      atPath: folder.file("out"), withIntermediateDirectories: true)
    let place = folder.path + "/" + output
    let result = try run(["render", source, "-o", place, "--preset", "podcast", "-q"] + flags)
    #expect(result.status == 0, "\(result.errors)")
    let probed = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "a", "-show_entries",
        "stream=codec_name,bit_rate,channel_layout", "-of", "default=noprint_wrappers=1",
        name.map { place + $0 } ?? place,
      ])
    let fields = String(decoding: probed.output, as: UTF8.self).split(separator: "\n")
    let found = ["codec_name=", "bit_rate=", "channel_layout="].map { key in
      fields.first { $0.hasPrefix(key) }?.dropFirst(key.count) ?? ""
    }.joined(separator: " ")
    #expect(found.hasPrefix(expected), "\(found)")
  }

  /// The result of a render of so many channels: the endpoint, the layout and whether it is virtualised.
  private func delivery(_ channels: Int, _ extra: [String]) throws -> String {
    let mask: UInt32? = channels == 6 ? 0x3F : nil
    try TestProgramme.wav(channels: channels, seconds: 1, mask: mask).write(
      to: folder.url("in.wav"))
    let result = try run(
      ["render", source, "-o", folder.file("out.wav"), "-y", "--json", "-q"] + extra)
    #expect(result.status == 0, "\(result.errors)")
    let report = try #require(
      JSONSerialization.jsonObject(with: result.output) as? [String: Any])
    let output = try #require((report["outputs"] as? [[String: Any]])?.first)
    let render = try #require(output["render"] as? [String: Any])
    let virtualized = render["virtualized"] as? Bool == true ? " virtualised" : ""
    return "\(render["endpoint"] ?? "") \(render["layout"] ?? "")\(virtualized)"
  }

  @Test(
    "a built-in preset delivers channels: at most stereo where its service plays two, mono as mono; flags beat it"
  )
  func builtInPresetsDeliverChannels() throws {
    let rows: [(channels: Int, preset: String, flags: [String], output: String)] = [
      (1, "podcast", [], "none mono"), (2, "podcast", [], "none stereo"),
      (6, "podcast", [], "none stereo"), (6, "spotify", [], "none stereo"),
      (6, "apple-music", [], "none stereo"), (6, "aes-td1008-speech", [], "none stereo"),
      (6, "aes-td1008-music", [], "none stereo"), (6, "ebu-r128", [], "none 5.1"),
      (6, "atsc-a85", [], "none 5.1"), (6, "youtube", [], "none 5.1"),
      (6, "dolby-atmos-music", [], "none 5.1"),
      (1, "ebu-r128", [], "none mono"),
      (6, "podcast", ["--layout", "keep"], "none 5.1"),
      (6, "podcast", ["--layout", "3.0"], "none 3.0"),
      (1, "podcast", ["-e", "headphones"], "headphones stereo virtualised"),
      (6, "ebu-r128", ["-e", "speakers"], "speakers stereo virtualised"),
    ]
    for row in rows {
      let output = try delivery(row.channels, ["--preset", row.preset] + row.flags)
      #expect(output == row.output, "\(row)")
    }
  }

  /// Codec and bit rate of a preset apply where the format has them; elsewhere a decision says that they don't.
  @Test(
    "codec and bit-rate of a preset hold for formats that have them, and -c:a and -b:a beat them")
  func codecAndBitRateOfAPreset() throws {
    try save("coded", "codec: flac\n")
    try save("slow", "codec: aac\nbit-rate: 64000\n")
    let rows: [(String, String, [String], AudioEncoding, Int?, Int)] = [
      ("coded", "o.m4a", [], .flac, nil, 0), ("coded", "o.m4a", ["-c:a", "aac"], .aac, nil, 0),
      ("coded", "o.wav", [], .pcm, nil, 1), ("slow", "o.m4a", [], .aac, 64_000, 0),
      ("slow", "o.wav", [], .pcm, nil, 2), ("slow", "o.m4a", ["-b:a", "200k"], .aac, 200_000, 0),
      ("slow", "o.m4a", ["-c:a", "alac"], .alac, nil, 1), ("slow", "o.opus", [], .opus, 64_000, 1),
    ]
    for (preset, name, flags, codec, bitRate, decided) in rows {
      let file = folder.file("config/pinna/presets/\(preset).yaml")
      let requests = try RenderCommand.requests(
        [source, "-o", folder.file(name), "--preset", file] + flags)
      let request = try #require(requests.first)
      let coding = try #require(request.outputs.first?.container?.coding)
      #expect(coding.codec == codec && coding.bitRate == bitRate, "\(preset), \(name), \(flags)")
      let aside = request.decisions.filter { $0.code == .codec }
      #expect(aside.count == decided, "\(preset), \(name), \(flags): \(aside)")
    }
  }

  @Test("a user's preset replaces the built-in one of the same name, and the summary says so")
  func aUsersPresetIsSeen() throws {
    try save("podcast", "summary: ours\nextends: podcast\nloudness: -18\nbits: 16\n")
    let render = try run([
      "render", source, "-o", folder.file("out.wav"), "--preset", "podcast", "-e", "none",
    ])
    #expect(render.status == 0)
    #expect(render.errors.hasPrefix("preset"), "\(render.errors)")
    #expect(render.errors.contains("podcast.yaml (instead of the built-in)"))
    let list = try run(["presets", "list"])
    let text = String(decoding: list.output, as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("podcast ") })
    #expect(line.contains("ours") && line.hasSuffix("podcast.yaml (instead of the built-in)"))
    #expect(text.contains("spotify ") && text.contains("built-in\n"))
  }

  @Test("a faulty preset file is reported and the others are listed")
  func aFaultyFileDoesntHideTheOthers() throws {
    try save("bad", "loudness: loud\n")
    let list = try run(["presets"])
    #expect(list.status == 2)
    #expect(String(decoding: list.output, as: UTF8.self).contains("ebu-r128"))
    #expect(list.errors.contains("bad.yaml, line 1: loudness"))
    for preset in ["bad", "nobody", folder.file("missing.yaml")] {
      let result = try run(["render", source, "-o", folder.file("out.wav"), "--preset", preset])
      #expect(result.status == 2, "\(result.errors)")
    }
    #expect(!folder.contents.contains("out.wav"))
  }

  @Test("the output of presets show works as a preset file")
  func whatIsShownCanBeSaved() throws {
    let shown = try run(["presets", "show", "podcast"])
    #expect(shown.status == 0)
    try save("mine", String(decoding: shown.output, as: UTF8.self))
    for name in ["podcast", "mine"] {
      let json = try run(["presets", "show", name, "--json"])
      let preset = try #require(
        JSONSerialization.jsonObject(with: json.output) as? [String: Any])
      #expect(preset["schema"] as? String == "pinna.preset/1")
      let settings = try #require(preset["settings"] as? [String: Any])
      #expect(settings["loudness"] as? Double == -16 && settings["dual-mono"] as? Bool == true)
    }
    #expect(try run(["presets", "show", "nobody"]).status == 2)
  }

  /// Renders with a preset of these lines; answers the loudness part of the report.
  private func loudness(_ lines: String, _ extra: [String] = []) throws -> [String: Any] {
    try save("own", lines)
    let result = try run(
      [
        "render", source, "-o", folder.file("out.wav"), "-y", "-e", "none", "--preset", "own",
        "--json",
      ]
        + extra)
    #expect(result.status == 0, "\(lines): \(result.errors)")
    let report = try #require(
      JSONSerialization.jsonObject(with: result.output) as? [String: Any])
    let decisions = report["decisions"] as? [[String: Any]] ?? []
    #expect(decisions.first?["code"] as? String == "preset")
    #expect(decisions.first?["chose"] as? String == "own")
    let output = (report["outputs"] as? [[String: Any]])?.first
    return try #require(output?["loudness"] as? [String: Any])
  }

  @Test("lower-only, max-gain and threshold work in a preset, and flags beat them")
  func settingsOfPresetsWork() throws {
    #expect(try loudness("lower-only: true\nloudness: -5\n")["outcome"] as? String == "lower-only")
    #expect(try loudness("max-gain: 1\nloudness: -5\n")["gainDB"] as? Double == 1)
    let near = try loudness("threshold: 20\nloudness: -20\n")
    #expect(near["outcome"] as? String == "unchanged")
    // Flags beat presets.
    let raised = try loudness(
      "lower-only: true\nloudness: -20\n", ["--no-lower-only", "-l", "-18"])
    #expect(raised["outcome"] as? String == "reached" && raised["target"] as? Double == -18)
  }

  @Test("album-loudness of a preset holds for albums only")
  func albumsHaveTheirOwnTarget() throws {
    let album = try loudness(
      "album: true\nalbum-loudness: -20\nloudness: -18\nloudest-track: true\n")
    #expect(album["target"] as? Double == -20)
    #expect((album["album"] as? [String: Any])?["reference"] as? String == "loudest-track")
    let track = try loudness("album-loudness: -20\nloudness: -18\nloudest-track: true\n")
    #expect(track["target"] as? Double == -18 && track["album"] == nil)
  }

  @Test("format: of a preset holds for names that choose no container; a typed extension is nearer")
  func aTypedExtensionBeatsAPresetsFormat() throws {
    try save("later", "format: flac\n")
    for (name, head) in [("out.wav", "RIFF"), ("out", "fLaC")] {
      let result = try run(["render", source, "-o", folder.file(name), "--preset", "later"])
      #expect(result.status == 0, "\(result.errors)")
      #expect(try Data(contentsOf: folder.url(name)).prefix(4) == Data(head.utf8))
    }
  }

  @Test("a preset file that nests 60,000 levels is refused")
  func deepNestingDoesntCrash() throws {
    for text in [
      String(repeating: "[", count: 60_000), String(repeating: "{a: ", count: 15_000),
      String(repeating: "[", count: 999) + String(repeating: "]", count: 999),
    ] {
      try save("deep", text)
      #expect(try run(["presets", "show", "deep"]).status == 2)
    }
  }

  private func taps(_ extra: [String]) throws -> [String] {
    let result = try run(
      ["render", source, "-o", folder.file("out.wav"), "-y", "-e", "none", "--json", "-q"] + extra)
    #expect(result.status == 0, "\(result.errors)")
    let report = try #require(
      JSONSerialization.jsonObject(with: result.output) as? [String: Any])
    let output = (report["outputs"] as? [[String: Any]])?.first
    return (output?["taps"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
  }

  /// The preset's taps come first, those of flags behind them; `--no-taps` leaves out the preset's.
  @Test("a preset's taps come before those of flags; --no-taps leaves the preset's out")
  func flagsAddTapsToThoseOfAPreset() throws {
    let equaliser = "Preamp: -3 dB\nFilter 1: ON PK Fc 1000 Hz Gain 3 dB Q 1\n"
    for name in ["own", "other"] {
      try Data(equaliser.utf8).write(to: folder.url("config/pinna/presets/\(name).txt"))
    }
    try save("ears", "eq: own.txt\n")
    #expect(try taps(["--preset", "ears"]) == ["own.txt"])
    let other = folder.file("config/pinna/presets/other.txt")
    #expect(try taps(["--preset", "ears", "--eq", other]) == ["own.txt", "other.txt"])
    #expect(try taps(["--preset", "ears", "--no-taps"]).isEmpty)
    #expect(try taps(["--preset", "ears", "--no-taps", "--eq", other]) == ["other.txt"])
  }

  @Test("a preset with a wrong tap is refused by name")
  func aWrongTapOfAPresetIsNamed() throws {
    try save("odd", "tap: [nowhere:eq=a.txt]\n")
    let result = try run(["render", source, "-o", folder.file("out.wav"), "--preset", "odd"])
    #expect(result.status == 2)
    #expect(result.errors.contains("preset odd: tap: nowhere:eq="), "\(result.errors)")
    #expect(!folder.contents.contains("out.wav"))
  }
}
