import AudioCore

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
