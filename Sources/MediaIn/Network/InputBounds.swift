import AudioCore
import LibAV
import Platform

/// What an input, and a playlist it is, may reach.
public struct InputBounds: Sendable, Hashable, Codable {
  /// Whether the network is never used: URLs are refused, given by the user or by a playlist.
  public var isOffline = false
  /// The folder that inputs must really lie in, whatever links lead to them; `nil` is no bound.
  public var root: String?

  /// No bounds.
  public init() {}

  /// Opens the file at `path`; one outside of ``root`` isn't even opened, and links that are changed
  /// meanwhile don't help.
  /// - Throws: ``MediaError`` of kind `inputUnreadable`, or as ``LocalFile/init(path:)``.
  func open(_ path: String) throws -> LocalFile {
    try admit(path)
    let file = try MediaFile.locate(path)
    try check(file.place, path)
    return file
  }

  /// Refuses the file at `path` by its real place, without opening it; one that isn't there is left for
  /// the opening to tell.
  /// - Throws: ``MediaError`` of kind `inputUnreadable`.
  public func admit(_ path: String) throws {
    if let place = InputBounds.real(path) { try check(place, path) }
  }

  private func check(_ place: String?, _ path: String) throws {
    guard let root else { return }
    guard let folder = InputBounds.real(root), let place,
      folder == "/" || place.hasPrefix(folder + "/")
    else {
      throw MediaError(
        .inputUnreadable, about: path,
        "really lies outside of \(root), which \(setting: .inputRoot) forbids; copy it there"
      )
    }
  }

  private static func real(_ path: String) -> String? {
    guard let text = realpath(path, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}
