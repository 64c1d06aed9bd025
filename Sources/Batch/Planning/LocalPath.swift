import Platform

/// Paths as text.
enum LocalPath {
  /// `path` as seen from `folder`.
  static func joined(_ folder: String, _ path: String) -> String {
    PathParts.isAbsolute(path) ? path : folder + (folder.hasSuffix("/") ? "" : "/") + path
  }

  /// The last part of `path`.
  static func name(of path: String) -> String {
    PathParts.split(path).name
  }

  /// The last part of the path of a URL, or `output` where it has none: the host isn't a name, and user and password may
  /// stand before it.
  static func name(ofURL text: String) -> String {
    let plain = text.prefix { $0 != "?" && $0 != "#" }
    let place = plain.firstRange(of: "://").map { plain[$0.upperBound...] } ?? plain
    let last = place.drop { $0 != "/" }.split(separator: "/").last.map(String.init)
    return last ?? "output"
  }

  /// `name` without what follows its last dot; a name that begins with its only dot is whole.
  static func stem(of name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// The extension of `path`, lower case.
  static func ending(of path: String) -> String {
    let name = name(of: path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  /// A relative path without `.`, `..` and empty parts; `nil` when it goes above its starting
  /// folder.
  static func normalized(_ path: String) -> String? {
    guard !PathParts.isAbsolute(path) else { return nil }
    var parts: [String] = []
    for part in PathParts.of(path) where part != "." {
      guard part == ".." else {
        parts.append(part)
        continue
      }
      guard parts.popLast() != nil else { return nil }
    }
    return parts.joined(separator: "/")
  }

  /// The absolute path of `path` from the process's working folder.
  static func absolute(_ path: String) -> String {
    guard !PathParts.isAbsolute(path), let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    return joined(String(cString: here), path == "." ? "" : path)
  }

  /// Whether `text` is an http or https URL.
  static func isWeb(_ text: String) -> Bool {
    let lower = text.prefix(8).lowercased()
    return lower.hasPrefix("http://") || lower.hasPrefix("https://")
  }
}
