import AudioCore
import Yams

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
    guard case .mapping(let mapping)? = try text.compose(yaml), !mapping.isEmpty else {
      throw text.error(nil, "isn't a mapping; write one channel a line, as L: 30 or TFL: [45, 35]")
    }
    return try mapping.map { key, value in
      guard case .scalar(let name) = key else {
        throw text.error(key.mark?.line, "has a key that isn't a channel's name")
      }
      guard let angles = angles(value), let azimuth = angles.first else {
        throw text.error(
          name.mark?.line,
          "\(YAMLText.quoted(name.string)): give degrees, as 30 or [azimuth, elevation]")
      }
      return (name.string, azimuth, angles.count > 1 ? angles[1] : 0)
    }
  }

  /// One or two finite numbers.
  private static func angles(_ node: Node) -> [Double]? {
    let nodes: [Node]
    switch node {
    case .scalar: nodes = [node]
    case .sequence(let list): nodes = Array(list)
    default: return nil
    }
    let numbers = nodes.compactMap { $0.scalar.flatMap { Double($0.string) } }.filter(\.isFinite)
    return numbers.count == nodes.count && (1...2).contains(numbers.count) ? numbers : nil
  }
}
