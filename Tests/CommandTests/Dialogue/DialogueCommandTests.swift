// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Programmes with known words beside the checkout.
enum SpokenCases {
  private static let folder = SharedMedia.beside("dialogue/cases")
  static let areHere = folder != nil

  static func path(_ name: String) -> String { (folder ?? "/nowhere") + "/" + name + ".flac" }

  /// The vector of a gain curve.
  static func vector(_ name: String) throws -> [String: Any] {
    let url = URL(fileURLWithPath: (folder ?? "/nowhere") + "/level/" + name + ".json")
    return try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any] ?? [:]
  }
}

/// The loudness of dialogue, measured and as a target, on the command line.
@Suite(
  .tags(.system), .fullRunOnly,
  .enabled(if: SpokenCases.areHere, "the cases of ../shared/dialogue aren't here"))
struct DialogueCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func json(_ arguments: [String]) throws -> [String: Any] {
    let result = try Product.run(arguments)
    #expect(result.status == 0, "\(result.errors)")
    return try JSONSerialization.jsonObject(with: result.output) as? [String: Any] ?? [:]
  }

  /// The dialogue of the file at `path`, as it is measured.
  private func measured(_ path: String) throws -> [String: Any] {
    try #require(json(["measure", path, "--dialogue", "--json"])["dialogue"] as? [String: Any])
  }

  private static let measurements: [(name: String, source: String, verdict: String)] = [
    ("06-film-5.1", "centre", "dialogue"), ("07-narrator-lr-5.1", "mid", "dialogue"),
    ("14-sparse", "mono", "not-enough-speech"), ("12-silence", "mid", "no-speech"),
  ]

  @Test("a measurement states source, verdict and figures; those that don't exist are absent")
  func dialogueIsMeasured() throws {
    for row in Self.measurements {
      let found = try measured(SpokenCases.path(row.name))
      #expect(
        found["source"] as? String == row.source && found["verdict"] as? String == row.verdict)
      #expect((found["dialogueLoudness"] == nil) == (row.verdict == "no-speech"))
      let (programme, dialogue) = (found["programmeLoudness"], found["dialogueLoudness"])
      if let programme = programme as? Double, let dialogue = dialogue as? Double {
        #expect(abs((found["ldr"] as? Double ?? 99) - (programme - dialogue)) < 1e-9)
      }
    }
  }

  @Test("an album's dialogue is that of all its files together")
  func anAlbumHasOneDialogue() throws {
    let paths = ["01-clean-en", "17-two-levels"].map(SpokenCases.path)
    let report = try json(["measure", "--album", "--dialogue", "--json"] + paths)
    let whole = try #require(report["dialogue"] as? [String: Any])
    let parts = (report["tracks"] as? [[String: Any]] ?? []).compactMap {
      $0["dialogue"] as? [String: Any]
    }
    func figure(_ part: [String: Any], _ key: String) -> Double { part[key] as? Double ?? .nan }
    let seconds = parts.map { figure($0, "certainSeconds") }
    let powers = parts.map { pow(10, figure($0, "dialogueLoudness") / 10) }
    let mean = zip(seconds, powers).reduce(0) { $0 + $1.0 * $1.1 } / seconds.reduce(0, +)
    #expect(abs(figure(whole, "dialogueLoudness") - 10 * log10(mean)) < 0.02)
    #expect(abs(figure(whole, "certainSeconds") - seconds.reduce(0, +)) < 1e-9)
    #expect(whole["verdict"] as? String == "dialogue")
  }

  @Test("table, CSV and plot show dialogue only where it is asked for")
  func otherFormsHaveIt() throws {
    let path = SpokenCases.path("06-film-5.1")
    let csv = String(
      decoding: try Product.run(["measure", path, "--dialogue", "--csv"]).output, as: UTF8.self)
    let rows = csv.split(separator: "\r\n").map { $0.split(separator: ",") }
    let column = try #require(rows[0].firstIndex(of: "dialogue_verdict"))
    #expect(rows[0].count == rows[1].count && rows[1][column] == "dialogue")
    let table = try Product.run([
      "measure", path, "--dialogue", "--plot", folder.file("plot.svg"),
    ])
    #expect(String(decoding: table.output, as: UTF8.self).contains("DL LUFS"))
    #expect(table.errors.contains("medium confidence"))
    let plot = try String(contentsOf: folder.url("plot.svg"), encoding: .utf8)
    #expect(plot.contains("#f9d7e6") && plot.contains("dialogue −25.1"))
    let plain = try Product.run(["measure", path])
    #expect(!String(decoding: plain.output, as: UTF8.self).contains("DL"))
  }

  @Test(
    "dialogue is delivered at its target, and its peaks below theirs",
    arguments: ["06-film-5.1", "07-narrator-lr-5.1", "16-7.1.4"])
  func dialogueIsTheTarget(name: String) throws {
    let output = folder.file("out.wav")
    let report = try json([
      "render", SpokenCases.path(name), "-o", output, "--preset", "netflix", "--json", "-q",
    ])
    // Measured anew, without what the render found.
    let found = try measured(output)
    #expect(abs((found["dialogueLoudness"] as? Double ?? 0) + 27) < 0.1)
    let outputs = report["outputs"] as? [[String: Any]]
    let loudness = try #require(outputs?.first?["loudness"] as? [String: Any])
    #expect(loudness["anchor"] as? String == "dialogue" && loudness["target"] as? Double == -27)
    let peak = (loudness["output"] as? [String: Any])?["truePeak"] as? Double
    #expect(peak ?? 0 <= -2)
  }

  @Test("dialogue is the target after a limiter, too, and in a lossy file")
  func limitedDialogueIsTheTarget() throws {
    for (name, options) in [("loud.wav", ["-l", "-10"]), ("lossy.m4a", ["-l", "-14"])] {
      let output = folder.file(name)
      let report = try json(
        ["render", SpokenCases.path("06-film-5.1"), "-o", output, "--anchor", "dialogue", "--json"]
          + ["-q", "-e", "none", "--layout", "stereo"] + options)
      let outputs = report["outputs"] as? [[String: Any]]
      let loudness = outputs?.first?["loudness"] as? [String: Any]
      let dialogue = loudness?["dialogue"] as? [String: Any]
      #expect(name != "loud.wav" || loudness?["limiter"] != nil)
      // A codec may move the loudness by a tenth.
      let gap = (dialogue?["dialogueLoudness"] as? Double ?? 0) - (Double(options[1]) ?? 0)
      #expect(abs(gap) < (name == "loud.wav" ? 0.05 : 0.15), "\(name): \(gap)")
    }
  }

  @Test("too little dialogue brings the whole to its own target, and says so")
  func sparseDialogueFallsBack() throws {
    let output = folder.file("out.wav")
    let arguments = ["render", SpokenCases.path("14-sparse"), "-o", output, "--preset", "netflix"]
    let report = try json(arguments + ["--json", "-q"])
    let codes = (report["degradations"] as? [[String: Any]] ?? []).compactMap {
      $0["code"] as? String
    }
    #expect(codes.contains("dialogue-not-found"))
    let outputs = report["outputs"] as? [[String: Any]]
    #expect(abs((outputs?.first?["integrated"] as? Double ?? 0) + 24) < 0.05)
    let strict = try Product.run(arguments + ["-y", "--strict"])
    #expect(
      strict.status == 9 && strict.errors.contains("10 s and 15 % are needed"), "\(strict.errors)")
  }

  @Test("a target on the command line is that of programmes without dialogue, too")
  func ownTargetsBeatThePreset() throws {
    let report = try json([
      "render", SpokenCases.path("14-sparse"), "-o", folder.file("out.wav"), "--preset", "netflix",
      "-l", "-20", "--json", "-q",
    ])
    let outputs = report["outputs"] as? [[String: Any]]
    #expect(abs((outputs?.first?["integrated"] as? Double ?? 0) + 20) < 0.05)
  }

  @Test("words are looked for in the source's channels, whatever they are mixed to")
  func aMatrixHidesNoWords() throws {
    let report = try json([
      "render", SpokenCases.path("06-film-5.1"), "-o", folder.file("out.wav"), "-l", "-27",
      "--anchor", "dialogue", "-e", "none", "--downmix", "FL=FL+0.7*FC|FR=FR+0.7*FC", "--json",
      "-q",
    ])
    let outputs = report["outputs"] as? [[String: Any]]
    let loudness = outputs?.first?["loudness"] as? [String: Any]
    let dialogue = loudness?["dialogue"] as? [String: Any]
    #expect(dialogue?["source"] as? String == "centre")
    #expect(abs((dialogue?["dialogueLoudness"] as? Double ?? 0) + 27) < 0.05)
  }

  @Test("words that lie elsewhere than in the centre channel are named where that is raised")
  func wordsElsewhereAreNamed() throws {
    let report = try json([
      "render", SpokenCases.path("07-narrator-lr-5.1"), "-o", folder.file("out.wav"), "-e", "none",
      "-l", "off", "--dialogue", "6", "--json", "-q",
    ])
    let codes = (report["degradations"] as? [[String: Any]] ?? []).compactMap {
      $0["code"] as? String
    }
    #expect(codes.contains("dialogue-elsewhere"))
  }

  @Test(
    "a list of files refuses what is only possible for one",
    arguments: [
      ["--dialogue", "3"], ["--level", "night", "--dialogue", "3"], ["--downmix", "FL=FC|FR=FC"],
    ])
  func listsRefuseIt(words: [String]) throws {
    try FileManager.default.copyItem(
      atPath: SpokenCases.path("06-film-5.1"), toPath: folder.file("film.flac"))
    try Data("film.flac\n".utf8).write(to: folder.url("list.m3u"))
    let result = try Product.run(
      ["render", folder.file("list.m3u"), "-o", folder.file("out.wav")] + words)
    #expect(
      result.status == 5 && result.errors.contains("isn't possible in queues"), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("out.wav")))
  }

  @Test("the same bits for any block size and number of threads")
  func blocksAndThreadsDontMatter() throws {
    let path = SpokenCases.path("08-whisper-normal-explosion")
    let ways = [[], ["--block-size", "1000"], ["--threads", "1"], ["--max-memory", "1M"]]
    let files = try ways.enumerated().map { index, way in
      let output = folder.file("\(index).wav")
      let result = try Product.run(
        ["render", path, "-o", output, "--level", "night", "--anchor", "dialogue", "-q"] + way)
      #expect(result.status == 0, "\(result.errors)")
      return try Data(contentsOf: URL(fileURLWithPath: output))
    }
    for file in files.dropFirst() { #expect(file == files[0]) }
  }

  /// An ADM file with the case `name` as an object of dialogue, 30° to the left, with this gain.
  private func objectFile(_ name: String, gain: Double) throws -> String {
    let sound = try Tool.run(
      "ffmpeg",
      ["-v", "error", "-i", SpokenCases.path(name), "-ar", "48000", "-f", "s16le", "-"])
    let text = """
      <?xml version="1.0"?><ebuCoreMain><format><audioFormatExtended version="ITU-R_BS.2076-2">
      <audioProgramme audioProgrammeID="APR_1001" audioProgrammeName="a">
      <audioContentIDRef>ACO_1001</audioContentIDRef></audioProgramme>
      <audioContent audioContentID="ACO_1001"><audioObjectIDRef>AO_1001</audioObjectIDRef>
      <dialogue dialogueContentKind="2">1</dialogue></audioContent>
      <audioObject audioObjectID="AO_1001"><audioPackFormatIDRef>AP_00031001</audioPackFormatIDRef>
      <audioTrackUIDRef>ATU_00000001</audioTrackUIDRef><gain>\(gain)</gain></audioObject>
      <audioPackFormat audioPackFormatID="AP_00031001" typeLabel="0003">
      <audioChannelFormatIDRef>AC_00031001</audioChannelFormatIDRef></audioPackFormat>
      <audioChannelFormat audioChannelFormatID="AC_00031001" typeLabel="0003">
      <audioBlockFormat><position coordinate="azimuth">30</position>
      <position coordinate="elevation">0</position></audioBlockFormat></audioChannelFormat>
      <audioStreamFormat audioStreamFormatID="AS_00031001" formatLabel="0001">
      <audioChannelFormatIDRef>AC_00031001</audioChannelFormatIDRef>
      <audioTrackFormatIDRef>AT_00031001_01</audioTrackFormatIDRef></audioStreamFormat>
      </audioFormatExtended></format></ebuCoreMain>
      """
    func little(_ value: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
      Array(name.utf8) + little(body.count, 4) + body + (body.count % 2 == 0 ? [] : [0])
    }
    let table =
      little(1, 2) + little(1, 2) + little(1, 2)
      + Array("ATU_00000001AT_00031001_01AP_00031001".utf8) + [0]
    let form = little(1, 2) + little(1, 2) + little(48_000, 4) + little(96_000, 4) + little(2, 2)
    let body =
      Array("WAVE".utf8) + chunk("fmt ", form + little(16, 2)) + chunk("chna", table)
      + chunk("axml", Array(text.utf8)) + chunk("data", [UInt8](sound.output))
    let path = folder.file("object \(gain).wav")
    try Data(chunk("RIFF", body)).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test("an object that its file calls dialogue is heard first, unless it is silent")
  func statedDialogueIsHeardFirst() throws {
    let wanted = try measured(SpokenCases.path("01-clean-en"))
    let found = try measured(objectFile("01-clean-en", gain: 0.5))
    #expect(found["source"] as? String == "stated" && found["verdict"] as? String == "dialogue")
    func figure(_ part: [String: Any], _ key: String) -> Double { part[key] as? Double ?? .nan }
    // Half the gain, and another rate with other filters: a little of the words' edges differs.
    let moved = figure(found, "dialogueLoudness") - figure(wanted, "dialogueLoudness")
    #expect(abs(moved + 6.02) < 0.1, "\(moved)")
    #expect(abs(figure(found, "sourceLoudness") - figure(found, "dialogueLoudness")) < 0.02)
    #expect(abs(figure(found, "share") - figure(wanted, "share")) < 0.02)
    let silent = try json(["measure", objectFile("01-clean-en", gain: 0), "--dialogue", "--json"])
    let codes = (silent["degradations"] as? [[String: Any]] ?? []).compactMap {
      $0["code"] as? String
    }
    #expect(codes.contains("stated-dialogue"))
    #expect((silent["dialogue"] as? [String: Any])?["source"] as? String != "stated")
  }

  @Test("objects that are stored as they are can't be levelled")
  func storedObjectsArentLevelled() throws {
    let result = try Product.run([
      "render", try objectFile("01-clean-en", gain: 1), "-o", folder.file("out.wav"), "-f", "bw64",
      "-l", "-23", "--level", "night",
    ])
    #expect(result.status == 2 && result.errors.contains("can't be levelled"), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("out.wav")))
  }

  private static let refusals: [(words: [String], status: Int32, says: String)] = [
    (["--anchor", "dialogue", "--loudness-mode", "metadata"], 2, "measures the dialogue"),
    (["--programme-loudness", "-24"], 2, "--anchor dialogue"),
    (["--level-range", "5"], 2, "--level; add it"),
    (["--level", "soft"], 2, "gentle, night, train"),
    (["--level", "night", "-l", "off"], 2, "needs a loudness target"),
    (["--level", "night", "--level-range", "1"], 2, "2 to 20"),
    (["--level", "night", "-c:a", "copy", "-f", "matroska"], 2, "-c:a copy"),
    (["--level", "night", "--loudness-mode", "metadata"], 2, "use --loudness-mode measured"),
    (["--level", "night", "--peak-policy", "fail"], 2, "raises peaks"),
    (["--anchor", "dialogue", "--tap", "item:avfilter=rubberband=tempo=0.5"], 2, "the tempo"),
    (["--downmix", "FL=FL+c0|FR=FR"], 2, "column 7: c0 is given twice"),
    (["--dialogue", "21"], 2, "−20 to 20"), (["--dialogue", "3"], 5, "the source is stereo"),
  ]

  @Test("what can't be done is refused before anything is written", arguments: refusals.indices)
  func senselessWishesAreRefused(row: Int) throws {
    let (words, status, says) = Self.refusals[row]
    let result = try Product.run(
      ["render", SpokenCases.path("05-over-music"), "-o", folder.file("out.wav")] + words)
    #expect(result.status == status && result.errors.contains(says), "\(words): \(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("out.wav")))
  }
}
