// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Report

/// Reports as CSV, as a reader of RFC 4180 takes them.
@Suite struct ReportCSVTests {
  /// Rows of cells; a quoted cell may hold commas and doubled quotes.
  private func cells(_ text: String) -> [[String]] {
    text.components(separatedBy: "\r\n").dropLast().map { line in
      var (cells, isQuoted) = ([""], false)
      for letter in line {
        switch letter {
        case "\"": isQuoted.toggle()
        case "," where !isQuoted: cells.append("")
        default: cells[cells.count - 1].append(letter)
        }
      }
      return cells
    }
  }

  private func rows(_ items: [ReportItem]) throws -> [[String: String]] {
    let table = cells(ReportCSV.text(items))
    let head = try #require(table.first)
    return table.dropFirst().map { row in
      #expect(row.count == head.count)
      return Dictionary(uniqueKeysWithValues: zip(head, row))
    }
  }

  @Test("a render has its levels, gain, limiter and length in figures with the unit in the column")
  func aRenderHasItsFigures() throws {
    let row = try #require(try rows([ReportItem(SampleReports.render(seconds: 75))]).first)
    #expect(row["item"] == "film.mkv" && row["status"] == "ok" && row["exit"] == "0")
    #expect(row["output"] == "out/film.wav" && row["input"] == "in/film.mkv")
    #expect(row["loudness_after_lufs"] == "-16.00" && row["gain_db"] == "4.20")
    #expect(row["true_peak_before_dbtp"] == "-1.20")
    #expect(row["limiter_most_db"] == "2.40" && row["limiter_active_percent"] == "1.00")
    #expect(row["seconds"] == "75.000")
    #expect(row["classes"] == "loss" && row["degradations"] == "objects-to-bed")
  }

  @Test("each of several outputs has its own row, with the remarks of others left out")
  func outputsHaveTheirRows() throws {
    var report = SampleReports.render(seconds: 10)
    report.outputs.append(report.outputs[0])
    report.outputs[1].path = "out/loud.wav"
    report.outputs[1].loudness?.limiter = nil
    report.degradations = [
      .init(.clipped, "one", subject: .output(1)), .init(.clipped, "two", subject: .output(1)),
    ]
    let rows = try rows([ReportItem(report)])
    #expect(rows.map { $0["output"] } == ["out/film.wav", "out/loud.wav"])
    #expect(rows.map { $0["degradations"] } == ["", "clipped ×2"])
    #expect(rows.map { $0["limiter_most_db"] } == ["2.40", ""])
  }

  @Test("failures and reports without outputs have a row with their reason")
  func failuresHaveTheirReason() throws {
    let rows = try rows(SampleReports.all(seconds: 10))
    #expect(rows.count == 5)
    #expect(rows[1]["error"] == "input-missing" && rows[1]["exit"] == "3")
    #expect(rows[1]["message"]?.contains("doesn't exist") == true && rows[1]["seconds"] == "")
    #expect(rows[2]["status"] == "different" && rows[2]["error"] == "levels")
  }

  /// A spreadsheet runs a cell that begins like a formula.
  @Test(
    "names of files stay one cell of text on one line",
    arguments: SampleReports.hostile + [
      "=1+1", "-x.wav", "+x", "@SUM(A1)", "a,b \"c\";d", "a\r\nb",
    ])
  func namesStayText(name: String) throws {
    let rows = try rows(SampleReports.all(seconds: 5, name: name))
    #expect(rows.count == 5)
    for row in rows {
      for (column, cell) in row where ["item", "output", "message", "input"].contains(column) {
        #expect(!"=+-@".contains(cell.first ?? "a"), "\(column) \(cell.prefix(40))")
      }
    }
  }
}
