// SPDX-License-Identifier: Apache-2.0

/// Tags of one target (RFC 9559, 5.1.8.1 and 24).
package struct MatroskaTag: Sendable, Equatable {
  /// A name with its value, and with tags that say more of it.
  package struct Entry: Sendable, Equatable {
    package enum Value: Sendable, Equatable {
      case text(String)
      case binary([UInt8])
    }

    package var name: String
    /// `nil` where only the entries inside have values.
    package var value: Value?
    /// Code of ISO 639-2/B.
    package var language = "und"
    /// Tag of BCP 47, which counts in place of the code.
    package var languageBCP47: String?
    /// Whether it is in the language that the content was made in.
    package var isDefault = true
    package var entries: [Entry] = []

    /// A text of this name.
    package init(_ name: String, _ text: String, entries: [Entry] = []) {
      self.name = name
      value = .text(text)
      self.entries = entries
    }
  }

  /// Levels of entries that are read; files have two.
  static let deepest = 16

  /// Level of the target, e.g. 50 for a film or an album and 70 for a series (RFC 9559, 5.1.8.1.1.1); `nil` where it isn't
  /// stated, which means 50.
  package var level: Int?
  /// The level's name for people, e.g. `ALBUM`.
  package var levelName: String?
  /// The tracks, editions, chapters and attachments that it is about; the whole file where all are empty.
  package var trackUIDs: [UInt64] = []
  package var editionUIDs: [UInt64] = []
  package var chapterUIDs: [UInt64] = []
  package var attachmentUIDs: [UInt64] = []
  package var entries: [Entry]
  /// The whole Tag element that it was read from, which is written in place of the values; `nil` writes the values.
  package var verbatim: [UInt8]?

  /// Tags of the whole file.
  package init(level: Int? = nil, _ entries: [Entry]) {
    self.level = level
    self.entries = entries
  }

  /// Whether it is about tracks and nothing else.
  package var isOfTracksAlone: Bool {
    !trackUIDs.isEmpty && (editionUIDs + chapterUIDs + attachmentUIDs).isEmpty
  }

  /// The tags of a whole Tags element; none for other bytes.
  package static func all(element bytes: [UInt8]) -> [MatroskaTag] {
    guard let element = EBMLElement(bytes[...]), element.known == .tags else { return [] }
    return element.children.all(.tag).map { MatroskaTag($0) }
  }

  /// A whole Tags element; no bytes without tags.
  package static func encoded(_ tags: [MatroskaTag]) -> [UInt8] {
    guard !tags.isEmpty else { return [] }
    var builder = EBMLBuilder()
    builder.master(.tags) { for tag in tags { tag.append(to: &$0) } }
    return builder.bytes
  }

  private init(_ element: EBMLElement) {
    let fields = element.children
    let targets = fields[.targets]?.children ?? []
    func numbers(_ id: EBMLID) -> [UInt64] {
      // 0 means all of that kind, as no element does.
      targets.all(id).compactMap(\.unsigned).filter { $0 > 0 }
    }
    level = targets[.targetTypeValue]?.integer.map { Int($0) }
    levelName = targets[.targetType]?.text
    trackUIDs = numbers(.tagTrackUID)
    editionUIDs = numbers(.tagEditionUID)
    chapterUIDs = numbers(.tagChapterUID)
    attachmentUIDs = numbers(.tagAttachmentUID)
    entries = fields.all(.simpleTag).map { Entry($0.children, level: 1) }
    verbatim = Array(element.bytes)
  }

  private func append(to builder: inout EBMLBuilder) {
    if let verbatim { return builder.append(verbatim) }
    builder.master(.tag) {
      $0.master(.targets) { targets in
        targets.unsigned(.targetTypeValue, ifAny: level)
        targets.text(.targetType, ifAny: levelName)
        for uid in trackUIDs { targets.unsigned(.tagTrackUID, uid) }
        for uid in editionUIDs { targets.unsigned(.tagEditionUID, uid) }
        for uid in chapterUIDs { targets.unsigned(.tagChapterUID, uid) }
        for uid in attachmentUIDs { targets.unsigned(.tagAttachmentUID, uid) }
      }
      for entry in entries { entry.append(to: &$0) }
    }
  }
}

extension MatroskaTag.Entry {
  fileprivate init(_ fields: [EBMLElement], level: Int) {
    name = fields[.tagName]?.text ?? ""
    value =
      fields[.tagString].map { .text($0.text) }
      ?? fields[.tagBinary].map { .binary(Array($0.body)) }
    language = fields[.tagLanguage]?.text ?? "und"
    languageBCP47 = fields[.tagLanguageBCP47]?.text
    isDefault = fields.isSet(.tagDefault, missing: true)
    guard level < MatroskaTag.deepest else { return }
    entries = fields.all(.simpleTag).map { MatroskaTag.Entry($0.children, level: level + 1) }
  }

  fileprivate func append(to builder: inout EBMLBuilder) {
    builder.master(.simpleTag) {
      $0.text(.tagName, name)
      $0.text(.tagLanguage, language)
      $0.text(.tagLanguageBCP47, ifAny: languageBCP47)
      if !isDefault { $0.unsigned(.tagDefault, 0) }
      switch value {
      case .text(let text)?: $0.text(.tagString, text)
      case .binary(let bytes)?: $0.binary(.tagBinary, bytes)
      case nil: break
      }
      for entry in entries { entry.append(to: &$0) }
    }
  }
}
