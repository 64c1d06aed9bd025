// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import YAML

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
    guard let text = SettingsFile.text(try bytes(path, largest: largest, what: what)) else {
      throw MediaError(.usage, about: path, "isn't UTF-8 text; save it as such")
    }
    return text
  }

  /// The bytes of the file at `path`, at most `largest`; `what` names its content in messages.
  /// - Throws: ``MediaError`` of kind `usage`.
  package static func bytes(_ path: String, largest: Int, what: String) throws -> [UInt8] {
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
    return bytes
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

/// Loudspeaker positions in YAML: a mapping of channel names to an azimuth, or to azimuth and
/// elevation.
///
/// ```yaml
/// L: 30
/// R: -30
/// TFL: [45, 35]
/// ```
package enum SpeakerFile {
  /// A channel and where it stands, in degrees.
  package typealias Entry = (name: String, azimuth: Double, elevation: Double)

  /// Whether `text` names a file rather than the positions themselves, such as `L=30,TFL=45/30`.
  package static func isFile(_ text: String) -> Bool {
    PathParts.hasFolder(text) && !text.contains("=") || text.hasSuffix(".yaml")
      || text.hasSuffix(".yml")
  }

  /// The entries of the file at `path`, in its order.
  /// - Throws: ``MediaError`` of kind `usage` naming file, line and fault.
  package static func entries(path: String) throws -> [Entry] {
    let yaml = try SettingsFile.text(
      path, largest: SettingsFile.largestYAML, what: "speaker positions in YAML")
    let text = YAMLText(path: path)
    guard case .mapping(let pairs, _)? = try text.compose(yaml), !pairs.isEmpty else {
      throw text.error(nil, "isn't a mapping; write one channel a line, as L: 30 or TFL: [45, 35]")
    }
    return try pairs.map { pair in
      guard case .scalar(let name) = pair.key else {
        throw text.error(pair.key.line, "has a key that isn't a channel's name")
      }
      guard let angles = angles(pair.value), let azimuth = angles.first else {
        throw text.error(
          name.line,
          "\(YAMLText.quoted(name.text)): give degrees, as 30 or [azimuth, elevation]")
      }
      return (name.text, azimuth, angles.count > 1 ? angles[1] : 0)
    }
  }

  /// One or two finite numbers.
  private static func angles(_ node: YAMLNode) -> [Double]? {
    let nodes: [YAMLNode] = if case .sequence(let list, _) = node { list } else { [node] }
    let numbers = nodes.compactMap { part -> Double? in
      guard case .scalar(let scalar) = part else { return nil }
      return Double(scalar.text)
    }.filter(\.isFinite)
    return numbers.count == nodes.count && (1...2).contains(numbers.count) ? numbers : nil
  }
}
