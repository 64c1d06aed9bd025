// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// `pinna report` on reports of real renders: what is written, and what is refused.
@Suite(.tags(.system), .fullRunOnly) struct ReportCommandTests {
  private let folder: TemporaryFolder
  private let source: String
  private let report: String

  init() throws {
    folder = try TemporaryFolder()
    source = folder.file("in.wav")
    report = folder.file("one.json")
    try TestProgramme.wav(channels: 2, seconds: 4).write(to: folder.url("in.wav"))
  }

  /// Renders the programme with a report.
  private func render() throws {
    let result = try Product.run(
      ["render", source, "-o", folder.file("one.wav"), "--report", report])
    guard result.status == 0 else { throw ToolFailure(text: result.errors) }
  }

  /// A report that was made before, for tests in which another thing is wrong.
  private func copyReport() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    try FileManager.default.copyItem(
      at: root.appendingPathComponent("Schemas/Report1/two-outputs.json"),
      to: folder.url("one.json"))
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: folder.url(name), encoding: .utf8)
  }

  private func isWellFormed(_ text: String) -> Bool { XMLParser(data: Data(text.utf8)).parse() }

  @Test("a measurement becomes a loudness sheet with the file's digest and a date")
  func aMeasurementBecomesASheet() throws {
    let measured = try Product.run(
      ["measure", source, "--json", "--series"], environment: ["SOURCE_DATE_EPOCH": "1700000000"])
    #expect(measured.status == 0, "\(measured.errors)")
    try measured.output.write(to: folder.url("m.json"))
    let album = try Product.run(["measure", source, source, "--album", "--json"])
    try album.output.write(to: folder.url("album.json"))
    let array = try Product.run(["measure", source, source, "--json"])
    try array.output.write(to: folder.url("array.json"))
    let sum = try Tool.run("sha256sum", [source])
    let digest = String(decoding: sum.output, as: UTF8.self).prefix(64)
    let made = try Product.run([
      "report", folder.file("m.json"), "-o", folder.file("sheet.html"), "--junit", "-",
    ])
    #expect(made.status == 0, "\(made.errors)")
    let page = try text("sheet.html")
    #expect(isWellFormed(page) && isWellFormed(String(decoding: made.output, as: UTF8.self)))
    for word in [
      String(digest), "2023-11-14T22:13:20Z", "ITU-R BS.1770-5", "LUFS", "dBTP", "Loudness range",
      "momentary (400 ms)",
    ] { #expect(page.contains(word), "\(word)") }
    #expect(!page.contains("after</") && !page.contains("Before:"))
    // An album has an item of its own beside its two files.
    for (name, count) in [("album.json", 3), ("array.json", 2)] {
      let several = try Product.run(
        ["report", folder.file(name), "-o", folder.file("several.html"), "-y"])
      #expect(several.status == 0, "\(name): \(several.errors)")
      #expect(try text("several.html").contains("\(count) measured"))
    }
  }

  @Test("report writes HTML, JUnit XML and Markdown at once")
  func writesAllThreeFromOneReading() throws {
    try render()
    let compared = try Product.run(["compare", source, folder.file("one.wav"), "--json"])
    try compared.output.write(to: folder.url("compared.json"))
    let valid = try Product.run(["validate", folder.file("one.wav"), "--json"])
    try valid.output.write(to: folder.url("valid.json"))
    let reports = [report, folder.file("compared.json"), folder.file("valid.json")]
    let result = try Product.run(
      ["report"] + reports + [
        "-o", folder.file("r.html"), "--junit", folder.file("r.xml"), "--markdown", "-",
      ])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.isEmpty)
    let (page, junit) = (try text("r.html"), try text("r.xml"))
    #expect(isWellFormed(page) && isWellFormed(junit))
    for word in [
      "Short-term, highest", "Spectrum", "Timeline", "Decisions", "kemar", "one.wav against in.wav",
      "interaural", "href=\"one.wav\"", "href=\"in.wav\"", "Nothing is wrong",
    ] {
      #expect(page.contains(word), "\(word)")
    }
    let markdown = String(decoding: result.output, as: UTF8.self)
    #expect(markdown.hasPrefix("## Pinna: 3 reports: 1 different"))
    #expect(junit.contains("<testsuite name=\"render\" tests=\"1\""))
  }

  @Test("report reads standard input and writes a page to standard output")
  func readsStandardInputAndWritesStandardOutput() throws {
    try render()
    let result = try Product.run(
      ["report", "-", "-o", "-"], input: try Data(contentsOf: folder.url("one.json")))
    #expect(result.status == 0, "\(result.errors)")
    let page = String(decoding: result.output, as: UTF8.self)
    #expect(isWellFormed(page) && page.hasPrefix("<!DOCTYPE html>\n<html"))
    #expect(!page.contains(".wav\"><bdi>"), "a page without a place has no links to files")
  }

  @Test("report reads several reports, one on each line")
  func readsSeveralJobsOneALine() throws {
    try FileManager.default.copyItem(atPath: source, toPath: folder.file("two.wav"))
    try FileManager.default.createDirectory(
      at: folder.url("out"), withIntermediateDirectories: true)
    let jobs = try Product.run(
      [
        "render", source, folder.file("two.wav"), folder.file("no.wav"), "-o", folder.file("out"),
        "--json",
      ])
    #expect(jobs.status == 3)
    try jobs.output.write(to: folder.url("jobs.json"))
    let result = try Product.run(["report", folder.file("jobs.json"), "--markdown", "-"])
    let markdown = String(decoding: result.output, as: UTF8.self)
    #expect(markdown.contains("3 reports: 1 failed") && markdown.contains("`two.wav`"))
  }

  @Test("markup in a file's name is escaped in the page, JUnit XML and Markdown")
  func namesOfFilesStayNames() throws {
    let name = "a\"><script>alert(1)<\\script>&\u{202E}| `b`\n[c](d).wav"
    try FileManager.default.moveItem(atPath: source, toPath: folder.file(name))
    let made = try Product.run(
      ["render", folder.file(name), "-o", folder.file("b.wav"), "--report", folder.file("b.json")])
    #expect(made.status == 0, "\(made.errors)")
    let result = try Product.run(
      [
        "report", folder.file("b.json"), "-o", folder.file("b.html"), "--junit",
        folder.file("b.xml"), "--markdown", folder.file("b.md"),
      ])
    #expect(result.status == 0, "\(result.errors)")
    let (page, junit) = (try text("b.html"), try text("b.xml"))
    #expect(isWellFormed(page) && isWellFormed(junit))
    #expect(!page.contains("<script") && !page.contains("\u{202E}"))
    #expect(page.contains("a&quot;&gt;&lt;script&gt;alert(1)"))
    #expect(try text("b.md").split(separator: "\n").count { $0.hasPrefix("|") } == 3)
  }

  @Test("a page replaces a file only with -y")
  func existingFilesNeedY() async throws {
    try copyReport()
    for option in ["-o", "--junit", "--markdown"] {
      let name = "kept" + option
      try Data("precious".utf8).write(to: folder.url(name))
      let result = try await InProcess.run(["report", report, option, folder.file(name)])
      #expect(result.status == 6 && result.errors.contains("add -y"), "\(result.errors)")
      #expect(try text(name) == "precious")
      let again = try await InProcess.run(["report", report, option, folder.file(name), "-y"])
      #expect(again.status == 0, "\(again.errors)")
      #expect(try text(name) != "precious")
    }
  }

  @Test("one output that exists leaves all others unwritten")
  func oneRefusalLeavesNothingBehind() async throws {
    try copyReport()
    try Data("precious".utf8).write(to: folder.url("r.xml"))
    let before = folder.contents
    let result = try await InProcess.run(
      ["report", report, "-o", folder.file("r.html"), "--junit", folder.file("r.xml")])
    #expect(result.status == 6)
    #expect(folder.contents == before)
  }

  @Test("an output at the place of a report is refused, even with -y")
  func aReportIsNeverReplaced() async throws {
    try copyReport()
    let before = try Data(contentsOf: folder.url("one.json"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link.json"), withDestinationPath: report)
    for name in ["one.json", "./one.json", "link.json"] {
      let result = try await InProcess.run(["report", report, "-o", folder.file(name), "-y"])
      #expect(result.status == 6 && result.errors.contains("is one of the reports"), "\(name)")
    }
    #expect(try Data(contentsOf: folder.url("one.json")) == before)
  }

  @Test("wrong combinations of report's options are refused with the reason")
  func wrongUseIsNamed() throws {
    try copyReport()
    for (arguments, words) in [
      ([report], "give -o, --junit or --markdown"),
      ([report, "-o", "-", "--markdown", "-"], "only one of"),
      ([report, "-o", folder.file("x"), "--junit", folder.file("x")], "is the file of -o"),
      (["-", "-", "-o", "-"], "only be read once"), (["-o", "-"], "report needs <reports>"),
    ] {
      let result = try Product.run(["report"] + arguments)
      #expect(result.status == 2, "\(arguments): \(result.status)")
      #expect(result.errors.contains(words), "\(result.errors)")
      #expect(result.output.isEmpty)
    }
  }

  @Test("files that are no reports are refused by name")
  func whatIsNoReportIsRefused() async throws {
    try copyReport()
    try Data("{\"schema\":\"pinna.probe/2\"}".utf8).write(to: folder.url("other.json"))
    try Data("{\"schema\":\"pinna.re".utf8).write(to: folder.url("cut.json"))
    try Data().write(to: folder.url("empty.json"))
    for (name, words) in [
      ("no.json", "doesn't exist"), ("in.wav", "isn't JSON"), ("cut.json", "isn't JSON"),
      ("empty.json", "is empty"), ("other.json", "can't show the schema pinna.probe/2"),
      (".", "can't be read"),
    ] {
      let result = try await InProcess.run([
        "report", report, folder.file(name), "-o", folder.file("r.html"),
      ])
      #expect(result.status == 3, "\(name): \(result.status)")
      #expect(result.errors.contains(words) && result.errors.contains(name), "\(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
      #expect(!folder.contents.contains("r.html"))
    }
  }

  @Test("a page in a folder that can't be written ends with 6")
  func placesThatCannotBeWrittenAreNamed() async throws {
    try copyReport()
    for place in ["no/there/r.html", "in.wav/r.html", "."] {
      let result = try await InProcess.run(["report", report, "-o", folder.file(place), "-y"])
      #expect(result.status == 6, "\(place): \(result.status) \(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
    }
  }

  @Test("all curves of a report are in its schema")
  func theSchemaKnowsTheCurves() async throws {
    try render()
    let schema = try await InProcess.run(["schema", "report"])
    let object = try #require(
      JSONSerialization.jsonObject(with: schema.output) as? [String: Any])
    let types = try #require(object["$defs"] as? [String: Any])
    let curves = try #require(types["RenderReport.Curves"] as? [String: Any])
    let known = try #require(curves["properties"] as? [String: Any]).keys
    let data = try JSONSerialization.jsonObject(with: Data(contentsOf: folder.url("one.json")))
    let outputs = try #require((data as? [String: Any])?["outputs"] as? [[String: Any]])
    let written = try #require(outputs.first?["curves"] as? [String: Any]).keys
    #expect(written.count >= 6 && written.allSatisfy { known.contains($0) }, "\(written)")
  }
}
