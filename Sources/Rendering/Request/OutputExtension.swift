import AudioCore
import MediaIn
import Platform

/// The extension of an output's name, and the containers that it stands for.
package struct OutputExtension: Sendable {
  /// Extensions of manifests that no container of the list has.
  private static let manifests: Set<String> = ["mpd"]
  /// Names of MP4 files that hold sound alone, so that players of music take them.
  private static let soundOnly: Set<String> = ["m4a", "m4b"]

  /// The name that it belongs to.
  package let path: String
  /// The extension in lower case without its dot; `nil` for none.
  package let text: String?

  /// The extension of `path`.
  package init(_ path: String) {
    self.path = path
    text = PathParts.of(path).last?.split(separator: ".").dropFirst().last?.lowercased()
  }

  /// Whether a container that is read or written claims the extension.
  package var isClaimed: Bool {
    guard let text else { return false }
    return OutputExtension.manifests.contains(text) || ContainerKind(fileExtension: text) != nil
      || !ContainerTraits.promised(by: text).isEmpty
  }

  /// The container that the extension alone chooses; `nil` where it chooses none.
  package var kind: ContainerKind? {
    guard let text else { return nil }
    return ContainerKind(fileExtension: text) ?? (isClaimed && isRight(for: .wav) ? .wav : nil)
  }

  /// Whether the name keeps pictures out.
  package var isForSoundOnly: Bool { text.map(OutputExtension.soundOnly.contains) ?? false }

  /// Whether the name goes to a pipe or a device, whose name promises nothing.
  package var isStream: Bool {
    guard path != "-" else { return true }
    var facts = stat()
    guard stat(path, &facts) == 0 else { return false }
    let type = facts.st_mode & S_IFMT
    return type != S_IFREG && type != S_IFDIR
  }

  /// Whether a file of this container may have the extension.
  package func isRight(for kind: ContainerKind) -> Bool {
    guard let text, isClaimed else { return true }
    if kind.traits.extensions.contains(text) { return true }
    // BW64 is RIFF, and most programs know it as .wav only.
    let traits = kind == .bw64 ? ContainerTraits.wav : kind.traits
    if traits.extensions.contains(text) { return true }
    // A further name that readers know, unless another container that is written has it as its own.
    return ContainerKind(fileExtension: text) == nil
      && traits.input?.extensions.contains(text) == true
  }

  /// Refuses an output of `kind` whose name promises another container.
  /// - Throws: ``MediaError`` of kind `usage`.
  package func check(_ kind: ContainerKind) throws {
    guard !isRight(for: kind), !isStream else { return }
    let remedy = kind.traits.extensions.map { "." + $0 }.joined(separator: " or ")
    let other = self.kind.map { ", or choose \(setting: .container) \($0.rawValue)" } ?? ""
    throw MediaError(
      .usage, about: path,
      "would hold \(kind.traits.name), which .\(text ?? "") doesn't stand for; name it \(remedy)\(other)"
    )
  }
}

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
