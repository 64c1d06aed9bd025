// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Report

/// Listening pages: what they may load, and that nothing from a file becomes part of their code.
struct AuditionPageTests {
  private func report(_ title: String = "Film", ways: Int = 2) -> AuditionReport {
    AuditionReport(
      id: "0123456789abcdef", title: title, pinna: "1.0", rate: 48_000,
      ways: (1...ways).map {
        .init(
          id: "w\($0)", label: "way \($0)", flags: "--room small", endpoint: "headphones",
          hasPlaces: true)
      },
      excerpts: [
        .init(
          id: "e1", input: "film.mkv", reason: "dialogue", startSeconds: 62, seconds: 12,
          target: -16.5,
          levels: (1...ways).map {
            .init(
              way: "w\($0)", gainDB: -3, integrated: -16.5 + 0.01 * Double($0), truePeak: -2,
              pcmSHA256: "00")
          })
      ], places: [.init(name: "front", axis: "depth", startSeconds: 0, seconds: 1.4)])
  }

  private func html(_ report: AuditionReport, media: [AuditionPage.Medium] = []) throws -> String {
    try AuditionPage(report, media: media).html()
  }

  /// The text between two marks.
  private func part(_ text: String, from start: String, to end: String) throws -> String {
    let begins = try #require(text.range(of: start, options: .backwards))
    let rest = text[begins.upperBound...]
    return String(rest[..<(try #require(rest.range(of: end)).lowerBound)])
  }

  /// The page with the quotes of its attributes as browsers read them.
  private func policy(_ page: String) -> String { page.replacing("&#39;", with: "'") }

  @Test("the policy of the audition page lets only its script run") func onlyTheOwnScriptRuns()
    throws
  {
    let page = try html(report())
    let source = try part(page, from: "<script>", to: "</script>")
    let digest = try ScriptDigest.of(source)
    #expect(
      policy(page).contains(
        "default-src 'none'; style-src 'unsafe-inline'; script-src '\(digest)'; "))
    #expect(!page.contains("http://") && !page.contains("https://"))
  }

  @Test("an audition page with a folder of media allows itself and files in its policy")
  func aFolderOpensThePolicyForItsFilesOnly() throws {
    var report = report()
    report.folder = "film-media"
    let page = try html(report)
    #expect(policy(page).contains("' 'self' file:; base-uri 'none'"))
    #expect(page.contains("\"folder\":\"film-media\""))
  }

  @Test("names of files stay text in the audition page") func namesStayNames() throws {
    let hostile = "</script><script>alert(1)</script>\" & <b>"
    var report = report(hostile)
    report.ways[0].label = hostile
    report.notes = [hostile]
    let page = try html(report)
    // The facts, and the page's own script: no third element.
    #expect(page.components(separatedBy: "<script").count == 3)
    #expect(!page.contains("<b>"))
    let facts = try part(page, from: "id=\"facts\">", to: "</script>")
    let read = try JSONDecoder().decode(AuditionReport.self, from: Data(facts.utf8))
    #expect(read == report)
  }

  @Test("a medium is a text element in base64 in the audition page")
  func mediaLieInThePage() throws {
    let medium = AuditionPage.Medium(key: "e1-w1", bytes: Data([1, 2, 250]))
    let page = try html(report(), media: [medium])
    #expect(page.contains("<script type=\"text/plain\" id=\"medium-e1-w1\">AQL6</script>"))
    #expect(medium.script(of: "id") == "pinnaMedium(\"id\", \"e1-w1\", \"AQL6\")\n")
  }

  @Test("the audition page states its largest level difference and the number of comparisons")
  func thePageTellsItsLevelsAndItsTrials() throws {
    let page = try html(report(ways: 4))
    #expect(page.contains("the largest difference is 0.030 LU"))
    #expect(page.contains("Dialogue, from 1:02"))
    #expect(page.contains("at most 33 comparisons"))
    #expect(page.contains("16 short questions"))
    #expect(try html(report(ways: 2)).contains("at most 11 comparisons"))
    #expect(try html(report(ways: 8)).contains("at most 91 comparisons"))
  }
}
