import AudioCore
import Essentials

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

  private static func isBlank(_ data: Data) -> Bool {
    data.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
  }
}
