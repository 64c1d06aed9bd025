// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Essentials
import Platform

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
        if let root, !PathParts.isAbsolute(path) {
          report.outputs[index].path = root + "/" + path
        }
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
    case .golden(let report): return "goldens of " + report.cases
    case .validation(let report): return PageText.fileName(report.path)
    case .measurement(let report): return PageText.fileName(report.input.path)
    case .album(let report): return "album of " + PageText.count(report.tracks.count, "file")
    }
  }
}

/// A report that Pinna wrote.
package enum ReportContent: Sendable, Equatable {
  /// `pinna.report/2`, or version 1 as it was written before: `render --report` and `--json`.
  case render(RenderReport)
  /// `pinna.comparison/1`: `compare --json`.
  case comparison(ComparisonReport)
  /// `pinna.golden/1`: `golden verify --json`.
  case golden(GoldenReport)
  /// `pinna.validation/1`: `validate --json`.
  case validation(ValidationReport)
  /// `pinna.measure/2`: `measure --json`.
  case measurement(MeasureReport)
  /// `pinna.measure-album/1`, its figures of all files together: `measure --album --json`.
  case album(MeasureAlbumReport)

  /// The schemas, in this order.
  package static let schemas = [
    RenderReport.schemaName, RenderReport.firstSchemaName, ComparisonReport.schemaName,
    GoldenReport.schemaName, ValidationReport.schemaName, MeasureReport.schemaName,
    MeasureAlbumReport.schemaName,
  ]
}

/// Reads the JSON that Pinna wrote.
package enum ReportParser {
  private struct Head: Decodable {
    let schema: String
  }

  /// The reports in `data`: one JSON object, or one in each line, as several renders print them.
  /// `name` is the file's name for messages; `root` is the folder of the batch that an item belongs
  /// to.
  /// - Throws: ``MediaError`` of kind `input-unreadable` when `data` is empty, isn't JSON or isn't
  ///   a
  /// report by Pinna.
  package static func items(
    _ data: Data, name: String, root: String? = nil
  ) throws -> [ReportItem] {
    let whole: MediaError
    do { return try contents(data, name, root) } catch { whole = error }
    let lines = data.split(separator: UInt8(ascii: "\n")).filter { !isBlank($0) }
    // A single report that is printed over several lines begins with a line that holds only a
    // bracket.
    guard lines.count > 1, lines.allSatisfy({ $0.first == 0x7B && $0.count > 1 }) else {
      throw whole
    }
    return try lines.enumerated().flatMap { index, line in
      try contents(Data(line), "\(name), line \(index + 1)", root)
    }
  }

  private static func contents(
    _ data: Data, _ name: String, _ root: String?
  ) throws(MediaError) -> [ReportItem] {
    guard !isBlank(data) else {
      throw MediaError(.inputUnreadable, about: name, "is empty; give a report that pinna wrote")
    }
    let decoder = JSONDecoder()
    // Measurements and validations of several files are one array.
    if data.first(where: { !blanks.contains($0) }) == UInt8(ascii: "[") {
      return try list(data, name)
    }
    let schema: String
    do { schema = try decoder.decode(Head.self, from: data).schema } catch {
      throw MediaError(
        .inputUnreadable, about: name, "\(reason(error)); give a report that pinna wrote as JSON")
    }
    do {
      switch schema {
      case RenderReport.schemaName, RenderReport.firstSchemaName:
        return [ReportItem(.render(try decoder.decode(RenderReport.self, from: data)))]
      case ComparisonReport.schemaName:
        return [ReportItem(.comparison(try decoder.decode(ComparisonReport.self, from: data)))]
      case GoldenReport.schemaName:
        return [ReportItem(.golden(try decoder.decode(GoldenReport.self, from: data)))]
      case ValidationReport.schemaName:
        return [ReportItem(.validation(try decoder.decode(ValidationReport.self, from: data)))]
      case MeasureReport.schemaName:
        return [ReportItem(.measurement(try decoder.decode(MeasureReport.self, from: data)))]
      case MeasureAlbumReport.schemaName:
        let album = try decoder.decode(MeasureAlbumReport.self, from: data)
        return [ReportItem(.album(album))] + album.tracks.map { ReportItem(.measurement($0)) }
      case ItemReport.schemaName:
        return ReportItem.items(of: try decoder.decode(ItemReport.self, from: data), root: root)
      default: break
      }
    } catch {
      throw MediaError(
        .inputUnreadable, about: name, "isn't a whole \(schema) (\(reason(error))); write it anew")
    }
    let known = (ReportContent.schemas + [ItemReport.schemaName]).joined(separator: ", ")
    throw MediaError(
      .inputUnreadable, about: name, "can't show the schema \(plain(schema)); give one of \(known)")
  }

  /// The reports in an array of measurements or of validations.
  private static func list(_ data: Data, _ name: String) throws(MediaError) -> [ReportItem] {
    let decoder = JSONDecoder()
    do {
      let heads = try decoder.decode([Head].self, from: data)
      if heads.allSatisfy({ $0.schema == ValidationReport.schemaName }) {
        return try decoder.decode([ValidationReport].self, from: data)
          .map { ReportItem(.validation($0)) }
      }
      return try decoder.decode([MeasureReport].self, from: data)
        .map { ReportItem(.measurement($0)) }
    } catch {
      throw MediaError(
        .inputUnreadable, about: name,
        "\(reason(error)); give reports that pinna measure or pinna validate wrote as JSON")
    }
  }

  /// Why decoding failed, in a few words.
  private static func reason(_ error: any Error) -> String {
    func place(_ context: DecodingError.Context) -> String {
      let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
      return path.isEmpty ? "" : " in " + plain(path.joined(separator: "."))
    }
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      return "lacks \(key.stringValue)" + place(context)
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      return "has a value of another kind" + place(context)
    default: return "isn't JSON"
    }
  }

  /// At most 80 letters of a name, without control characters: it comes from a file.
  private static func plain(_ text: String) -> String {
    let letters = text.unicodeScalars.prefix(80).map { scalar in
      scalar.value < 0x20 || scalar.value == 0x7F ? " " : String(Character(scalar))
    }
    return letters.joined()
  }

  /// White space of JSON (RFC 8259, 2).
  private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

  private static func isBlank(_ data: Data) -> Bool { data.allSatisfy(blanks.contains) }
}
