/// The parts of a path as the kernel sees them.
package enum PathParts {
  /// What stands between the slashes of `path`, without empty parts.
  ///
  /// Each byte of a slash separates. As a character of text, a slash with a combining mark behind it is another one,
  /// so splitting text could hide a `..`.
  package static func of(_ path: some StringProtocol) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
  }
}
