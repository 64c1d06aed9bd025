// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Markup
import Platform

/// A playlist in XSPF, version 1.
///
/// `duration` is rounded or wrong, so it is never a length. Names are addresses with percent-encoding,
/// relative to the playlist.
package struct XSPFPlaylist: Sendable, Equatable {
  /// One `track`.
  package struct Track: Sendable, Equatable {
    /// The path below the playlist's folder: the first `location` that is there.
    package internal(set) var path = ""
    /// `title`.
    package internal(set) var title: String?
    /// Further values, by the names of ``QueueTag``.
    package internal(set) var tags: [String: String] = [:]
    /// The line of `<track>`.
    package let line: Int
  }

  /// Tags of the playlist, by the names of ``QueueTag``.
  package internal(set) var tags: [String: String] = [:]
  /// The tracks in their order; at least one.
  package internal(set) var tracks: [Track] = []
  /// Notes on what was assumed, replaced or left out.
  package internal(set) var notes: [ListNote] = []

  /// Reads a playlist.
  /// - Parameter encoding: The declared encoding; `nil` for UTF-8.
  /// - Throws: ``ListError`` with the line for what isn't well-formed XML or has a document type, other
  ///   root elements, tracks without a file, and names that aren't in the folder.
  package init(
    _ bytes: [UInt8], encoding: TextEncoding? = nil, in folder: ListFolder
  ) throws(ListError) {
    var reader = try XSPFReader(bytes, encoding: encoding, folder: folder)
    self = try reader.playlist()
  }

  init() {}
}

extension ReadQueue {
  /// The queue of a playlist: one item for each track.
  package init(_ list: XSPFPlaylist) {
    let items = list.tracks.map { track in
      var item = QueueItem(.file(path: track.path, track: nil, range: QueueRange()))
      item.title = track.title
      item.tags = track.tags
      return item
    }
    var queue = PlayQueue(items)
    queue.tags = list.tags
    self.init(
      queue, lines: list.tracks.map(\.line), notes: list.notes,
      title: list.tags[QueueTag.title.rawValue])
  }
}

/// Reads a playlist in XSPF element by element.
private struct XSPFReader {
  private static let playlistTags: [String: QueueTag] = [
    "title": .title, "creator": .artist, "annotation": .comment, "date": .date,
  ]
  private static let trackTags: [String: QueueTag] = [
    "creator": .artist, "album": .album, "annotation": .comment, "trackNum": .track,
  ]
  /// Elements of the standard that say nothing about sound or names.
  private static let silent: Set<String> = [
    "attribution", "duration", "extension", "identifier", "image", "info", "license", "link",
    "location", "meta",
  ]

  private let xml: XMLReader
  private let search: NameSearch
  private var list = XSPFPlaylist()

  init(_ bytes: [UInt8], encoding: TextEncoding?, folder: ListFolder) throws(ListError) {
    guard bytes.count <= ListLimits.documentBytes else {
      throw ListError(
        .inputUnreadable,
        "the list has \(bytes.count) bytes, and at most \(ListLimits.documentBytes) are read; "
          + "split it")
    }
    let wide = WideText(bytes)
    var text = wide?.utf8 ?? Array(bytes.withoutByteOrderMark)
    // The mark outweighs the declaration, and an XML document in UTF-16 has one (XML 1.0, 4.3.3).
    if wide == nil, let encoding, encoding != .utf8, text.count == bytes.count {
      text = encoding.text(bytes[...]).map { Array($0.utf8) } ?? bytes
    }
    guard wide?.isValid ?? true, String(validating: text, as: UTF8.self) != nil else {
      throw ListError(
        .inputUnreadable,
        "the list is neither valid UTF-8 nor UTF-16; state its text encoding, or convert it")
    }
    search = NameSearch(folder: folder)
    do {
      xml = try XMLReader(text)
    } catch { throw ListError(error) }
  }

