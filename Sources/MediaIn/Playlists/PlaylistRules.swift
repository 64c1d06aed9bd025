import AudioCore

/// A violation of RFC 8216 in a playlist's text.
package struct PlaylistFlaw: Sendable, Equatable {
  /// The kind of a violation, as findings have it.
  package enum Code: String, Sendable, CaseIterable {
    /// A required attribute isn't there.
    case missingAttribute = "attribute-missing"
    /// An attribute stands where it must not.
    case forbiddenAttribute = "attribute-forbidden"
    /// An attribute stands twice in one tag.
    case repeatedAttribute = "attribute-twice"
    /// An attribute has a value that it must not have.
    case attributeValue = "attribute-value"
    /// LANGUAGE is no tag of RFC 5646.
    case languageTag = "language-tag"
    /// Renditions of one group have the same name.
    case renditionName = "rendition-name"
    /// Several renditions of one group are its default.
    case renditionDefault = "rendition-default"
    /// A variant names a group that isn't there.
    case renditionGroup = "rendition-group"
    /// A variant has no address, or an address no variant.
    case variantAddress = "variant-uri"
    /// A tag of the other kind of playlist.
    case foreignTag = "foreign-tag"
    /// A tag stands twice.
    case repeatedTag = "tag-twice"
    /// Bytes that are no UTF-8, or control characters.
    case encoding
  }

  /// The kind of violation.
  package let code: Code
  /// The line, counted from 1; `nil` for the whole.
  package let line: Int?
  /// One sentence without a subject.
  package let message: String
}

/// Looks for what RFC 8216 forbids in a playlist's text, and no player has to check.
struct PlaylistRules {
  /// Tags of media playlists and of their segments (4.3.2, 4.3.3).
  private static let mediaTags: Set<String> = [
    "#EXTINF", "#EXT-X-BYTERANGE", "#EXT-X-DISCONTINUITY", "#EXT-X-KEY", "#EXT-X-MAP",
    "#EXT-X-PROGRAM-DATE-TIME", "#EXT-X-DATERANGE", "#EXT-X-TARGETDURATION",
    "#EXT-X-MEDIA-SEQUENCE",
    "#EXT-X-DISCONTINUITY-SEQUENCE", "#EXT-X-ENDLIST", "#EXT-X-PLAYLIST-TYPE",
    "#EXT-X-I-FRAMES-ONLY",
  ]
  /// Tags of multivariant playlists (4.3.4).
  private static let multivariantTags: Set<String> = [
    "#EXT-X-MEDIA", "#EXT-X-STREAM-INF", "#EXT-X-I-FRAME-STREAM-INF", "#EXT-X-SESSION-DATA",
    "#EXT-X-SESSION-KEY",
  ]
  /// Tags that stand once at most (4.3.1.2, 4.3.3, 4.3.5).
  private static let singleTags: Set<String> = [
    "#EXT-X-VERSION", "#EXT-X-INDEPENDENT-SEGMENTS", "#EXT-X-START", "#EXT-X-TARGETDURATION",
    "#EXT-X-MEDIA-SEQUENCE", "#EXT-X-DISCONTINUITY-SEQUENCE", "#EXT-X-PLAYLIST-TYPE",
    "#EXT-X-I-FRAMES-ONLY",
  ]

  /// Violations, in the order of the lines.
  private(set) var flaws: [PlaylistFlaw] = []
  private let isMultivariant: Bool
  private var seen: Set<String> = []
  private var renditions = RenditionRules()
  /// The line of a variant whose address hasn't come yet.
  private var variantLine: Int?
  /// Data of a session that were seen: their name and language.
  private var sessionData: Set<[String]> = []

  /// Looks at the playlist in `bytes`, which has these lines.
  init(_ bytes: [UInt8], _ lines: [(number: Int, line: PlaylistLine)]) {
    isMultivariant = MultivariantPlaylist.isMultivariant(bytes)
    checkText(bytes)
    for (number, line) in lines {
      switch line {
      case .tag(let name, let value): check(name, value, number)
      case .uri:
        if isMultivariant, variantLine == nil {
          note(.variantAddress, number, "has no EXT-X-STREAM-INF in front of it (4.3.4.2)")
        }
        variantLine = nil
      }
    }
    closeVariant()
    flaws += renditions.finish()
  }

