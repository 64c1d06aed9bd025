// SPDX-License-Identifier: Apache-2.0
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

/// Checks what RFC 8216 demands of renditions, their groups, and the variants that name them (4.3.4.1, 4.3.4.2).
struct RenditionRules {
  /// Renditions of the same type and group.
  private struct Group: Hashable {
    let type: String
    let name: String
  }

  private static let types: Set<String> = ["AUDIO", "VIDEO", "SUBTITLES", "CLOSED-CAPTIONS"]

  private var names: [Group: Set<String>] = [:]
  private var defaults: Set<Group> = []
  /// Groups that variants name, and the line of the first that does.
  private var wanted: [(group: Group, line: Int)] = []
  private var isWanted: Set<Group> = []
  /// Lines of variants without and with captions inside their pictures.
  private var captions: (none: Int?, some: Int?) = (nil, nil)

  /// Looks at one `EXT-X-MEDIA`.
  mutating func check(rendition attributes: PlaylistAttributes, _ line: Int) -> [PlaylistFlaw] {
    var flaws = RenditionRules.checkAttributes(attributes, line)
    flaws += RenditionRules.checkLanguages(attributes, line)
    guard let type = attributes["TYPE"], let group = attributes["GROUP-ID"] else { return flaws }
    let key = Group(type: type, name: group)
    if let name = attributes["NAME"], !names[key, default: []].insert(name).inserted {
      flaws.append(
        PlaylistFlaw(
          code: .renditionName, line: line,
          message: "NAME \(name) stands twice in group \(group) of \(type) (4.3.4.1.1)"))
    }
    if attributes["DEFAULT"] == "YES", !defaults.insert(key).inserted {
      flaws.append(
        PlaylistFlaw(
          code: .renditionDefault, line: line,
          message: "group \(group) of \(type) has another DEFAULT=YES (4.3.4.1.1)"))
    }
    return flaws
  }

  private static func checkAttributes(
    _ attributes: PlaylistAttributes, _ line: Int
  ) -> [PlaylistFlaw] {
    func flaw(_ code: PlaylistFlaw.Code, _ message: String) -> PlaylistFlaw {
      PlaylistFlaw(code: code, line: line, message: "\(message) (4.3.4.1)")
    }
    let type = attributes["TYPE"]
    let isCaptions = type == "CLOSED-CAPTIONS"
    var needed = ["TYPE", "GROUP-ID", "NAME"]
    if type == "SUBTITLES" { needed.append("URI") }
    if isCaptions { needed.append("INSTREAM-ID") }
    var flaws = needed.filter { attributes[$0] == nil }.map {
      flaw(.missingAttribute, "\($0) is missing")
    }
    let forbidden = [
      isCaptions ? "URI" : "INSTREAM-ID", type == "SUBTITLES" ? nil : "FORCED",
    ].compactMap { $0 }
    flaws += forbidden.filter { attributes[$0] != nil }.map {
      flaw(.forbiddenAttribute, "\($0) stands in a rendition of \(type ?? "no type")")
    }
    if let type, !types.contains(type) { flaws.append(flaw(.attributeValue, "TYPE is \(type)")) }
    for key in ["DEFAULT", "AUTOSELECT", "FORCED"] {
      guard let value = attributes[key], value != "YES", value != "NO" else { continue }
      flaws.append(flaw(.attributeValue, "\(key) is \(value), not YES or NO"))
    }
    if attributes["DEFAULT"] == "YES", let selects = attributes["AUTOSELECT"], selects != "YES" {
      flaws.append(flaw(.attributeValue, "AUTOSELECT is \(selects) beside DEFAULT=YES"))
    }
    return flaws
  }

  /// Looks at the attributes that are tags of RFC 5646, which has the shortest code of a language only (2.2.1).
  static func checkLanguages(_ attributes: PlaylistAttributes, _ line: Int) -> [PlaylistFlaw] {
    ["LANGUAGE", "ASSOC-LANGUAGE"].compactMap { key in
      guard let text = attributes[key] else { return nil }
      let first = text.split(separator: "-", omittingEmptySubsequences: false)
        .first.map { $0.lowercased() }
      // Undetermined, private and grandfathered tags name no language of ISO 639, and are tags all the same.
      guard let first, !["und", "x", "i"].contains(first) else { return nil }
      let tag = LanguageTag(text)
      guard tag?.language != first else { return nil }
      let right = tag.map { "; the tag is \($0.text)" } ?? ""
      return PlaylistFlaw(
        code: .languageTag, line: line,
        message: "\(key) is \(text), no tag of RFC 5646\(right) (4.3.4.1)")
    }
  }

  /// Remembers the groups that one `EXT-X-STREAM-INF` names.
  mutating func note(variant attributes: PlaylistAttributes, _ line: Int) {
    for type in RenditionRules.types.sorted() {
      guard let name = attributes[type] else { continue }
      if type == "CLOSED-CAPTIONS", name == "NONE" { continue }
      let group = Group(type: type, name: name)
      if isWanted.insert(group).inserted { wanted.append((group, line)) }
    }
    if attributes["CLOSED-CAPTIONS"] == "NONE" {
      captions.none = captions.none ?? line
    } else {
      captions.some = captions.some ?? line
    }
  }

  /// Violations that only the end of the playlist shows.
  func finish() -> [PlaylistFlaw] {
    var flaws = wanted.filter { names[$0.group] == nil }.map { group, line in
      PlaylistFlaw(
        code: .renditionGroup, line: line,
        message: "no EXT-X-MEDIA of \(group.type) has the group \(group.name) (4.3.4.2)")
    }
    if captions.none != nil, let line = captions.some {
      flaws.append(
        PlaylistFlaw(
          code: .attributeValue, line: line,
          message: "CLOSED-CAPTIONS is NONE in other variants, so it has to be NONE here (4.3.4.2)")
      )
    }
    return flaws
  }
}
