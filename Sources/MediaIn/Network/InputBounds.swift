import AudioCore
import LibAV
import Platform

/// Limits on what an input, and a playlist that is the input, may open.
public struct InputBounds: Sendable, Hashable, Codable {
  /// Whether the network is never used: URLs are refused, whether the user or a playlist gives them.
  public var isOffline = false
  /// The folder that inputs must lie in once symbolic links are followed; `nil` is no limit.
  public var root: String?
  /// A PEM file with certificates of authorities that https servers are believed by; `nil` believes those of the
  /// system. Some builds of libavformat know none by themselves.
  public var authorities: String?

  /// Hosts that may be used besides that of the URL that the user gives: names, addresses, or `*.` and a domain. Empty
  /// allows all public ones. Private addresses are used only where the given URL has that very host, or listed by name.
  public var allowedHosts: [String] = []
  /// Seconds that a server may send nothing, or less than 1 KiB/s on average, before a transfer is given up.
  public var networkTimeout = 20.0
  /// Most bytes that one input may fetch over the network in all.
  public var downloadLimit: Int64 = 64 << 30

  /// No bounds but those of the network's defaults.
  public init() {}

  /// Whether `text` can stand in ``allowedHosts``: a name, an address, or `*.` and a domain; without scheme and port.
  public static func isHost(_ text: String) -> Bool {
    if IPAddress(text) != nil { return true }
    let name = text.hasPrefix("*.") ? String(text.dropFirst(2)) : text
    guard let address = WebAddress("http://\(name)") else { return false }
    return address.authority == name && address.host == name && !name.contains("*")
  }

  /// Opens the file at `path`. A file outside of ``root`` isn't opened at all.
  /// - Throws: ``MediaError`` of kind `inputUnreadable`, or as ``LocalFile/init(path:)``.
  package func open(_ path: String) throws -> LocalFile {
    try admit(path)
    let file = try MediaFile.locate(path)
    // A link may have been changed since the first check; the place of the opened file counts.
    try check(file.place, path)
    return file
  }

  /// Refuses a file at `path` that lies outside of ``root``, without opening it. A missing file passes:
  /// opening it gives the better error.
  /// - Throws: ``MediaError`` of kind `inputUnreadable` when the file lies outside.
  public func admit(_ path: String) throws {
    if let place = PathParts.real(path) { try check(place, path) }
  }

  private func check(_ place: String?, _ path: String) throws {
    guard let root else { return }
    guard let folder = PathParts.real(root), let place,
      PathParts.rest(of: place, below: folder) != nil
    else {
      throw MediaError(
        .inputUnreadable, about: path,
        "really lies outside of \(root), which \(setting: .inputRoot) forbids; copy it there"
      )
    }
  }
}
