// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// The place of a playlist, or of a file that it names, and which places it may name itself.
enum ResourceAddress: Hashable, Sendable {
  /// A local path, which may name files in `root` or below, and URLs.
  case local(path: String, root: String)
  /// A URL, which may name other URLs only.
  case web(WebAddress)

  /// The place as messages show it, without credentials.
  var name: String {
    switch self {
    case .local(let path, _): return path
    case .web(let address): return address.publicText
    }
  }

  /// The playlist at `path`, which may name files of its own folder and below.
  static func localPlaylist(_ path: String) -> ResourceAddress {
    .local(path: path, root: folder(of: path))
  }

  /// The place that the URI `reference` in this playlist names.
  /// - Throws: ``MediaError`` of kind `inputUnreadable` when the playlist may not name that place.
  func resolving(_ reference: String) throws -> ResourceAddress {
    switch self {
    case .web(let base):
      if let address = base.resolving(reference) {
        return .web(address.carryingCredentials(of: base))
      }
      throw refusal(reference, "a playlist of the web may only name http and https")
    case .local(let path, let root):
      if let address = WebAddress(reference) { return .web(address) }
      guard WebAddress.scheme(of: reference) == nil else {
        throw refusal(reference, "a playlist may only name http, https and relative paths")
      }
      let plain = String(reference.prefix { $0 != "#" && $0 != "?" })
      let folder = ResourceAddress.folder(of: path)
      guard !reference.isEmpty, !PathParts.isAbsolute(reference), !reference.utf8.contains(0),
        let literal = ResourceAddress.below(root, folder, reference),
        let decoded = ResourceAddress.below(
          root, folder, String(decoding: PercentEncoding.decoded(plain), as: UTF8.self))
      else { throw refusal(reference, "a playlist may only name files of its own folder") }
      // The standard wants URIs, but many packagers write names without percent-encoding. So a file whose
      // name is the text as it stands comes first.
      return .local(path: ResourceAddress.exists(literal) ? literal : decoded, root: root)
    }
  }

  private func refusal(_ reference: String, _ reason: String) -> MediaError {
    MediaError(
      .inputUnreadable, about: name,
      "names \"\(WebSecrets.hidden(reference: String(reference.prefix(200))))\", but \(reason); "
        + "change it there")
  }

  /// `relative` below `folder` as a path; `nil` when it leads out of `root`.
  private static func below(_ root: String, _ folder: String, _ relative: String) -> String? {
    let start = PathParts.of(
      String(decoding: folder.utf8.dropFirst(root.utf8.count), as: UTF8.self))
    guard !PathParts.isAbsolute(relative), !relative.utf8.contains(0),
      let kept = PathParts.normalized(relative, below: start), !kept.isEmpty
    else { return nil }
    return root + kept.joined(separator: "/")
  }

  /// The folder of `path` with its closing slash; empty for the working folder.
  private static func folder(of path: String) -> String {
    PathParts.split(path).folder
  }

  private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}

/// Percent-encoding of URLs (RFC 3986, 2.1).
enum PercentEncoding {
  /// The bytes of `text` with percent-encoded ones decoded.
  static func decoded(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    let source = Array(text.utf8)
    var index = 0
    while index < source.count {
      let digits = source[index...].dropFirst().prefix(2)
      // `UInt8(_:radix:)` would accept a sign in front.
      if source[index] == 0x25, digits.count == 2, digits.first != 0x2B, digits.first != 0x2D,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        index += 3
      } else {
        bytes.append(source[index])
        index += 1
      }
    }
    return bytes
  }
}
