// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Report

/// Players of outputs on a page.
@Suite struct MediaPlayersTests {
  private func read(_ items: [ReportItem], links: PageLinks = .none) throws -> MarkupReader {
    try MarkupReader(ReportPage(items: items, links: links).html())
  }

  @Test("players are there for files that browsers play, where the page can link to them")
  func playersLinkToTheOutputs() throws {
    var report = SampleReports.render(seconds: 5)
    report.outputs[0].tracks = nil
    report.outputs += [report.outputs[0], report.outputs[0], report.outputs[0]]
    for (index, format) in ["wav", "mp4", "rf64", "hls"].enumerated() {
      report.outputs[index].format = format
      report.outputs[index].path = "/out/a b.\(format)"
    }
    report.outputs[1].tracks = [
      .init(kind: .video, codec: "h264", count: 9, sha256: nil, language: nil)
    ]
    let links = PageLinks(folder: "/out/pages", current: "/")
    let page = try read([ReportItem(report)], links: links)
    #expect(page.all("audio").map { $0.attributes["src"] } == ["../a%20b.wav"])
    #expect(page.all("video").map { $0.attributes["src"] } == ["../a%20b.mp4"])
    for player in page.all("audio") + page.all("video") {
      #expect(player.attributes["preload"] == "none" && player.attributes["controls"] != nil)
    }
    let policy = try #require(page.values("content").first { $0.contains("default-src") })
    #expect(policy.contains("media-src 'self'"))
    let alone = try read([ReportItem(report)])
    #expect(alone.all("audio").isEmpty && alone.all("video").isEmpty)
    #expect(alone.values("content").allSatisfy { !$0.contains("media-src") })
  }
}