  mutating func playlist() throws(ListError) -> XSPFPlaylist {
    guard let root = try nextChild(), root == "playlist" else {
      throw refusal("the document is no playlist; its first element has to be playlist")
    }
    try checkBase()
    while let name = try nextChild() {
      if name == "trackList" {
        while let child = try nextChild() { try readTrack(child) }
      } else if let tag = XSPFReader.playlistTags[name] {
        let text = try text()
        if !text.isEmpty { list.tags[tag.rawValue] = text }
      } else {
        try skip(name)
      }
    }
    // Reads on, so that text behind the root is refused.
    _ = try next()
    guard !list.tracks.isEmpty else {
      throw ListError(.inputUnreadable, "the playlist has no track; add one with a location")
    }
    return list
  }

  private mutating func readTrack(_ name: String) throws(ListError) {
    guard name == "track" else { return try skip(name) }
    try checkBase()
    guard list.tracks.count < ListLimits.entries else {
      throw refusal("the playlist has more than \(ListLimits.entries) tracks; split it")
    }
    var track = XSPFPlaylist.Track(line: xml.place.line)
    var locations: [(address: String, line: Int)] = []
    while let name = try nextChild() {
      if name == "location" {
        let line = xml.place.line
        let address = try text()
        // A track in the wild has one or two; a hostile one would be searched for again and again.
        if locations.count < 8 { locations.append((address, line)) }
      } else if name == "title" {
        let text = try text()
        if !text.isEmpty { track.title = text }
      } else if let tag = XSPFReader.trackTags[name] {
        let text = try text()
        if !text.isEmpty { track.tags[tag.rawValue] = text }
      } else {
        try skip(name)
      }
    }
    track.path = try path(locations, line: track.line)
    list.tracks.append(track)
  }

  /// The first location that is there; the refusal is that of the first one.
  private mutating func path(
    _ locations: [(address: String, line: Int)], line: Int
  ) throws(ListError) -> String {
    var refusal = ListError(
      .inputUnreadable, line: line, "the track has no location; write one with the file's name")
    for (index, location) in locations.enumerated() {
      do throws(ListError) {
        let found = try search.find(
          address: location.address, isEncoded: true, line: location.line)
        if let note = found.note { list.notes.keep(note) }
        return found.path
      } catch { if index == 0 { refusal = error } }
    }
    throw refusal
  }

  /// An address that all locations would be relative to leads elsewhere.
  private func checkBase() throws(ListError) {
    guard let base = xml.attribute("base"), !xml.string(base).isEmpty else { return }
    throw ListError(
      .unsupportedFeature, line: xml.place.line,
      "xml:base isn't supported; remove it, and write names relative to the playlist")
  }

  // MARK: Elements

  private func refusal(_ message: String) -> ListError {
    ListError(.inputUnreadable, line: xml.place.line, message)
  }

  private func next() throws(ListError) -> XMLReader.Token {
    do {
      return try xml.next()
    } catch { throw ListError(error) }
  }

  /// The name of the next element inside the one that is open; `nil` at its end, which is passed.
  private func nextChild() throws(ListError) -> String? {
    while true {
      switch try next() {
      case .start: return xml.string(xml.name)
      case .end, .finish: return nil
      case .text: continue
      }
    }
  }

  private mutating func skip(_ name: String) throws(ListError) {
    if !XSPFReader.silent.contains(name) {
      list.notes.keep(
        ListNote(
          .unknownLine, line: xml.place.line,
          "the element \(ListWord.quoted(name)) isn't known here and has no effect"))
    }
    do {
      try xml.skipElement()
    } catch { throw ListError(error) }
  }

  /// The text of the open element, without blanks at either end.
  private mutating func text() throws(ListError) -> String {
    var text = ""
    while true {
      switch try next() {
      case .text: text += xml.string(xml.text)
      case .start: try skip(xml.string(xml.name))
      case .end, .finish:
        let isBlank: (Unicode.Scalar) -> Bool = { $0 == " " || ("\t"..."\r").contains($0) }
        let front = text.unicodeScalars.drop(while: isBlank)
        return String(String.UnicodeScalarView(front.reversed().drop(while: isBlank).reversed()))
      }
    }
  }
}

extension ListError {
  /// The refusal of a document's XML.
  init(_ error: MarkupError) {
    self.init(
      error.code == .documentType ? .unsupportedFeature : .inputUnreadable,
      line: error.place?.line, error.message)
  }
}
