// SPDX-License-Identifier: Apache-2.0
import Report
import TestSupport
import Testing

/// JUnit XML as CI systems read it.
@Suite struct JUnitReportTests {
  private func read(_ items: [ReportItem]) throws -> MarkupReader {
    try MarkupReader(JUnitReport(items: items).xml())
  }

  @Test("counts and times of JUnit suites are the sums of their cases")
  func countsAreThoseOfTheCases() throws {
    let file = try read(SampleReports.all(seconds: 5))
    let suites = file.all("testsuite")
    #expect(suites.map { $0.attributes["name"] }.count == 4)
    let root = try #require(file.all("testsuites").first)
    #expect(root.attributes["tests"] == "\(file.all("testcase").count)")
    #expect(root.attributes["failures"] == "\(file.all("failure").count)")
    #expect(root.attributes["errors"] == "\(file.all("error").count)")
    #expect(root.attributes["skipped"] == "\(file.all("skipped").count)")
    #expect(file.all("testcase").count == 8 && file.all("failure").count == 3)
    #expect(file.all("error").count == 1 && file.all("skipped").count == 1)
    let sums = ["tests", "failures", "errors", "skipped"].map { key in
      suites.compactMap { $0.attributes[key].flatMap { Int($0) } }.reduce(0, +)
    }
    #expect(sums == [8, 3, 1, 1])
    func seconds(_ element: String) -> [Double] {
      file.all(element).compactMap { $0.attributes["time"].flatMap { Double($0) } }
    }
    let cases = seconds("testcase")
    #expect(cases.count == 8 && cases.contains { $0 > 0 })
    for element in ["testsuite", "testsuites"] {
      let sum = seconds(element).reduce(0, +)
      #expect((sum - cases.reduce(0, +)).magnitude < 0.005, "\(element)")
    }
  }

  @Test("a JUnit case has its report's name, class and seconds")
  func casesAreNamedAndTimed() throws {
    let file = try read([ReportItem(SampleReports.render(seconds: 300), name: "first")])
    let entry = try #require(file.all("testcase").first)
    #expect(entry.attributes["name"] == "first" && entry.attributes["classname"] == "pinna.render")
    #expect(entry.attributes["time"] == "1.000")
    #expect(file.all("system-out").first?.text.hasPrefix("objects-to-bed: ") == true)
  }

  @Test("a degraded render is a failed JUnit case") func whatWasMadeButIsNotAsAskedForFails() throws
  {
    var report = SampleReports.failure()
    for (exit, element) in [(3, "error"), (7, "failure"), (8, "failure"), (9, "failure")] {
      report.exit = Int32(exit)
      let file = try read([ReportItem(report)])
      #expect(file.all(element).first?.attributes["type"] == "input-missing", "\(exit)")
    }
  }

  @Test("names of files stay text in JUnit XML", arguments: SampleReports.hostile)
  func namesStayText(name: String) throws {
    let file = try read(SampleReports.all(seconds: 1, name: name))
    #expect(file.all("testcase").count == 8)
    let text = JUnitReport(items: SampleReports.all(seconds: 1, name: name)).xml()
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" })
  }

  @Test("no reports give JUnit XML with 0 tests")
  func noReportsAreAnEmptyFile() throws {
    #expect(try read([]).all("testsuites").first?.attributes["tests"] == "0")
  }

  @Test("Python's XML reader finds all cases of a JUnit report", .tags(.system), .fullRunOnly)
  func pythonReadsIt() throws {
    let script =
      "import sys,xml.etree.ElementTree as e;print(len(e.parse(sys.stdin).findall('.//testcase')))"
    let text = JUnitReport(items: SampleReports.all(seconds: 5)).xml()
    let oracle = try Tool.run("python3", ["-c", script], input: .init(text.utf8))
    #expect(String(decoding: oracle.output, as: UTF8.self) == "8\n")
  }
}
