// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// LV2 plugins inside the chain: our own, each of which does one thing right or wrong.
@Suite(
  .tags(.system), .enabled(if: PluginBundle.canRun, "pinna-lv2, cc or the LV2 headers aren't here"))
struct PluginTapTests {
  private static let noise = noise(30_011)

  private static func noise(_ count: Int) -> [[Float]] {
    (0..<2).map { channel in
      var generator = SeededNoise(seed: UInt64(channel) + 1)
      return generator.samples(count, peak: 0.25)
    }
  }

  private func input(_ planes: [[Float]] = noise) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try WAVBytes.float32(planes, rate: 48_000).write(to: folder.url("in.wav"))
    return folder
  }

  private func environment() throws -> [String: String] {
    ["LV2_PATH": try PluginBundle.shared.get().path]
  }

  private func words(_ name: String, _ point: String = "post") -> [String] {
    ["--tap", "\(point):lv2=\(PluginBundle.prefix)\(name)"]
  }

  private func render(
    _ folder: TemporaryFolder, _ name: String, _ more: [String] = [], point: String = "post"
  ) throws -> RenderedSamples {
    try RenderedSamples(
      folder.file("in.wav"), words(name, point) + more, environment: environment())
  }

  private func failure(_ name: String, _ more: [String] = []) async throws -> Tool.Result {
    let folder = try input()
    return try await RenderedSamples.failure(
      folder.file("in.wav"), words(name) + more, environment: environment())
  }

  /// Whether both have the same samples; a comparison in an expectation would print them all.
  private func isSame(_ one: [[Float]], _ other: [[Float]]) -> Bool { one == other }

  /// The report's entry of the tap.
  private func tap(_ render: RenderedSamples) -> [String: Any]? {
    let outputs = render.report["outputs"] as? [[String: Any]]
    return (outputs?.first?["taps"] as? [[String: Any]])?.first
  }

  private func latency(_ render: RenderedSamples) -> [String: Int]? {
    tap(render)?["latency"] as? [String: Int]
  }

  /// Whatever it delays and however it is closed, each sample is in its place, bit by bit.
  @Test(
    "a plugin that passes the sound on leaves each sample in its place",
    arguments: [
      ("gain", "item"), ("stereo", "programme"), ("delay", "post"), ("late", "post"),
      ("silent-delay", "item"), ("writes", "post"), ("socket", "post"),
      ("whole-blocks", "post"), ("prints", "post"), ("crash-deactivate", "post"),
      ("crash-cleanup", "post"), ("side-chain", "post"), ("crash-late", "post"),
      ("mono-to-stereo,channels=mix", "post"),
    ]) func whatPassesTheSoundOnLeavesItInItsPlace(name: String, point: String) throws
  {
    let isMixed = name.hasPrefix("mono-to-stereo")
    let planes = isMixed ? [Self.noise[0], Self.noise[0]] : Self.noise
    let rendered = try render(try input(planes), name, point: point)
    #expect(isSame(rendered.planes, planes))
    #expect(tap(rendered)?["kind"] as? String == "lv2")
    #expect((tap(rendered)?["sha256"] as? String)?.count == 64)
  }

  @Test(
    "a plugin keeps the length of any input", arguments: [1, 1023, 1024, 1025])
  func anyLengthIsKept(count: Int) throws {
    let planes = Self.noise.map { Array($0.prefix(count)) }
    #expect(isSame(try render(try input(planes), "delay").planes, planes))
  }

  /// Settings by port, preset with state, message and worker change the level as they say.
  @Test(
    "ports, presets, states and messages change the level as stated",
    arguments: [
      ("gain,gain=0.5", 0.5), ("gain,gain=Double", 2), ("state,preset=Half", 0.125),
      ("state,preset=urn:pinna:test:half,gain=1", 0.25), ("messages,level=0.5", 0.5),
      ("thread", 0.5),
    ]) func settingsArrive(name: String, factor: Float) throws
  {
    let rendered = try render(try input(), name)
    #expect(isSame(rendered.planes, Self.noise.map { $0.map { $0 * factor } }))
  }

  /// A file as hosts save it, beside a manifest of nothing else; what flags say beats it.
  @Test("a saved state is restored, and a setting on the command line beats the state")
  func aStateIsRestored() throws {
    let folder = try input()
    let state = """
      @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
      @prefix pset: <http://lv2plug.in/ns/ext/presets#> .
      @prefix state: <http://lv2plug.in/ns/ext/state#> .
      @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
      <> a pset:Preset ; lv2:appliesTo <urn:pinna:test:state> ;
        lv2:port [ lv2:symbol "gain" ; pset:value 2.0 ] ;
        state:state [ <urn:pinna:test:level> "0.25"^^xsd:float ] .
      """
    try Data(state.utf8).write(to: folder.url("saved.ttl"))
    let restored = try render(folder, "state,state=\(folder.file("saved.ttl"))")
    #expect(isSame(restored.planes, Self.noise.map { $0.map { $0 * 0.5 } }))
    #expect(tap(restored)?["resolved"] as? [String] == ["gain=2"])
    let changed = try render(folder, "state,state=\(folder.file("saved.ttl")),gain=0.5")
    #expect(isSame(changed.planes, Self.noise.map { $0.map { $0 * 0.125 } }))
    #expect(tap(changed)?["resolved"] as? [String] == ["gain=0.5"])
  }

  /// The answer to the work of a block arrives behind the block, at any speed of the machine.
  @Test("the answer to a block's work arrives after that block")
  func workIsDoneBetweenBlocks() throws {
    let rendered = try render(try input(), "worker")
    let wanted = Self.noise.map { plane in
      plane.enumerated().map { $0.offset < 1024 ? $0.element : 0.5 * $0.element }
    }
    #expect(isSame(rendered.planes, wanted))
  }

  @Test("a wrong delay of a plugin is measured, corrected and reported")
  func whatIsStatedWronglyIsCorrectedAndTold() async throws {
    let folder = try input()
    let corrected = try render(folder, "liar")
    #expect(isSame(corrected.planes, Self.noise))
    #expect(latency(corrected) == ["declared": 64, "measured": 239, "used": 239])
    #expect(corrected.kinds.contains("tap-latency"))
    #expect(corrected.notes.contains("states a delay of 64 samples, but a test signal shows 239"))
    #expect(try await failure("liar", ["--strict"]).status == 9)
    let found = try render(folder, "silent-delay")
    #expect(latency(found) == ["declared": 0, "measured": 239, "used": 239])
    #expect(!found.kinds.contains("tap-latency"))
    let measured = try render(folder, "liar", ["--tap-latency", "measure"])
    #expect(isSame(measured.planes, Self.noise))
  }

  /// The user may say what the delay is: nothing is removed of a plugin whose purpose is a delay.
  @Test(
    "--tap-latency decides how much delay is removed",
    arguments: [("0", 0), ("report", 64), ("100", 100)])
  func theUserMayDecideAboutTheDelay(word: String, used: Int) throws {
    let rendered = try render(try input(), "liar", ["--tap-latency", word])
    #expect(latency(rendered)?["used"] == used)
    let late = 239 - used
    for (plane, wanted) in zip(rendered.planes, Self.noise) {
      #expect(Array(plane.dropFirst(late)) == Array(wanted.dropLast(late)))
      #expect(plane.prefix(late).allSatisfy { $0 == 0 })
    }
  }

  @Test("a plugin's echo after the end is cut, or kept with --tail keep")
  func whatSoundsOnIsCutOrKept() throws {
    let folder = try input()
    let cut = try render(folder, "echo")
    #expect(cut.count == 30_011)
    #expect(cut.choice("tail") == "trimmed")
    let kept = try render(folder, "echo", ["--tail", "keep"])
    #expect(kept.count == 30_011 + 24_000)
    let tail = kept.planes.map { Array($0.dropFirst(30_011)) }
    #expect(isSame(tail, Self.noise.map { $0.dropFirst(6011).map { 0.5 * $0 } }))
  }

  /// Each way to fail has its exit code and its sentence, and leaves nothing.
  @Test(
    "each failure of a plugin has its exit code and sentence",
    arguments: [
      ("null", 5, "can't be made for 48000 Hz"),
      ("crash-instantiate", 5, "crashed (signal 11) when it was made or ran its first block"),
      ("crash-activate", 5, "crashed (signal 11) when it was made or ran its first block"),
      ("crash-run", 5, "crashed (signal 11) when it was made or ran its first block"),
      ("growing", 5, "changed its delay from 480 to 490 samples at sample 51200"),
      ("needs-more", 5, "needs what Pinna hasn't: urn:pinna:test:unknown"),
      ("mono-to-stereo", 2, "has 1 sound inputs and 2 outputs, and the sound has 2 channels there"),
      ("unknown", 2, "isn't installed"), ("gain,gain=9", 2, "Gain takes a value from 0 to 4"),
      ("gain,gain=loud", 2, "takes a number or one of 'Double' (2)"),
      ("gain,volume=1", 2, "has no control volume; it has gain"),
      ("state,preset=Loud", 2, "has no preset Loud; it has Half"),
      ("state,state=/dev/null", 2, "holds no state of a plugin"),
      ("deaf,level=0.5", 2, "can't be set: the plugin has no input for messages"),
    ]) func failuresAreNamed(name: String, status: Int32, words: String) async throws
  {
    let result = try await failure(name)
    #expect(result.status == status)
    #expect(result.errors.contains(words), "\(result.errors)")
    #expect(result.errors.contains("urn:pinna:test:"))
    #expect(!result.errors.contains("Backtrace"))
  }

  /// Faults behind the test signal's three seconds are found in the sound.
  @Test("a plugin that crashes or gives NaN in mid-stream is named with the sample")
  func faultsInMidStreamAreNamed() async throws {
    let folder = try input(Self.noise(220_000))
    func failure(_ name: String) async throws -> Tool.Result {
      try await RenderedSamples.failure(
        folder.file("in.wav"), words(name), environment: environment())
    }
    let crash = try await failure("crash-late")
    #expect(crash.status == 5)
    #expect(crash.errors.contains("crashed (signal 11) after sample 204800"), "\(crash.errors)")
    let nan = try await failure("nan")
    #expect(nan.status == 4)
    #expect(
      nan.errors.contains("gives a value that is no number at sample 163847"), "\(nan.errors)")
    let pinned = try render(folder, "growing", ["--tap-latency", "480"])
    #expect(isSame(pinned.planes, Self.noise(220_000)))
  }

  @Test("a plugin that hangs is ended after 10 s")
  func aPluginThatHangsIsEnded() async throws {
    let result = try await failure("hang-run")
    #expect(result.status == 5)
    #expect(result.errors.contains("took and gave nothing for 10 s and was ended"))
  }

  @Test("a plugin that hangs at its end doesn't spoil the output")
  func whatHangsWhileItIsClosedSpoilsNothing() throws {
    let rendered = try render(try input(), "hang-cleanup")
    #expect(isSame(rendered.planes, Self.noise))
    #expect("\(rendered.report)".contains("hung while it was closed and was ended"))
  }

  /// Results of a trial are kept by the plugin's digest, and reported again.
  @Test("a plugin's trial is kept in the cache and reported again")
  func trialsAreKept() throws {
    let (folder, cache) = (try input(), try TemporaryFolder())
    let own = try environment().merging(
      ["PINNA_CACHE": "on", "XDG_CACHE_HOME": cache.path], uniquingKeysWith: { $1 })
    func notes() throws -> [String] {
      let rendered = try RenderedSamples(
        folder.file("in.wav"), words("liar"), environment: own)
      #expect(isSame(rendered.planes, Self.noise))
      return rendered.kinds
    }
    let first = try notes()
    #expect(try FileManager.default.subpathsOfDirectory(atPath: cache.file("pinna/taps")).count > 1)
    #expect(try notes() == first)
    #expect(first.contains("tap-latency"))
  }

  @Test("a plugin whose output varies is reported as tap-varies")
  func whatVariesIsTold() throws {
    #expect(try render(try input(), "random").kinds.contains("tap-varies"))
  }

  @Test("taps list and taps show print plugins with controls and presets")
  func listAndDescriptionsArePrinted() throws {
    let environment = try environment()
    let list = try Product.run(["taps", "list", "--lv2"], environment: environment)
    #expect(list.status == 0)
    #expect(String(decoding: list.output, as: UTF8.self).contains("urn:pinna:test:stereo "))
    let json = try Product.run(["taps", "list", "--lv2", "--json"], environment: environment)
    #expect(json.status == 0)
    let text = try Product.run(
      ["taps", "show", "urn:pinna:test:state"], environment: environment)
    let lines = String(decoding: text.output, as: UTF8.self)
    #expect(lines.contains("control   gain  1  0…4  (number) Gain  [Double = 2]\n"))
    #expect(lines.contains("preset    Half\n"))
    let described = try Product.run(
      ["taps", "show", "urn:pinna:test:messages", "--json"], environment: environment)
    let report = try JSONSerialization.jsonObject(with: described.output) as? [String: Any]
    #expect(
      (report?["controls"] as? [[String: Any]])?.last?["symbol"] as? String
        == "urn:pinna:test:level")
    #expect(try Product.run(["taps", "list", "--json"]).status == 2)
    #expect(try Product.run(["taps", "show", "urn:none"], environment: environment).status == 2)
  }

  /// A folder that can't be left keeps what a plugin writes, and no socket is opened for it.
  @Test("a plugin can't write outside of its folder")
  func aPluginHasFewRights() throws {
    let mark = "/var/tmp/pinna-test-plugin-wrote"
    try? FileManager.default.removeItem(atPath: mark)
    _ = try render(try input(), "writes")
    #expect(!FileManager.default.fileExists(atPath: mark))
  }
}
