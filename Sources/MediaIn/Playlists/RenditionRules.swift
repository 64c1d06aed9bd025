import AudioCore

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
