import AudioCore
import Platform

/// Reads the text of a file of settings, which must be regular and small.
package enum SettingsFile {
  /// Bytes a YAML file may have.
  package static let largestYAML = 64 << 10

  /// The text of a preset file.
  static func preset(_ path: String) throws -> String {
    try text(path, largest: largestYAML, what: "a preset in YAML")
  }

  /// The text of the file at `path`, UTF-8, at most `largest` bytes; `what` names its content in
  /// messages, as in “a preset”.
  /// - Throws: ``MediaError`` of kind `usage`.
  package static func text(_ path: String, largest: Int, what: String) throws -> String {
    // Without O_NONBLOCK a named pipe would hold the command up.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      let code = errno
      throw MediaError(
        .usage, about: path,
        Sandbox.readRefusal(path, code)
          ?? "can't be read (\(String(cString: strerror(code)))); check the path")
    }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw MediaError(.usage, about: path, "isn't a regular file; give \(what)")
    }
    let bytes = try read(descriptor, path, largest)
    guard bytes.count <= largest else {
      throw MediaError(
        .usage, about: path, "is larger than \(largest >> 10) KiB, so it isn't \(what)")
    }
    guard let text = SettingsFile.text(bytes) else {
      throw MediaError(.usage, about: path, "isn't UTF-8 text; save it as such")
    }
    return text
  }

  /// The text of `bytes` in UTF-8 or UTF-16 (YAML 1.2, 5.2); `nil` where they are neither.
  package static func text(_ bytes: [UInt8]) -> String? {
    guard let wide = WideText(bytes) else { return String(validating: bytes, as: UTF8.self) }
    return wide.isValid ? String(decoding: wide.utf8, as: UTF8.self) : nil
  }

  /// Reads at most one byte more than allowed, enough to see that the file is too large.
  private static func read(
    _ descriptor: Int32, _ path: String, _ largest: Int
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= largest {
      let left = largest + 1 - bytes.count
      let got = Descriptor.readSome(descriptor, into: &chunk, atMost: left)
      guard got >= 0 else {
        throw MediaError(.usage, about: path, "can't be read (\(String(cString: strerror(errno))))")
      }
      if got == 0 { break }
      bytes += chunk[..<got]
    }
    return bytes
  }
}
