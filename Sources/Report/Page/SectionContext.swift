// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// The place of a section on the page: what its ids, headings and links depend on.
struct SectionContext {
  /// Begins every id of the section, e.g. `r3`.
  let id: String
  /// Level of its headings, 2 or 3.
  let level: Int
  let links: PageLinks
  /// Whether pictures have fewer points.
  let isSmall: Bool

  /// The context of the output with this number.
  func numbered(_ number: Int) -> SectionContext {
    SectionContext(id: "\(id)-o\(number)", level: level, links: links, isSmall: isSmall)
  }

  /// The context of a subsection, whose headings are one level lower.
  var inner: SectionContext {
    SectionContext(id: id + "-in", level: level + 1, links: links, isSmall: isSmall)
  }

  /// A part of the report under a heading; `nil` when it has no content.
  func part(_ name: String, _ title: String, _ content: [Markup]) -> Markup? {
    guard !content.isEmpty else { return nil }
    let heading = "\(id)-\(name)"
    // Parts of one report of several have the names of its neighbours' parts, and no landmark for that reason.
    return Markup(
      "section", ["aria-labelledby": level == 2 ? heading : nil],
      [Markup("h\(level)", ["id": heading], text: title)] + content)
  }

  /// The few figures that matter most.
  func cards(_ cards: [(name: String, value: String, note: String?)]) -> Markup {
    Markup(
      "dl", ["class": "cards"],
      cards.map { card in
        Markup(
          "div", [:],
          [
            Markup("dt", text: card.name), Markup("dd", ["class": "value"], text: card.value),
          ] + (card.note.map { [Markup("dd", ["class": "note"], text: $0)] } ?? []))
      })
  }

  /// A file's name, with a link where the file exists.
  func file(_ path: String) -> Markup {
    guard let address = links(path) else { return Markup("span", ["class": "path"], [.name(path)]) }
    return Markup("a", ["class": "path", "href": address], [.name(path)])
  }

  /// The status of a report: a sign and a word.
  static func badge(_ summary: ItemSummary) -> Markup {
    Markup(
      "span", ["class": "badge \(summary.grade.rawValue)"],
      [
        Markup("span", ["aria-hidden": "true"], text: summary.grade.sign + " "),
        Markup(summary.status),
      ])
  }

  /// A paragraph with a sentence about what went wrong.
  static func problem(_ sentence: String, _ token: String?) -> Markup {
    Markup(
      "p", ["class": "problem"],
      [Markup("strong", text: "✗ "), Markup(sentence)]
        + (token.map { [Markup(" "), Markup("code", text: $0)] } ?? []))
  }
}

/// The links of a page to files, which depend on the page's own place.
package struct PageLinks: Sendable {
  /// Returns the address of the file at a path as it stands in a report; `nil` where there is no
  /// file.
  private let address: @Sendable (String) -> String?

  /// No links, for a page whose place isn't known.
  package static let none = PageLinks { _ in nil }

  /// Links to the addresses that `address` returns, which must be percent-encoded.
  package init(_ address: @escaping @Sendable (String) -> String?) { self.address = address }

  /// Links relative to `folder`, the absolute path of the page's folder; relative paths in reports
  /// start from `current`, an absolute path too. Only files for which `exists` is true get a link.
  package init(
    folder: String, current: String, exists: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    self.init { path in
      guard !path.isEmpty, path != "-", !path.contains("\0") else { return nil }
      let absolute = PageLinks.normal(PathParts.isAbsolute(path) ? path : current + "/" + path)
      guard exists("/" + absolute.joined(separator: "/")) else { return nil }
      return PageLinks.relative(absolute, from: PageLinks.normal(folder))
    }
  }

  func callAsFunction(_ path: String) -> String? { address(path) }

  /// Parts of an absolute path without `.`, `..` and empty ones.
  private static func normal(_ path: String) -> [String] {
    PathParts.normalized("/" + path) ?? []
  }

  private static func relative(_ parts: [String], from folder: [String]) -> String {
    let common = zip(parts, folder).prefix { $0 == $1 }.count
    let up = [String](repeating: "..", count: folder.count - common)
    return (up + parts.dropFirst(common).map(encoded)).joined(separator: "/")
  }

  /// Everything but letters, digits and `-._~` in percent encoding (RFC 3986), so that a name can be
  /// neither a scheme nor a query.
  package static func encoded(_ part: String) -> String {
    var text = ""
    for byte in part.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        text += "%" + byte.hexadecimal(2, uppercase: true)
      }
    }
    return text
  }
}