  private mutating func checkText(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return note(.encoding, nil, "isn't valid UTF-8 (4.1)")
    }
    let isForbidden: (Unicode.Scalar) -> Bool = { scalar in
      scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\r"
    }
    if text.unicodeScalars.contains(where: isForbidden) {
      note(.encoding, nil, "contains a control character (4.1)")
    }
  }

  private mutating func check(_ name: String, _ value: String, _ line: Int) {
    closeVariant()
    if (isMultivariant ? PlaylistRules.mediaTags : PlaylistRules.multivariantTags).contains(name) {
      return note(
        .foreignTag, line,
        "\(name.dropFirst()) stands in a \(isMultivariant ? "multivariant" : "media") playlist (4.1)"
      )
    }
    if PlaylistRules.singleTags.contains(name), !seen.insert(name).inserted {
      note(.repeatedTag, line, "\(name.dropFirst()) stands twice (4.3)")
    }
    guard PlaylistRules.multivariantTags.contains(name) else { return }
    let attributes = PlaylistAttributes(value)
    for key in attributes.repeated {
      note(.repeatedAttribute, line, "\(key) stands twice (4.2)")
    }
    switch name {
    case "#EXT-X-MEDIA": flaws += renditions.check(rendition: attributes, line)
    case "#EXT-X-STREAM-INF":
      variantLine = line
      require(["BANDWIDTH"], attributes, line, "4.3.4.2")
      renditions.note(variant: attributes, line)
    case "#EXT-X-I-FRAME-STREAM-INF": require(["BANDWIDTH", "URI"], attributes, line, "4.3.4.3")
    case "#EXT-X-SESSION-DATA": checkSessionData(attributes, line)
    default: checkSessionKey(attributes, line)
    }
  }

  private mutating func closeVariant() {
    if let line = variantLine {
      note(.variantAddress, line, "EXT-X-STREAM-INF has no address in the next line (4.3.4.2)")
    }
    variantLine = nil
  }

  private mutating func require(
    _ keys: [String], _ attributes: PlaylistAttributes, _ line: Int, _ clause: String
  ) {
    for key in keys where attributes[key] == nil {
      note(.missingAttribute, line, "\(key) is missing (\(clause))")
    }
    if let rate = attributes["BANDWIDTH"], attributes.integer("BANDWIDTH") == nil {
      note(.attributeValue, line, "BANDWIDTH is \(rate), not a whole number (\(clause))")
    }
  }

  private mutating func checkSessionData(_ attributes: PlaylistAttributes, _ line: Int) {
    require(["DATA-ID"], attributes, line, "4.3.4.4")
    switch (attributes["VALUE"], attributes["URI"]) {
    case (nil, nil): note(.missingAttribute, line, "VALUE or URI is missing (4.3.4.4)")
    case (_?, _?): note(.forbiddenAttribute, line, "VALUE and URI exclude each other (4.3.4.4)")
    default: break
    }
    guard let name = attributes["DATA-ID"] else { return }
    if !sessionData.insert([name, attributes["LANGUAGE"] ?? ""]).inserted {
      note(.repeatedTag, line, "DATA-ID \(name) stands twice in one language (4.3.4.4)")
    }
    flaws += RenditionRules.checkLanguages(attributes, line)
  }

  private mutating func checkSessionKey(_ attributes: PlaylistAttributes, _ line: Int) {
    require(["METHOD"], attributes, line, "4.3.4.5")
    if attributes["METHOD"] == "NONE" {
      note(.attributeValue, line, "METHOD is NONE (4.3.4.5)")
    } else if attributes["URI"] == nil {
      note(.missingAttribute, line, "URI is missing (4.3.2.4)")
    }
  }

  private mutating func note(_ code: PlaylistFlaw.Code, _ line: Int?, _ message: String) {
    flaws.append(PlaylistFlaw(code: code, line: line, message: message))
  }
}
