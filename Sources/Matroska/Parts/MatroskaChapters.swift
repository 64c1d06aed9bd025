// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A part of a file: made anew, or whole elements of another file as they are.
package enum MatroskaContent<Made> {
  case made(Made)
  case verbatim([UInt8])
}

extension MatroskaContent: Sendable where Made: Sendable {}

/// The chapters of a file (RFC 9559, 5.1.7 and 20).
package struct MatroskaChapters: Sendable, Equatable {
  /// One of several ways to divide, or to play, a file.
  package struct Edition: Sendable, Equatable {
    package var uid: UInt64?
    package var isHidden = false
    /// Whether players take it.
    package var isDefault = false
    /// Whether the chapters are played in their own order, which may leave out parts of the file (RFC 9559, 20.1).
    package var isOrdered = false
    package var chapters: [Chapter]

    /// An edition of these chapters.
    package init(_ chapters: [Chapter]) { self.chapters = chapters }
  }

  /// A chapter, with those inside it.
  package struct Chapter: Sendable, Equatable {
    /// A title in one or more languages.
    package struct Title: Sendable, Equatable {
      package var text: String
      /// Codes of ISO 639-2/B.
      package var languages: [String]
      /// Tags of BCP 47, which count in place of the codes.
      package var languagesBCP47: [String]

      /// A title in one language.
      package init(_ text: String, language: String = "und", bcp47: String? = nil) {
        self.text = text
        languages = [language]
        languagesBCP47 = bcp47.map { [$0] } ?? []
      }
    }

    /// The number that tags refer to, from 1.
    package var uid: UInt64
    package var stringUID: String?
    package var start: MediaTime
    /// `nil` where it lasts until the next one begins.
    package var end: MediaTime?
    package var isHidden = false
    package var isEnabled = true
    /// Identifier of another segment that it lies in (RFC 9559, 17); `nil` for this one.
    package var segmentUUID: [UInt8]?
    package var titles: [Title] = []
    package var chapters: [Chapter] = []

    /// A chapter that begins at `start`.
    package init(uid: UInt64, start: MediaTime, end: MediaTime? = nil, titles: [Title] = []) {
      self.uid = uid
      self.start = start
      self.end = end
      self.titles = titles
    }
  }

  /// Levels of chapters that are read; discs have two or three.
  static let deepest = 16

  package var editions: [Edition]

  /// Whether an edition that players may take has an order of its own.
  package var hasOrderedEdition: Bool { editions.contains(where: \.isOrdered) }

  /// The chapters of these editions.
  package init(_ editions: [Edition]) { self.editions = editions }

  /// The chapters of a whole Chapters element; `nil` for other bytes. Levels beyond the sixteenth are left out.
  package init?(element bytes: [UInt8]) {
    guard let element = EBMLElement(bytes[...]), element.known == .chapters else { return nil }
    editions = element.children.all(.editionEntry).map { Edition($0.children) }
  }

  /// The element; no bytes without editions.
  package var encoded: [UInt8] {
    guard !editions.isEmpty else { return [] }
    var builder = EBMLBuilder()
    builder.master(.chapters) { for edition in editions { edition.append(to: &$0) } }
    return builder.bytes
  }
}

extension MatroskaChapters.Edition {
  fileprivate init(_ fields: [EBMLElement]) {
    uid = fields[.editionUID]?.unsigned
    isHidden = fields.isSet(.editionFlagHidden)
    isDefault = fields.isSet(.editionFlagDefault)
    isOrdered = fields.isSet(.editionFlagOrdered)
    chapters = fields.all(.chapterAtom).map { MatroskaChapters.Chapter($0.children, level: 1) }
  }

  fileprivate func append(to builder: inout EBMLBuilder) {
    builder.master(.editionEntry) {
      $0.unsigned(.editionUID, ifAny: uid)
      if isHidden { $0.unsigned(.editionFlagHidden, 1) }
      if isDefault { $0.unsigned(.editionFlagDefault, 1) }
      if isOrdered { $0.unsigned(.editionFlagOrdered, 1) }
      for chapter in chapters { chapter.append(to: &$0) }
    }
  }
}

extension MatroskaChapters.Chapter {
  fileprivate init(_ fields: [EBMLElement], level: Int) {
    func time(_ id: EBMLID) -> MediaTime? { fields[id]?.integer.map { .nanoseconds($0) } }
    uid = fields[.chapterUID]?.unsigned ?? 0
    stringUID = fields[.chapterStringUID]?.text
    start = time(.chapterTimeStart) ?? .nanoseconds(0)
    end = time(.chapterTimeEnd)
    isHidden = fields.isSet(.chapterFlagHidden)
    isEnabled = fields.isSet(.chapterFlagEnabled, missing: true)
    segmentUUID = fields[.chapterSegmentUUID].map { Array($0.body) }
    titles = fields.all(.chapterDisplay).map { Title($0.children) }
    guard level < MatroskaChapters.deepest else { return }
    chapters = fields.all(.chapterAtom).map {
      MatroskaChapters.Chapter($0.children, level: level + 1)
    }
  }

  fileprivate func append(to builder: inout EBMLBuilder) {
    builder.master(.chapterAtom) {
      $0.unsigned(.chapterUID, uid)
      $0.text(.chapterStringUID, ifAny: stringUID)
      $0.unsigned(.chapterTimeStart, start.nanoseconds)
      $0.unsigned(.chapterTimeEnd, ifAny: end?.nanoseconds)
      if isHidden { $0.unsigned(.chapterFlagHidden, 1) }
      if !isEnabled { $0.unsigned(.chapterFlagEnabled, 0) }
      if let segmentUUID { $0.binary(.chapterSegmentUUID, segmentUUID) }
      for title in titles { title.append(to: &$0) }
      for chapter in chapters { chapter.append(to: &$0) }
    }
  }
}

extension MatroskaChapters.Chapter.Title {
  fileprivate init(_ fields: [EBMLElement]) {
    text = fields[.chapString]?.text ?? ""
    languages = fields.all(.chapLanguage).map(\.text)
    // English is what a title without the element means (RFC 9559, 5.1.7.1.4.11).
    if languages.isEmpty { languages = ["eng"] }
    languagesBCP47 = fields.all(.chapLanguageBCP47).map(\.text)
  }

  fileprivate func append(to builder: inout EBMLBuilder) {
    builder.master(.chapterDisplay) {
      $0.text(.chapString, text)
      for language in languages { $0.text(.chapLanguage, language) }
      for language in languagesBCP47 { $0.text(.chapLanguageBCP47, language) }
    }
  }
}
