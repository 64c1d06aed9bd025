import AudioCore
import MediaIn

/// Inputs whose names say that they hold compressed sound without loss, which FLAC keeps.
package enum LosslessFamily {
  private static let containers: [ContainerTraits] = [.flac, .wavPack, .tta, .ape]

  /// Whether `path`, which may be a web address, has the extension of such a container.
  package static func holds(_ path: String) -> Bool {
    let name = WebAddress(path).map(\.lastComponent) ?? path
    guard let ending = OutputExtension(name).text else { return false }
    return containers.contains { $0.input?.extensions.contains(ending) == true }
  }
}
