// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `pinna audition` makes listening pages, keeps what is there, and reads results.
@Suite(.tags(.system), .fullRunOnly) struct AuditionCommandTests {
  private let folder: TemporaryFolder
  private let source: String
  private let page: String

  init() throws {
    folder = try TemporaryFolder()
    source = folder.file("in.wav")
    page = folder.file("page.html")
    try TestProgramme.wav(channels: 6, seconds: 3, mask: 0x3F).write(to: folder.url("in.wav"))
  }

  private func audition(_ arguments: [String]) throws -> Tool.Result {
    try Product.run(["audition"] + arguments)
  }

  private func refusal(_ arguments: [String]) async throws -> Tool.Result {
    try await InProcess.run(["audition"] + arguments)
  }

  private func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
  }

  @Test("an audition of a surround file is one page with two ways of rendering")
  func aPageIsMade() throws {
    let result = try audition([source, "-o", page, "--at", "0.5s", "--length", "1s", "--json"])
    #expect(result.status == 0, "\(result.errors)")
    let json = try #require(
      JSONSerialization.jsonObject(with: result.output) as? [String: Any])
    #expect(json["schema"] as? String == "pinna.audition/1" && json["title"] as? String == "in.wav")
    let ways = try #require(json["ways"] as? [[String: Any]])
    #expect(ways.map { $0["label"] as? String } == ["kemar", "stereo mix"])
    #expect(ways[1]["flags"] as? String == "--endpoint none --layout stereo")
    let text = try String(contentsOf: folder.url("page.html"), encoding: .utf8)
    #expect(text.contains("medium-e1-w1") && text.contains("medium-e1-w2"))
    #expect(try names() == ["in.wav", "page.html"])
  }

  @Test("equalisers and ways with flags of their own are ways, and wrong flags are named")
  func equalisersAndFlagsAreWays() async throws {
    let eq = folder.file("my warm.txt")
    try "Preamp: -3 dB\nFilter 1: ON LSC Fc 105 Hz Gain 6 dB Q 0.7\n".write(
      toFile: eq, atomically: true, encoding: .utf8)
    let result = try audition([
      source, "-o", page, "--at", "0s", "--length", "1s", "--json", "-q", "--eq", "off,\(eq)",
      "--way",
      "wide: -e speakers --speaker-span 40",
    ])
    #expect(result.status == 0, "\(result.errors)")
    let json = try #require(
      JSONSerialization.jsonObject(with: result.output) as? [String: Any])
    let ways = try #require(json["ways"] as? [[String: Any]])
    #expect(ways.map { $0["label"] as? String } == ["kemar", "kemar, my warm.txt", "wide"])
    #expect(ways[1]["flags"] as? String == "--endpoint headphones --eq '\(eq)'")
    #expect(ways[2]["flags"] as? String == "-e speakers --speaker-span 40")
    for (way, words) in [
      ("plain", "give a name and flags"), ("a: --hrtf 'x", "isn't closed"), ("a: --nope", "--nope"),
      ("a: --drc rf", "how inputs are read"), ("a: --also none:b.wav", "more than one output"),
    ] {
      let refused = try await refusal([source, "-o", page, "--way", way, "-y"])
      #expect(refused.status == 2 && refused.errors.contains(words), "\(refused.errors)")
    }
  }

  @Test("each combination of endpoints, rooms and scales is a way whose flags render")
  func combinationsBecomeWaysWhoseFlagsRender() throws {
    let result = try audition([
      source, "-o", page, "--at", "0s", "--length", "1s", "--json", "-q", "--endpoint",
      "headphones,speakers", "--room", "off,medium", "--itd-scale", "1,1.1",
    ])
    let json = try #require(
      JSONSerialization.jsonObject(with: result.output) as? [String: Any])
    let ways = try #require(json["ways"] as? [[String: Any]])
    #expect(
      ways.map { $0["label"] as? String } == [
        "kemar", "kemar, medium room", "kemar, delays × 1.1", "kemar, delays × 1.1, medium room",
        "loudspeakers, kemar",
      ])
    for (index, way) in ways.enumerated() {
      let flags = try #require(way["flags"] as? String).split(separator: " ").map(String.init)
      let render = try Product.run(
        ["render", source, "-o", folder.file("\(index).wav"), "-q"] + flags)
      #expect(render.status == 0, "\(flags): \(render.errors)")
    }
  }

  @Test("with --folder the media lie beside the page, and foreign files there aren't replaced")
  func mediaLieInAFolderWhereThatIsAsked() throws {
    let arguments = [source, "-o", page, "--at", "0s", "--length", "1s", "--folder", "-q"]
    #expect(try audition(arguments).status == 0)
    #expect(try names() == ["in.wav", "page.html", "page-media"])
    let media = try FileManager.default.contentsOfDirectory(atPath: folder.file("page-media"))
    #expect(Set(media) == ["e1-w1.js", "e1-w2.js"])
    let size = try Data(contentsOf: folder.url("page.html")).count
    #expect(size < 100_000)
    let again = try audition(arguments)
    #expect(again.status == 6 && again.errors.contains("exists already"))
    #expect(try audition(arguments + ["-y", "--endpoint", "speakers,none"]).status == 0)
    #expect(try names() == ["in.wav", "page.html", "page-media"])
    // Whatever else lies in the folder is no medium, and isn't touched.
    try Data("mine".utf8).write(to: folder.url("page-media/e1-w1.js"))
    let kept = try audition(arguments + ["-y"])
    #expect(kept.status == 6 && kept.errors.contains("isn't replaced"))
    #expect(try Data(contentsOf: folder.url("page-media/e1-w1.js")) == Data("mine".utf8))
    try FileManager.default.removeItem(atPath: folder.file("page-media"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("page-media"), withDestinationPath: folder.path)
    #expect(try audition(arguments + ["-y"]).status == 6)
  }

  @Test("a page doesn't replace a file without -y, and never an input")
  func nothingIsReplacedUnasked() async throws {
    try Data("mine".utf8).write(to: folder.url("page.html"))
    let kept = try await refusal([source, "-o", page])
    #expect(kept.status == 6 && kept.errors.contains("exists already; add -y"))
    #expect(try Data(contentsOf: folder.url("page.html")) == Data("mine".utf8))
    let own = try await refusal([source, "-o", source, "-y"])
    #expect(own.status == 6 && own.errors.contains("is an input"))
    let link = folder.file("link.html")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: source)
    #expect(try await refusal([source, "-o", link, "-y"]).status == 6)
    let nowhere = try await refusal([source, "-o", folder.file("no/there/page.html")])
    #expect(nowhere.status == 6 && nowhere.errors.contains("can't be written"))
  }

  @Test(
    "a wrong value of an audition is refused in one sentence and writes nothing",
    arguments: [
      (["--at", "100s"], 2, "no second is left"),
      (["--at", "1x"], 2, "--at 1x"),
      (["--at", "1s,,2s"], 2, "--at"),
      (["--length", "0.1s"], 2, "give 1 to 60 s"),
      (["--at", "2.5s"], 2, "no second is left"), (["--at", "1s,1s"], 2, "asked for twice"),
      (["--itd-scale", "0.9,0.90"], 2, "the same samples"),
      (["--endpoint", "speakers,none", "--room", "medium"], 2, "add headphones"),
      (["--hrtf", "kemar"], 0, ""),
      (["--hrtf", "kemar,"], 2, "--hrtf kemar,"),
      (["--hrtf", "kemar,kemar"], 2, "both called kemar"),
      (["--endpoint", "none"], 2, "2 to 8 ways"),
      (["--endpoint", "headphones,phones"], 2, "--endpoint phones"),
      (["--room", "off,huge"], 2, "--room huge"),
      (["--itd-scale", "1,9"], 2, "0.6 to 1.5"),
      (["--against", "/nowhere.wav"], 3, "/nowhere.wav"),
      (["--hrtf", "kemar,/nowhere.sofa"], 3, "/nowhere.sofa"),
    ] as [([String], Int32, String)])
  func wrongRequestsAreRefused(extra: [String], status: Int32, words: String) async throws {
    var arguments = [source, "-o", page, "-q"] + extra
    if !extra.contains("--at") { arguments += ["--at", "0s"] }
    if !extra.contains("--length") { arguments += ["--length", "1s"] }
    let result = try await refusal(arguments)
    #expect(result.status == status, "\(result.errors)")
    #expect(words.isEmpty || result.errors.contains(words), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count <= 1)
    #expect(try names() == (status == 0 ? ["in.wav", "page.html"] : ["in.wav"]))
  }

  @Test("results of an audition are summed up as text and JSON; another file is refused")
  func resultsAreRead() async throws {
    let trials = (0..<16).map { "{\"x\":\"w2\",\"answer\":\"w\($0 < 13 ? 2 : 1)\"}" }
    let pairs = (0..<6).map { _ in
      "{\"kind\":\"pair\",\"ways\":[\"w1\",\"w2\"],\"preferred\":\"w2\"}"
    }
    let text =
      "{\"schema\":\"pinna.audition-result/1\",\"page\":\"p\",\"title\":\"Film\",\"ways\":["
      + "{\"id\":\"w1\",\"label\":\"kemar\",\"flags\":\"--endpoint headphones\"},"
      + "{\"id\":\"w2\",\"label\":\"mine\",\"flags\":\"--hrtf my.sofa\"}],\"abx\":[{\"id\":\"x\",\"ways\":[\"w1\",\"w2\"],"
      + "\"excerpt\":\"e1\",\"planned\":16,\"trials\":[\(trials.joined(separator: ","))]}],"
      + "\"tournaments\":[{\"id\":\"t\",\"isWhole\":true,\"trials\":[\(pairs.joined(separator: ","))]}]}"
    try Data(text.utf8).write(to: folder.url("r.json"))
    let result = try Product.run(["audition", "results", folder.file("r.json")])
    #expect(result.status == 0, "\(result.errors)")
    let lines = String(decoding: result.output, as: UTF8.self)
    #expect(lines.contains("1.        mine: preferred 6 of 6"))
    #expect(lines.contains("use       pinna render … --hrtf my.sofa"))
    #expect(lines.contains("13 of 16 right, by guessing in 1.06 %: a difference was heard"))
    let json = try Product.run(["audition", "results", folder.file("r.json"), "--json"])
    let summary = try JSONSerialization.jsonObject(with: json.output) as? [String: Any]
    #expect(summary?["schema"] as? String == "pinna.audition-summary/1")
    let refused = try await refusal(["results", source])
    #expect(refused.status == 3 && refused.errors.contains("isn't a result"))
  }
}
