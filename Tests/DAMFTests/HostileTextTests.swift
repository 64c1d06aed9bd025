// SPDX-License-Identifier: Apache-2.0
import Testing
import YAML

@testable import DAMF

/// Texts that are made to exhaust a reader.
@Suite struct HostileTextTests {
  private func code(_ set: MasterFixture) -> DAMFError.Code? {
    #expect(throws: DAMFError.self) { try set.open() }?.code
  }

  private func root(_ text: String) -> MasterFixture {
    MasterFixture().with("x.atmos", Array(text.utf8))
  }

  @Test("aliases that would grow to a billion items are refused at the first anchor")
  func bombsAreRefused() throws {
    var bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    for level in 1..<10 {
      let names = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
      bomb += "a\(level): &a\(level) [\(names)]\n"
    }
    let error = #expect(throws: DAMFError.self) { try root(bomb + MasterFixture.root).open() }
    #expect(error?.code == .alias)
    #expect(error?.place == DAMFPlace("x.atmos", line: 1))
  }

  @Test("an anchor before the list of events is refused, and one before the whole document")
  func anchorsOfCollectionsAreRefused() {
    #expect(code(MasterFixture().replacing("events:", "events: &e")) == .alias)
    #expect(code(MasterFixture().replacing("sampleRate", "--- &d\nsampleRate")) == .alias)
  }

  @Test("lists of 100,000 lists are refused, in a root and in an event")
  func depthIsLimited() {
    let deep = String(repeating: "[", count: 60_000)
    #expect(code(root("version: " + deep)) == .limit)
    #expect(code(MasterFixture().replacing("[0, 1, 0]", deep)) == .limit)
    let blocks = (0..<300).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
    #expect(code(root(blocks)) == .limit)
  }

  @Test("a scalar of 10 MB is refused on one line, and over many lines")
  func scalarsAreLimited() {
    let long = String(repeating: "9", count: 10_000_000)
    #expect(code(MasterFixture().replacing("gain: 0", "gain: " + long)) == .limit)
    let line = "      " + String(repeating: "a", count: 1000) + "\n"
    let many = "\n" + String(repeating: line, count: 10_000)
    #expect(code(MasterFixture().replacing(": undefined", ": " + many)) == .limit)
  }

  @Test("a root of more than 1 MiB is refused")
  func rootsAreLimited() {
    let comment = "# a comment of some length\n"
    let count = MasterText.longestRoot / comment.utf8.count + 1
    let text = String(repeating: comment, count: count) + MasterFixture.root
    #expect(code(root(text)) == .limit)
  }

  @Test("events beyond the limit are refused")
  func eventsAreCounted() throws {
    let log = DAMFLog()
    let text = { (name: String) in
      try MasterText(
        MasterFixture().files[name] ?? [], file: name, longest: MasterText.longestMetadata)
    }
    let root = try RootParser.parse(text("x.atmos"), log: log)
    let error = #expect(throws: DAMFError.self) {
      try EventParser.parse(text("x.atmos.metadata"), of: root, most: 3, log: log)
    }
    #expect(error?.code == .limit)
    #expect(try EventParser.parse(text("x.atmos.metadata"), of: root, most: 4, log: log).count == 4)
  }

  @Test("100,000 different unknown keys take no more than a thousand findings")
  func findingsAreLimited() throws {
    let keys = (0..<100_000).map { "k\($0): 1\n" }.joined()
    let set = MasterFixture().replacing("sampleRate", keys + "sampleRate")
    #expect(try set.open().findings.count == 1000)
  }

  @Test("every text that lacks its end is refused or read, and never traps")
  func cutTextsDoNotTrap() {
    for name in ["x.atmos", "x.atmos.metadata", "x.atmos.audio"] {
      let bytes = MasterFixture().files[name] ?? []
      for count in 0..<min(bytes.count, 1500) {
        _ = try? MasterFixture().with(name, Array(bytes.prefix(count))).open()
      }
    }
  }

  @Test("changed bytes are refused or read, and never trap")
  func changedTextsDoNotTrap() {
    var generator = SystemRandomNumberGenerator()
    let bytes = Array(" -:[]{}&*!\n0e.,'\"#\u{7F}".utf8)
    for round in 0..<1000 {
      let name = ["x.atmos", "x.atmos.metadata", "x.atmos.audio"][round % 3]
      var text = MasterFixture().files[name] ?? []
      for _ in 0..<3 {
        text[Int.random(in: 0..<min(text.count, 1500), using: &generator)] =
          bytes.randomElement(using: &generator) ?? 0
      }
      _ = try? MasterFixture().with(name, text).open()
    }
  }

  @Test("settings may still repeat no key, and aliases of theirs are followed")
  func rulesForSettingsStay() throws {
    #expect(throws: YAMLFault.self) { try YAMLParser.document("a: 1\na: 2\n".utf8) }
    guard case .mapping(let pairs, _) = try YAMLParser.document("a: &x 1\nb: *x\n".utf8) else {
      Issue.record("no mapping")
      return
    }
    #expect(pairs.map(\.value) == [pairs[0].value, pairs[0].value])
  }
}
