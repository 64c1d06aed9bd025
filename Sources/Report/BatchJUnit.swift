/// A batch as JUnit XML: one test case an item.
public enum BatchJUnit {
  /// The document.
  public static func text(_ report: BatchReport) -> String {
    let counts = report.counts
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text +=
      "<testsuite name=\"\(escaped("batch \(report.source)"))\" tests=\"\(counts.total)\" "
      + "failures=\"\(counts.failed)\" errors=\"\(counts.missing)\" skipped=\"\(counts.stopped)\">\n"
    for entry in report.items {
      let seconds = entry.cached ? 0 : entry.performance?.wallSeconds ?? 0
      text +=
        "  <testcase classname=\"batch\" name=\"\(escaped(entry.id))\" "
        + "time=\"\(Double(Int(seconds * 1000)) / 1000)\">\(content(entry))</testcase>\n"
    }
    return text + "</testsuite>\n"
  }

  private static func content(_ entry: BatchReport.Entry) -> String {
    let message = escaped(entry.error?.message ?? "")
    let kind = escaped(entry.error?.kind ?? "")
    var text = ""
    switch entry.status {
    case .error:
      text = "<failure type=\"\(kind)\" message=\"\(message)\">exit \(entry.exit)</failure>"
    case .missing: text = "<error type=\"missing\" message=\"\(message)\"/>"
    case .stopped: text = "<skipped message=\"stopped before it was done\"/>"
    case .ok, .silent, .unchanged: break
    }
    if !entry.degradations.isEmpty {
      let kinds = entry.degradations.keys.sorted().joined(separator: ", ")
      text += "<system-out>degraded: \(escaped(kinds))</system-out>"
    }
    if let errors = entry.stderr { text += "<system-err>\(escaped(errors))</system-err>" }
    return text
  }

  /// Text with its line ends; tabs become spaces.
  private static func escaped(_ text: String) -> String {
    text.replacing("\t", with: " ").split(separator: "\n", omittingEmptySubsequences: false)
      .map { SVGText.escaped(String($0)) }.joined(separator: "&#10;")
  }
}
