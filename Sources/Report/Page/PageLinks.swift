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
      let absolute = PageLinks.normal(path.hasPrefix("/") ? path : current + "/" + path)
      guard exists("/" + absolute.joined(separator: "/")) else { return nil }
      return PageLinks.relative(absolute, from: PageLinks.normal(folder))
    }
  }

  func callAsFunction(_ path: String) -> String? { address(path) }

  /// Parts of an absolute path without `.`, `..` and empty ones.
  private static func normal(_ path: String) -> [String] {
    var parts: [String] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
    }
    return parts
  }

  private static func relative(_ parts: [String], from folder: [String]) -> String {
    let common = zip(parts, folder).prefix { $0 == $1 }.count
    let up = [String](repeating: "..", count: folder.count - common)
    return (up + parts.dropFirst(common).map(encoded)).joined(separator: "/")
  }

  /// Everything but letters, digits and `-._~` in percent encoding (RFC 3986), so that a name can be
  /// neither a scheme nor a query.
  package static func encoded(_ part: String) -> String {
    let digits = Array("0123456789ABCDEF")
    var text = ""
    for byte in part.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        text += "%" + String(digits[Int(byte >> 4)]) + String(digits[Int(byte & 15)])
      }
    }
    return text
  }
}
