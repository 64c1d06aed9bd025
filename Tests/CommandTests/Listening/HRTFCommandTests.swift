// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `pinna hrtf` describes sets without rendering.
@Suite(.tags(.system), .fullRunOnly) struct HRTFCommandTests {
  private let folder: TemporaryFolder
  private static let hasSadie = SharedMedia.hrtf != nil

  init() throws {
    folder = try TemporaryFolder()
    try Data("no HRTF".utf8).write(to: folder.url("broken.sofa"))
  }

  private func object(_ result: Tool.Result) throws -> [String: Any] {
    #expect(result.errors.isEmpty, "\(result.errors)")
    return try #require(JSONSerialization.jsonObject(with: result.output) as? [String: Any])
  }

  private func text(_ result: Tool.Result) -> String {
    String(decoding: result.output, as: UTF8.self)
  }

  @Test("hrtf list without any file shows the built-in set")
  func theBuiltInSetIsAlwaysListed() throws {
    let alone = try Tool.run(
      Product.path, ["hrtf", "list"],
      environment: ["HOME": folder.path, "XDG_DATA_HOME": folder.path])
    #expect(alone.status == 0)
    #expect(text(alone).split(separator: "\n").count == 2 && text(alone).contains("built in"))
  }

  @Test(
    "a set of the user's folder is found by its name, a path goes first, and an unknown name lists the known"
  )
  func setsHaveNames() throws {
    let place = folder.url("pinna/hrtf")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    for name in ["one.sofa", "two.SOFA"] {
      try Data("no HRTF".utf8).write(to: place.appendingPathComponent(name))
    }
    func inspect(_ name: String) throws -> Tool.Result {
      try Tool.run(
        Product.path, ["hrtf", "inspect", name], environment: ["XDG_DATA_HOME": folder.path])
    }
    for (name, file) in [("one", "one.sofa"), ("one.sofa", "one.sofa"), ("two", "two.SOFA")] {
      let found = try inspect(name)
      #expect(
        found.status == 3 && found.errors.contains(file + " isn't a SOFA file"),
        "\(name): \(found.errors)")
    }
    let unknown = try inspect("three")
    #expect(unknown.status == 3, "\(unknown.errors)")
    #expect(unknown.errors.contains("three: no such file"), "\(unknown.errors)")
    #expect(unknown.errors.contains("known are kemar, one, two"), "\(unknown.errors)")
    // Without a folder of its own only the built-in set is known.
    let path = try inspect(folder.file("one"))
    #expect(path.status == 3 && !path.errors.contains("known are"), "\(path.errors)")
  }

  @Test(
    "a render takes a set by its name", .tags(.media),
    .enabled(if: hasSadie, "the SADIE test set is not beside the package"))
  func rendersTakeNames() throws {
    let set = try #require(SharedMedia.hrtf)
    let place = folder.url("pinna/hrtf")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: place.path + "/sadie.sofa", withDestinationPath: set)
    try TestProgramme.wav(channels: 6, seconds: 1).write(to: folder.url("in.wav"))
    func render(_ hrtf: String, _ name: String) throws -> Data {
      let result = try Tool.run(
        Product.path,
        ["render", folder.file("in.wav"), "-o", folder.file(name), "-q", "--hrtf", hrtf],
        environment: ["XDG_DATA_HOME": folder.path, "HOME": folder.path])
      try #require(result.status == 0, "\(result.errors)")
      return try Data(contentsOf: folder.url(name))
    }
    #expect(try render("sadie", "a.wav") == render(place.path + "/sadie.sofa", "b.wav"))
  }

  @Test("hrtf list shows a broken SOFA file with the reason and ends with 3")
  func aBrokenFileIsListedWithItsReason() throws {
    let result = try Product.run(["hrtf", "list", folder.path])
    #expect(result.status == 3 && result.errors.isEmpty)
    #expect(text(result).contains("kemar"))
    #expect(text(result).contains("broken.sofa isn't a SOFA file"))
    let json = try object(Product.run(["hrtf", "list", folder.path, "--json"]))
    #expect(json["schema"] as? String == "pinna.hrtf-list/1")
    let sets = try #require(json["sets"] as? [[String: Any]])
    #expect(sets.count == 2 && sets[0]["directions"] as? Int == 710)
    #expect((sets[1]["refusal"] as? [String: Any])?["kind"] as? String == "input-unreadable")
    let missing = try Product.run(["hrtf", "list", folder.file("nowhere")])
    #expect(missing.status == 3 && missing.errors.contains("nowhere"))
  }

  @Test(
    "hrtf list shows the SOFA files of the user's folder", .tags(.media),
    .enabled(if: hasSadie, "the SADIE test set is not beside the package"))
  func usersFoldersAreSearched() throws {
    let set = try #require(SharedMedia.hrtf)
    let place = folder.url("pinna/hrtf")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    for name in ["b.SOFA", "a.sofa", ".hidden.sofa", "readme.txt"] {
      try FileManager.default.createSymbolicLink(
        atPath: place.path + "/" + name, withDestinationPath: set)
    }
    try Data("no HRTF".utf8).write(to: place.appendingPathComponent("c.sofa"))
    let result = try Tool.run(
      Product.path, ["hrtf", "list"], environment: ["XDG_DATA_HOME": folder.path])
    // One file works, so the broken one isn't a failure.
    #expect(result.status == 0)
    let lines = text(result).split(separator: "\n")
    #expect(lines.count >= 5)
    let names = lines.map { $0.prefix { $0 != " " } }
    #expect(names[1...4] == ["kemar", "a.sofa", "b.SOFA", "c.sofa"])
    #expect(lines[2].contains("1726") && lines[2].contains("256"))
  }

  @Test("hrtf inspect shows each step with its reason")
  func inspectSaysWhatIsDoneAndWhy() throws {
    let result = try Product.run(["hrtf", "inspect", "kemar"])
    #expect(result.status == 0)
    for words in ["MIT", "710 places", "320 taps at 44100 Hz", "mirror image", "more than 1 dB"] {
      #expect(text(result).contains(words), "\(text(result))")
    }
    let json = try object(Product.run(["hrtf", "inspect", "kemar", "--json"]))
    #expect(json["schema"] as? String == "pinna.hrtf/1")
    #expect(json["path"] == nil && json["delayUnit"] as? String == "none")
    let schema = try object(Product.run(["schema", "hrtf"]))
    let required = try #require(schema["required"] as? [String])
    #expect(Set(required).isSubset(of: Set(json.keys)))
    let properties = try #require(schema["properties"] as? [String: Any])
    #expect(Set(json.keys).isSubset(of: Set(properties.keys)))
    let steps = try #require(json["steps"] as? [[String: Any]])
    #expect(steps.count == 6 && steps.allSatisfy { $0["reason"] is String })
  }

  @Test("--plot replaces a file only with -y, and never an input")
  func plotsFollowTheRulesOfOutputs() throws {
    let plot = folder.file("plot.svg")
    #expect(try Product.run(["hrtf", "inspect", "kemar", "--plot", plot]).status == 0)
    let first = try Data(contentsOf: folder.url("plot.svg"))
    #expect(String(decoding: first, as: UTF8.self).contains("10 kHz"))
    let again = try Product.run(["hrtf", "inspect", "kemar", "--plot", plot])
    #expect(again.status == 6 && again.errors.contains("-y") && again.output.isEmpty)
    #expect(try Product.run(["hrtf", "inspect", "kemar", "--plot", plot, "-y"]).status == 0)
    #expect(try Data(contentsOf: folder.url("plot.svg")) == first)
    #expect(try Product.run(["hrtf", "inspect", "kemar", "--plot", "-"]).status == 2)
    let broken = folder.file("broken.sofa")
    let onto = try Product.run(["hrtf", "inspect", broken, "--plot", broken, "-y"])
    #expect(onto.status == 6 && onto.errors.contains("is an input"))
    let unread = try Product.run(["hrtf", "inspect", broken, "--plot", folder.file("new.svg")])
    #expect(unread.status == 3 && unread.errors.contains("broken.sofa"))
    #expect(folder.contents == ["broken.sofa", "plot.svg"])
  }

  @Test("hrtf compare of a set with itself shows differences of zero")
  func aSetComparedWithItselfIsAllZeros() throws {
    let json = try object(Product.run(["hrtf", "compare", "kemar", "kemar", "--json"]))
    #expect(json["schema"] as? String == "pinna.hrtf-comparison/1")
    for key in ["delayMicroseconds", "interauralLevelDB", "spectrumDB"] {
      let spread = try #require(json[key] as? [String: Double])
      #expect(spread == ["typical": 0, "percentile95": 0])
    }
    #expect(json["levelDB"] as? Double == 0 && json["places"] as? Int == 368)
    let shown = try Product.run(["hrtf", "compare", "kemar", "kemar"])
    #expect(text(shown).contains("median 0.0, 95 % 0.0 µs"))
    let missing = try Product.run(["hrtf", "compare", "kemar", folder.file("no.sofa")])
    #expect(missing.status == 3 && missing.errors.contains("no.sofa"))
  }

  /// `hrtf fit` says how `render` treats the same head.
  @Test("hrtf fit gives the scale that render uses for the same head")
  func aSetIsFittedToAHead() throws {
    let fit = try object(Product.run(["hrtf", "fit", "--circumference", "62", "--json"]))
    #expect(fit["schema"] as? String == "pinna.hrtf-fit/1")
    let scale = try #require(fit["scale"] as? Double)
    #expect(scale > 1 && scale < 1.3)
    let words = text(try Product.run(["hrtf", "fit", "--width", "15.2", "--depth", "19.5cm"]))
    #expect(words.contains("--itd-scale "), "\(words)")
    try TestProgramme.wav(channels: 2, seconds: 1).write(to: folder.url("in.wav"))
    let rendered = try object(
      Product.run([
        "render", folder.file("in.wav"), "-o", folder.file("out.wav"), "--head-circumference", "62",
        "--json", "-q",
      ]))
    let output = (rendered["outputs"] as? [[String: Any]])?.first
    let set = (output?["render"] as? [String: Any])?["hrtf"] as? [String: Any]
    #expect(set?["delayScale"] as? Double == scale)
    let decisions = rendered["decisions"] as? [[String: Any]] ?? []
    #expect(decisions.contains { $0["code"] as? String == "head-size" })
  }

  @Test("hrtf inspect --itd-scale 1.1 draws delays that are 1.1 times as long")
  func fittedDelaysAreDrawn() throws {
    let plot = folder.file("delays.svg")
    let json = try object(
      Product.run([
        "hrtf", "inspect", "kemar", "--itd-scale", "1.1", "--plot-delays", plot, "--json",
      ]))
    let delays = try #require(json["interauralDelayMicroseconds"] as? [String: Any])
    #expect(delays["scale"] as? Double == 1.1)
    let measured = delays["measured"] as? [Double] ?? []
    let played = delays["played"] as? [Double] ?? []
    #expect(measured.count == 73 && zip(measured, played).allSatisfy { abs(1.1 * $0 - $1) < 1e-6 })
    let steps = json["steps"] as? [[String: Any]] ?? []
    #expect(
      steps.contains { $0["name"] as? String == "head-size" && $0["applied"] as? Bool == true })
    let picture = try String(contentsOfFile: plot, encoding: .utf8)
    #expect(picture.contains("Interaural delays of kemar") && picture.contains("</svg>"))
  }

  @Test(
    "--hrtf-processing off changes the samples and is noted; without headphones the option is refused"
  )
  func aSetIsPlayedAsItWasMeasured() async throws {
    try TestProgramme.wav(channels: 2, seconds: 1).write(to: folder.url("in.wav"))
    func report(_ flags: [String]) throws -> [String: Any] {
      try object(
        Product.run(
          ["render", folder.file("in.wav"), "-o", folder.file("out.wav"), "-y", "--json", "-q"]
            + flags))
    }
    let (plain, flat) = (try report(["--hrtf-processing", "off"]), try report([]))
    func set(_ report: [String: Any]) -> [String: Any]? {
      let output = (report["outputs"] as? [[String: Any]])?.first
      return (output?["render"] as? [String: Any])?["hrtf"] as? [String: Any]
    }
    #expect(set(plain)?["processing"] as? String == "off" && set(flat)?["processing"] == nil)
    let decisions = try #require(plain["decisions"] as? [[String: Any]])
    let noted = decisions.first { $0["code"] as? String == "hrtf-processing" }
    #expect((noted?["why"] as? String)?.contains("--hrtf-processing off") ?? false)
    func samples(_ report: [String: Any]) -> String? {
      (report["outputs"] as? [[String: Any]])?.first?["pcmSHA256"] as? String
    }
    #expect(samples(plain) != samples(flat))
    let mixed = try await InProcess.run([
      "render", folder.file("in.wav"), "-o", folder.file("no.wav"), "-e", "none",
      "--hrtf-processing", "off",
    ])
    #expect(mixed.status == 2 && mixed.errors.contains("virtualised"))
  }

  @Test(
    "a scale or circumference out of range, or both together, is refused",
    arguments: [
      (["--itd-scale", "2"], "give 0.6 to 1.5"), (["--itd-scale", "big"], "not a number"),
      (["--head-circumference", "80"], "give 40 to 70 cm"),
      (["--itd-scale", "1.1", "--head-circumference", "60"], "only one of them"),
      (["--itd-scale", "1.1", "-e", "none"], "only mean something"),
    ]) func headsThatCantBeAreRefused(flags: [String], words: String) async throws
  {
    try TestProgramme.wav(channels: 2, seconds: 1).write(to: folder.url("in.wav"))
    let result = try await InProcess.run(
      ["render", folder.file("in.wav"), "-o", folder.file("refused.wav")] + flags)
    #expect(result.status == 2 && result.errors.contains(words), "\(result.errors)")
    #expect(!folder.contents.contains("refused.wav"))
  }

  @Test(
    "hrtf fit refuses measures that are missing, out of range or contradict each other",
    arguments: [
      [], ["--circumference", "60", "--width", "15"], ["--width", "15"],
      ["--circumference", "20"], ["--width", "15", "--depth", "90"],
    ]) func measuresThatCantBeAreRefused(flags: [String]) async throws
  {
    let result = try await InProcess.run(["hrtf", "fit"] + flags)
    #expect(result.status == 2 && result.errors.contains("cm"), "\(result.errors)")
  }

  /// A HeSuVi file plays channels on headphones, and says so; what it can't do is refused by name.
  @Test(
    "a HeSuVi file of 14 channels is played; options that would move its loudspeakers are refused")
  func heSuViFilesArePlayed() throws {
    var noise = SeededNoise(seed: 5)
    let planes = (0..<14).map { _ in noise.samples(300, peak: 0.5) }
    try WAVBytes.float32(planes, rate: 48_000).write(to: folder.url("room.wav"))
    try WAVBytes.float32(Array(planes.prefix(13)), rate: 48_000).write(to: folder.url("odd.wav"))
    try TestProgramme.wav(channels: 6, seconds: 1).write(to: folder.url("in.wav"))
    func render(_ set: String, _ flags: [String]) throws -> Tool.Result {
      try Product.run(
        ["render", folder.file("in.wav"), "-o", folder.file("out.wav"), "-y", "--json", "-q"]
          + ["--hrtf", folder.file(set)] + flags)
    }
    let report = try object(render("room.wav", []))
    let output = (report["outputs"] as? [[String: Any]])?.first
    let set = (output?["render"] as? [String: Any])?["hrtf"] as? [String: Any]
    #expect(set?["id"] as? String == "room.wav")
    let decisions = report["decisions"] as? [[String: Any]] ?? []
    #expect(decisions.contains { $0["code"] as? String == "hrtf-set" })
    // Of a folder, what can't be such a set isn't tried.
    let inFolder = text(try Product.run(["hrtf", "list", folder.path]))
    #expect(inFolder.contains("room.wav") && !inFolder.contains("odd.wav"))
    for (name, flags, status, words) in [
      ("odd.wav", [], 3, "has 13 channels"), ("room.wav", ["--yaw", "30"], 5, "in their places"),
      ("room.wav", ["--room", "small"], 5, "in their places"),
      ("room.wav", ["-e", "speakers"], 5, "give a SOFA file"),
      ("room.wav", ["--itd-scale", "1.1"], 2, "played as it is"),
    ] as [(String, [String], Int32, String)] {
      let result = try render(name, flags)
      #expect(result.status == status && result.errors.contains(words), "\(result.errors)")
    }
    // A damaged room isn't played.
    var broken = planes
    broken[3][7] = .nan
    try WAVBytes.float32(broken, rate: 48_000).write(to: folder.url("nan.wav"))
    let whole = try Data(contentsOf: folder.url("room.wav"))
    try whole.prefix(whole.count / 2).write(to: folder.url("cut.wav"))
    for name in ["nan.wav", "cut.wav"] {
      let result = try render(name, [])
      #expect(result.status == 3 && result.errors.contains("is damaged"), "\(result.errors)")
    }
    let listed = text(try Product.run(["hrtf", "list", folder.file("room.wav")]))
    #expect(listed.contains("room.wav") && listed.contains(" 300 "), "\(listed)")
    let inspected = try Product.run(["hrtf", "inspect", folder.file("room.wav")])
    #expect(inspected.status == 5 && inspected.errors.contains("single loudspeakers"))
  }

  /// Each channel of 7.1 is heard by both ears as HeSuVi's order of channels has it, at its own time.
  @Test("each channel of 7.1 comes to both ears with the gains of HeSuVi's channel order")
  func theChannelsOfAHeSuViFileHaveTheirPlaces() throws {
    let gains: [Float] = (0..<14).map { Float($0 + 3) / 20 }
    let planes = gains.map { gain in [gain] + [Float](repeating: 0, count: 63) }
    try WAVBytes.float32(planes, rate: 48_000).write(to: folder.url("gains.wav"))
    // FL FR FC LFE BL BR SL SR, one impulse each.
    let ears: [(left: Int, right: Int)?] = [
      (0, 1), (8, 7), (6, 13), nil, (4, 5), (12, 11), (2, 3), (10, 9),
    ]
    let input = ears.indices.map { channel -> [Float] in
      var plane = [Float](repeating: 0, count: 20_000)
      plane[2000 * (channel + 1)] = 0.25
      return plane
    }
    try WAVBytes.float32(input, rate: 48_000).write(to: folder.url("in.wav"))
    let result = try Product.run([
      "render", folder.file("in.wav"), "-o", folder.file("out.wav"), "-b", "32f", "-l", "off",
      "--layout-in", "7.1", "--lfe-gain", "off", "--hrtf", folder.file("gains.wav"), "--json", "-q",
    ])
    let report = try object(result)
    let output = (report["outputs"] as? [[String: Any]])?.first
    let set = (output?["render"] as? [String: Any])?["hrtf"] as? [String: Any]
    let gain = pow(10, try #require(set?["gainDB"] as? Double) / 20)
    let raw = try Tool.run(
      "ffmpeg", ["-v", "error", "-i", folder.file("out.wav"), "-f", "f32le", "-"])
    let samples = raw.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    try #require(samples.count == 40_000)
    for (channel, pair) in ears.enumerated() {
      let place = 2 * 2000 * (channel + 1)
      let wanted: [Float] = pair.map { [gains[$0.left], gains[$0.right]] } ?? [0, 0]
      for ear in 0..<2 {
        let expected = 0.25 * gain * Double(wanted[ear])
        let error = Double(samples[place + ear]) - expected
        #expect(abs(error) < 1e-5, "\(error) in channel \(channel)")
      }
    }
  }
}
