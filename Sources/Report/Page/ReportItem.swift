/// A report with its name on a page.
package struct ReportItem: Sendable, Equatable {
  /// The name that readers know it by, such as the input's name or the id of an item; any string.
  package var name: String
  /// The report.
  package var content: ReportContent

  /// A report called `name`; `nil` takes the name of the file that the report is about.
  package init(_ content: ReportContent, name: String? = nil) {
    self.content = content
    self.name = name ?? ReportItem.name(of: content)
  }

  /// The report of a render.
  package init(_ report: RenderReport, name: String? = nil) {
    self.init(.render(report), name: name)
  }

  /// The reports about one item of a batch: those of its renders, named by the item's id, and one
  /// for a failure outside of them.
  ///
  /// Paths of outputs are relative to the batch's folder; `root` makes them absolute.
  package static func items(of item: ItemReport, root: String? = nil) -> [ReportItem] {
    var found = item.reports.map { report -> ReportItem in
      var report = report
      for index in report.outputs.indices {
        let path = report.outputs[index].path
        if let root, !path.hasPrefix("/") { report.outputs[index].path = root + "/" + path }
      }
      return ReportItem(report, name: item.id)
    }
    if item.status == .error, !item.reports.contains(where: { $0.status == .error }) {
      var failed = RenderReport(
        toolchain: item.reports.first?.toolchain
          ?? RenderReport.Toolchain(pinna: "", libavcodec: "", cpu: []))
      failed.status = .error
      failed.exit = item.exit
      failed.error = item.error
      found.append(ReportItem(failed, name: item.id))
    }
    return found
  }

  /// `items` with distinct names: renders that share a name get the name of their output, and names
  /// that are still equal get a number.
  static func distinct(_ items: [ReportItem]) -> [ReportItem] {
    // A render and a validation of the same file may share a name: the page shows their kind.
    func key(_ item: ReportItem) -> String { ItemSummary(item).kind + " " + item.name }
    func counts(_ items: [ReportItem]) -> [String: Int] {
      items.reduce(into: [:]) { $0[key($1), default: 0] += 1 }
    }
    let first = counts(items)
    var items = items.map { item -> ReportItem in
      guard first[key(item)] ?? 0 > 1, case .render(let report) = item.content,
        report.outputs.count == 1, let output = report.outputs.first
      else { return item }
      return ReportItem(item.content, name: item.name + " → " + PageText.fileName(output.path))
    }
    let second = counts(items)
    var seen: [String: Int] = [:]
    for index in items.indices {
      let key = key(items[index])
      guard second[key] ?? 0 > 1 else { continue }
      seen[key, default: 0] += 1
      if let number = seen[key], number > 1 { items[index].name += " (\(number))" }
    }
    return items
  }

  private static func name(of content: ReportContent) -> String {
    switch content {
    case .render(let report):
      return (report.queue?.name ?? report.input?.path).map(PageText.fileName)
        ?? "render without an input"
    case .comparison(let report):
      return PageText.fileName(report.test.path) + " against "
        + PageText.fileName(report.reference.path)
    case .golden(let report): return "goldens in " + report.cases
    case .validation(let report): return PageText.fileName(report.path)
    }
  }
}
