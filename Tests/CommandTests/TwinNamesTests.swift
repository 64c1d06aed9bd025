// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Two files whose names are the same letters in other bytes stay two files in every command.
@Suite(.tags(.system), .fullRunOnly) struct TwinNamesTests {
  /// "é" of two scalars and of one, sorted by their bytes.
  private static let twins = ["e\u{301}.wav", "\u{E9}.wav"]
  private let place: BatchFolder

  init() throws {
    place = try BatchFolder()
    for (name, seconds) in zip(TwinNamesTests.twins, [0.4, 0.6]) {
      try place.programme(name, seconds: seconds)
    }
  }

  private func bytes(_ names: some Sequence<String>) -> [[UInt8]] {
    names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The names in `folder` that aren't hidden, and the sizes of their files.
  private func files(_ folder: String) throws -> (names: [[UInt8]], sizes: Set<Int>) {
    let path = place.folder.file(folder)
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
      .filter { !$0.hasPrefix(".") }
    let sizes = try names.map { try Data(contentsOf: URL(fileURLWithPath: path + "/" + $0)).count }
    return (bytes(names), Set(sizes))
  }

  @Test("a batch renders both, takes both over, and renders again the one that has changed")
  func aBatchHasTwoItems() throws {
    let twins = TwinNamesTests.twins
    let first = try place.report()
    #expect(first.status == 0, "\(first.errors)")
    #expect(bytes(first.ids) == bytes(twins) && bytes(first.worked) == bytes(twins))
    let made = try files("out")
    #expect(made.names == bytes(twins) && made.sizes.count == 2)
    let again = try place.report()
    #expect(again.status == 0 && again.worked.isEmpty && again.counts["cached"] == 2)
    let merged = try Product.run(
      ["merge", place.folder.file("in"), "-O", place.folder.file("out"), "--json"])
    #expect(merged.status == 0 && BatchOutcome(merged).counts["done"] == 2, "\(merged.errors)")
    try place.programme(twins[1], seconds: 0.8)
    #expect(try bytes(place.report().worked) == bytes([twins[1]]))
  }

  @Test("several inputs are rendered into a folder, and plotted into one")
  func aFolderHoldsBoth() async throws {
    let inputs = TwinNamesTests.twins.map { place.folder.path + "/in/" + $0 }
    for name in ["made", "drawn"] {
      try FileManager.default.createDirectory(
        atPath: place.folder.file(name), withIntermediateDirectories: false)
    }
    let made = try await InProcess.run(
      ["render"] + inputs + ["-o", place.folder.file("made") + "/"])
    #expect(made.status == 0, "\(made.errors)")
    #expect(try files("made").names == bytes(TwinNamesTests.twins))
    #expect(try files("made").sizes.count == 2)
    let drawn = try await InProcess.run(
      ["measure"] + inputs + ["--plot", place.folder.file("drawn") + "/"])
    #expect(drawn.status == 0, "\(drawn.errors)")
    #expect(try files("drawn").names == bytes(TwinNamesTests.twins.map { $0 + ".svg" }))
  }

  @Test("a golden keeps both outputs, and fails when a name has other bytes")
  func goldensTellNamesApart() throws {
    func golden(_ words: [String]) throws -> Tool.Result {
      try Product.run(
        ["golden", words[0], "--cases", place.folder.file("cases")]
          + ["--media", place.folder.file("in")] + words.dropFirst())
    }
    let outputs = TwinNamesTests.twins.map { "{out}/" + $0 }
    let recorded = try golden(
      ["record", "both", "--input", TwinNamesTests.twins[0], "--why", "w", "--oracle", "o", "--"]
        + ["render", "{input}", "-o", outputs[0], "-e", "none", "-l", "off"]
        + ["--also", "none:" + outputs[1]])
    #expect(recorded.status == 7, "\(recorded.errors)")
    let verified = try golden(["verify"])
    #expect(verified.status == 0, "\(verified.errors)")
    let url = place.folder.url("cases/both/expected.json")
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
    var expected = try #require(object as? [String: Any])
    var found = try #require(expected["outputs"] as? [[String: Any]])
    #expect(bytes(found.compactMap { $0["name"] as? String }) == bytes(TwinNamesTests.twins))
    found[0]["name"] = TwinNamesTests.twins[1]
    expected["outputs"] = found
    try JSONSerialization.data(withJSONObject: expected).write(to: url)
    let other = try golden(["verify"])
    #expect(other.status == 7 && other.errors.contains("outputs: got"), "\(other.errors)")
  }

  @Test("goldens whose names aren't UTF-8 are refused by name, and not passed over")
  func oddGoldensAreNamed() throws {
    let script = """
      mkdir -p "$1/cases/fine" && : > "$1/cases/fine/case.json"
      mkdir "$1/cases/$(printf 'caf\\351')" && : > "$1/cases/$(printf 'caf\\351')/case.json"
      "$0" golden verify --cases "$1/cases"
      """
    let result = try place.bash(script)
    #expect(
      result.status == 2 && result.errors.contains("caf\u{FFFD}: its name"), "\(result.errors)")
  }

  @Test("an argument that isn't UTF-8 is refused, and no file of a similar name is made or read")
  func otherArgumentsAreRefused() throws {
    let script = """
      name=$(printf 'caf\\351.wav')
      cp "$2" "$1/$name"
      cd "$1" && mkdir made
      "$0" probe "$name"; echo $?
      "$0" render "$name" -o made/out.wav; echo $?
      "$0" render "$2" -o "made/$name"; echo $?
      ls made | wc -l
      """
    let source = place.folder.path + "/in/" + TwinNamesTests.twins[0]
    let result = try place.bash(script, [source])
    let lines = String(decoding: result.output, as: UTF8.self).split { $0.isWhitespace }
    #expect(lines == ["2", "2", "2", "0"], "\(result.errors)")
    let told = result.errors.split(separator: "\n").filter { $0.contains("isn't UTF-8") }
    #expect(told.count == 3 && told.allSatisfy { $0.contains("caf\u{FFFD}.wav") }, "\(told)")
  }
}
