// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Testing

/// The table of what counts in which container.
@Suite struct TimeRuleTests {
  private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("docs/explain/trimming.md")

  @Test("docs/explain/trimming.md has exactly the rows of the table")
  func thePageHasTheTable() throws {
    let lines = try String(contentsOf: TimeRuleTests.page, encoding: .utf8)
      .components(separatedBy: "\n")
    let begin = try #require(lines.firstIndex(of: "<!-- TimeRule: begin -->"))
    let end = try #require(lines.firstIndex(of: "<!-- TimeRule: end -->"))
    #expect(Array(lines[(begin + 1)..<end]) == TimeRule.page)
  }

  @Test("every row is the first that fits some container and codec")
  func everyRowCounts() {
    let codecs = CodecTraits.decoded + [.ac4, .iamf, .named("adpcm_ms")]
    let reached = ContainerTraits.all.flatMap { container in
      codecs.map { TimeRule.of(container, $0) }
    }
    #expect(Set(reached) == Set(TimeRule.rows))
    #expect(TimeRule.of(nil, .mp3).gaps == .nothing)
  }

  @Test("containers that store times show gaps by them, and those that don't have none")
  func gapsFollowTheContainersClock() {
    for container in ContainerTraits.all {
      guard let input = container.input, !input.isPlaylist else { continue }
      let gaps = TimeRule.of(container, .named("ac3")).gaps
      #expect(
        [.clock, .pages].contains(gaps) == (input.storesTimes || container == .avi),
        "\(container.name)")
    }
  }
}
