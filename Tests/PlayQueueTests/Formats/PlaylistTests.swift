// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import PlayQueue

/// Playlists in XSPF and PLS.
@Suite struct PlaylistTests {
  private static let names = ["a.wav", "b c.flac", "100%25.wav", "d.wav"]
  private let folder = ListFolder(
    path: "/music", exists: { names.contains($0) }, list: { $0.isEmpty ? names : [] })

  private func xspf(_ tracks: String, head: String = "") throws(ListError) -> ReadQueue {
    let front = "<?xml version='1.0'?>\n<playlist version='1' xmlns='http://xspf.org/ns/0/'>"
    let text = "\(front)\(head)<trackList>\n\(tracks)</trackList></playlist>"
    return try QueueFormat.xspf.read(Array(text.utf8), name: "x.xspf", in: folder)
  }

  private func paths(_ read: ReadQueue) -> [String] {
    read.queue.items.map { item in
      if case .file(let path, nil, QueueRange()) = item.source { return path }
      return "?"
    }
  }

  @Test("XSPF tracks give paths, titles and tags, and notes on unknown and replaced entries")
  func tracksGiveTitlesAndTags() throws {
    let read = try xspf(
      """
      <track><location>file:///music/a.wav</location><title> A &amp; <![CDATA[B]]>
      </title><creator>C</creator><album>D</album><trackNum>3</trackNum><duration>9</duration></track>
      <track><location>http://x.org/a.wav</location><location>b%20c.flac</location><odd/></track>
      <track><location>b c.flac</location><location>a.wav</location><annotation/></track>
      <track><location>100%25.wav</location></track><track><location>d.flac</location></track>\n
      """, head: "<title>T</title><creator>W</creator><extension><x:y xmlns:x='u'/></extension>")
    #expect(paths(read) == ["a.wav", "b c.flac", "b c.flac", "100%25.wav", "d.wav"])
    #expect(read.queue.items[0].title == "A & B" && read.queue.items[1].title == nil)
    #expect(read.queue.items[0].tags == ["artist": "C", "album": "D", "track": "3"])
    #expect(read.queue.tags == ["title": "T", "artist": "W"] && read.title == "T")
    #expect(read.notes.map(\.code) == [.unknownLine, .replacedName])
    #expect(read.lines == [3, 5, 6, 7, 7])
  }

  @Test(
    "a faulty XSPF track is refused with the number of the line",
    arguments: [
      ("<track/>", 3), ("<track>\n<location>../a.wav</location></track>", 4),
      ("<track><location>http://x.org/a.wav</location></track>", 3),
      ("<track><location>%2e%2e/a.wav</location></track>", 3),
      ("<track><location>x.pls</location></track>", 3),
      ("<track xml:base='/other'><location>a.wav</location></track>", 3), ("<track>", 3),
      ("\n<track><location>&e;</location></track>", 4), ("", nil),
    ])
  func faultyTracksAreRefusedByLine(tracks: String, line: Int?) {
    let error = #expect(throws: ListError.self) { try xspf(tracks) }
    #expect(error?.line == line, "\(error?.description ?? "")")
  }

  @Test("XML that is no playlist, has a document type or isn't UTF-8 is refused as XSPF")
  func otherDocumentsAreRefused() {
    let texts = [
      "<!DOCTYPE playlist [<!ENTITY e 'x'>]><playlist/>", "<html/>", "", "<playlist/>",
      "<playlist><trackList><track><location>a.wav</location></track></trackList></playlist>x",
    ]
    for text in texts {
      #expect(throws: ListError.self, "\(text)") {
        try QueueFormat.xspf.read(Array(text.utf8), name: "x", in: folder)
      }
    }
    let invalid = Array("<playlist><title>".utf8) + [0xE9]
    #expect(throws: ListError.self) { try QueueFormat.xspf.read(invalid, name: "x", in: folder) }
  }

  @Test("an XSPF list in Windows-1251 is read when that encoding is given")
  func aDeclaredEncodingHoldsForXMLToo() throws {
    let front = "<playlist><trackList><track><location>a.wav</location><title>"
    let bytes = Array(front.utf8) + [0xE9] + Array("</title></track></trackList></playlist>".utf8)
    let read = try QueueFormat.xspf.read(
      bytes, name: "x", encoding: .windows1251, in: folder)
    #expect(read.queue.items[0].title == "й")
  }

  @Test("a byte order mark outweighs the encoding that is given for an XSPF list")
  func aByteOrderMarkOutweighsTheDeclaration() throws {
    let text =
      "\u{FEFF}<playlist><trackList><track><location>a.wav</location><title>й</title></track></trackList></playlist>"
    let read = try QueueFormat.xspf.read(
      Array(text.utf8), name: "x", encoding: .windows1251, in: folder)
    #expect(read.queue.items[0].title == "й")
  }

  @Test("a PLS list is ordered by its numbers, and faulty ones are refused")
  func listsInPLSAreOrderedByTheirNumbers() throws {
    let text = """
      [PlayList]\r\nfile2=b c.flac\r\nTITLE2 = Two\r\nNumberOfEntries=2\r\n; note\r\nFile1=a.wav
      Length1=-1\r\nTitle7=none\r\nVersion=2\r\nOdd=1\r\n
      """
    let read = try QueueFormat.pls.read(Array(text.utf8), name: "x.pls", in: folder)
    #expect(paths(read) == ["a.wav", "b c.flac"] && read.lines == [6, 2])
    #expect(read.queue.items.map(\.title) == [nil, "Two"])
    #expect(read.notes.map(\.code) == [.unknownLine, .ignored])
    let faulty = [
      "File1=a.wav", "[playlist]", "[playlist]\nFile1=a.wav\nFile1=d.wav",
      "[playlist]\nFile1=http://x.org/a.mp3", "[playlist]\nFile1=../a.wav",
      "[playlist]\nFile1=a.wav\nTitle1=x\nTitle1=y", "[playlist]\nFile1=x.m3u",
    ]
    for text in faulty {
      #expect(throws: ListError.self, "\(text)") {
        try QueueFormat.pls.read(Array(text.utf8), name: "x.pls", in: folder)
      }
    }
  }

  /// A scheme is a letter and then letters, digits, +, - and . (RFC 3986, 3.1); other text before a
  /// colon belongs to a name.
  @Test("a name with a colon is an address only if a scheme stands before it")
  func onlyASchemeMakesAnAddress() throws {
    for address in ["file:a.wav", "git+ssh://x.org/a.wav", "x-y.z2:a.wav"] {
      #expect(ListFolder.hasScheme(address), "\(address)")
    }
    for name in ["Live 1999: a.wav", "caf\u{E9}:a.wav", "a_b:c.wav", "a(1):c.wav", "2x:a.wav"] {
      #expect(!ListFolder.hasScheme(name), "\(name)")
      #expect(try folder.inside(address: name, line: nil) == name)
    }
  }
}
