// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import PlayQueue

@Suite struct ListReaderTests {
  private static let names = ["a.wav", "b.flac", "c.wav", "c.flac", "d.wv", "d.ape"]
  private let folder = ListFolder(
    path: "/music", exists: { names.contains($0) }, list: { $0.isEmpty ? names : [] })

  private static let sheet = """
    REM DATE 1999\r\nPERFORMER "Björk"\r\nFILE "a.wav" WAVE\r\n track 01 audio
    FLAGS PRE\nTITLE "7" Mix"\nINDEX 00 00:00:00\nINDEX 01 00:00:32\nTRACK 02 AUDIO
    PREGAP 00:02:00\nINDEX 00 120:59:74\nFILE "b.wav" WAVE\nINDEX 01 00:00:00\n
    """
  private static let list =
    "\u{FEFF}#EXTM3U\n#EXTINF:9 x=\"1,2\",A - B\n#EXTVLCOPT:start-time=1.25\na.wav\nfile:///music/b%2Eflac\n"

  private func cue(_ text: String) throws(ListError) -> CueSheet {
    try CueSheet(Array(text.utf8), in: folder)
  }

  @Test("a cue sheet across two files gives its pieces with gaps appended, prepended or dropped")
  func sheetsAcrossFilesKeepEverySampleOnce() throws {
    let sheet = try cue(ListReaderTests.sheet)
    #expect(sheet.files == ["a.wav", "b.flac"])
    #expect(sheet.names.performer == "Björk" && sheet.tracks[0].names.title == "7\" Mix")
    #expect(sheet.notes.map(\.code) == [.preEmphasis, .replacedName, .hiddenTrack])
    func at(_ frames: Int64) -> MediaTime { MediaTime(ticks: frames, rate: 75) }
    let late = at((120 * 60 + 59) * 75 + 74)
    let gap: [CueItem.Piece] = [.silence(at(150)), .file(index: 0, start: late, end: nil)]
    let opening = CueItem.Piece.file(index: 0, start: at(0), end: at(32))
    let body = CueItem.Piece.file(index: 0, start: at(32), end: late)
    let last = CueItem.Piece.file(index: 1, start: at(0), end: nil)
    #expect(sheet.items().map(\.pieces) == [[opening], [body] + gap, [last]])
    #expect(sheet.items(gaps: .prepend).map(\.pieces) == [[opening, body], gap + [last]])
    #expect(sheet.items(gaps: .drop).map(\.pieces) == [[body], [last]])
  }

  @Test(
    "CD frames are whole samples at 44.1, 48, 88.2 and 96 kHz",
    arguments: [(44_100, 588), (48_000, 640), (88_200, 1176), (96_000, 1280)])
  func framesAreWholeSamples(rate: Int, samples: Int64) {
    for frames in stride(from: Int64(0), to: 450_000, by: 7) {
      let mark = CueSheet.Mark(file: 0, frames: frames)
      #expect(mark.time.samples(at: rate) == frames * samples)
    }
  }

  @Test("CD frames at 32 kHz lie within a third of a sample of their time")
  func framesAt32kHzAreRoundedOnceFromTheWholeTime() {
    for frames in Int64(0)..<3000 {
      let found = CueSheet.Mark(file: 0, frames: frames).time.samples(at: 32_000)
      #expect(abs(found * 3 - frames * 1280) <= 1)
    }
  }

  @Test(
    "a faulty cue sheet is refused with the number of the line",
    arguments: [
      ("FILE ../a.wav WAVE", 1), ("FILE \"C:\\a.wav\" WAVE", 1), ("FILE /a.wav WAVE", 1),
      ("FILE \"x/..\\..\u{0338}\\a.wav\" WAVE", 1), ("FILE c.mp3 WAVE", 1), ("FILE d.wav WAVE", 1),
      ("FILE a.wav BINARY", 1), ("FILE a.wav WAVE\nTRACK 01 MODE1/2352", 2),
      ("FILE a.wav WAVE\nTRACK 100 AUDIO", 2), ("FILE a.wav WAVE\nTRACK 01 AUDIO", 2),
      ("FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 00:60:00", 3),
      ("FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:75", 3),
      ("FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 0:0:9\nTRACK 02 AUDIO\nINDEX 01 0:0:9", 5),
      ("FILE b.flac WAVE\nFILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 0:0:0", 1),
    ])
  func faultySheetsAreRefusedByLine(text: String, line: Int) {
    let error = #expect(throws: ListError.self) { try cue(text) }
    #expect(error?.line == line)
  }

  @Test("an M3U list gives titles and starts, and no ends from its lengths")
  func listsGiveTitlesAndPartsAndNoLengths() throws {
    let list = try FileList(Array(ListReaderTests.list.utf8), name: "x.m3u8", in: folder)
    #expect(list.entries.map(\.path) == ["a.wav", "b.flac"])
    #expect(list.entries.map(\.title) == ["A - B", nil])
    #expect(list.entries[0].start == MediaTime(ticks: 125, rate: 100))
    #expect(list.entries[0].end == nil && list.entries[1].start == nil)
  }

  private static let oddNames = [
    "B side/01 - Åse.wav", "100%25.wav", "100%.wav", "a b.wav", "a%20b.wav", "c d.flac", "2.wav",
  ]

  /// VLC writes relative names with percent-encoding; XSPF demands it.
  @Test(
    "a percent-encoded name of a list means the file of that name, else the one of the decoded name",
    arguments: [
      ("B%20side/01%20-%20%C3%85se.wav", "B side/01 - Åse.wav"),
      ("B side/01 - Åse.wav", "B side/01 - Åse.wav"),
      ("b%20side%2F..", nil), ("100%25.wav", "100%25.wav"), ("100%.wav", "100%.wav"),
      ("a%20b.wav", "a%20b.wav"), ("a b.wav", "a b.wav"), ("%32%2e%77av", "2.wav"),
      ("file:%32.wav", "2.wav"),
      // A file of another kind takes the decoded name's place, too.
      ("c%20d.wav", "c d.flac"), ("/my%20music/2.wav", "2.wav"), ("/my music/2%2Ewav", "2.wav"),
      ("%2Fmy%20music/2.wav", "2.wav"), ("%2e%2e/2.wav", nil), ("2%00.wav", nil), ("%E5.wav", nil),
      ("2%2", nil),
    ])
  func percentEncodedNamesAreFound(name: String, path: String?) throws {
    let names = ListReaderTests.oddNames
    let folder = ListFolder(
      path: "/my music", exists: { names.contains($0) }, list: { $0.isEmpty ? names : [] })
    for (format, text) in [
      (QueueFormat.m3u, "#EXTM3U\n\(name)\n"), (.pls, "[playlist]\nFile1=\(name)\n"),
    ] {
      let found = try? format.read(Array(text.utf8), name: "x.m3u8", in: folder)
      #expect(found?.queue.files == path.map { [$0] }, "\(format)")
    }
  }

  /// The bytes of `text` in UTF-16.
  private static func wide(_ text: String, isBigEndian: Bool, hasMark: Bool) -> [UInt8] {
    ((hasMark ? [0xFEFF] : []) + Array(text.utf16)).flatMap { unit in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isBigEndian ? bytes : bytes.reversed()
    }
  }

  @Test(
    "a list in UTF-16 of either order is the list in UTF-8, with a note where it has no byte order mark",
    arguments: [
      (QueueFormat.m3u, "#EXTM3U\r\n#EXTINF:1,Åse 😀\r\nb%2Eflac\r\n"),
      (.cue, "FILE a.wav WAVE\r\nTRACK 01 AUDIO\r\nTITLE Åse\r\nINDEX 01 0:0:0\r\n"),
      (.pls, "[playlist]\r\nFile1=a.wav\r\nTitle1=Åse\r\n"),
      (
        .xspf,
        "<playlist><trackList><track><location>a.wav</location><title>Åse</title></track></trackList></playlist>"
      ),
    ])
  func listsInUTF16AreRead(format: QueueFormat, text: String) throws {
    let plain = try format.read(Array(text.utf8), name: "x", in: folder)
    for (isBigEndian, hasMark) in [(true, true), (false, true), (true, false), (false, false)] {
      let bytes = ListReaderTests.wide(text, isBigEndian: isBigEndian, hasMark: hasMark)
      #expect(QueueFormat.of(name: "x", bytes: bytes) == format)
      // The mark outweighs what is declared.
      let read = try format.read(
        bytes, name: "x", encoding: hasMark ? .windows1251 : nil, in: folder)
      #expect(read.queue == plain.queue)
      let isNoted = !hasMark && format != .xspf
      #expect(
        read.notes.map(\.code) == (isNoted ? [.encodingAssumed] : []) + plain.notes.map(\.code))
    }
  }

  @Test("a list in UTF-16 with half a character is refused, and one with tags of HLS is no list")
  func brokenUTF16IsRefused() {
    let whole = ListReaderTests.wide("#EXTM3U\na.wav\n", isBigEndian: false, hasMark: true)
    for bytes in [whole + [0x61], whole + [0x00, 0xD8]] {
      #expect(throws: ListError.self) { try FileList(bytes, name: "x.m3u", in: folder) }
    }
    let stream = ListReaderTests.wide(
      "#EXTM3U\n#EXT-X-VERSION:3\n", isBigEndian: false, hasMark: true)
    #expect(QueueFormat.of(name: "x.m3u8", bytes: stream) == nil)
  }

  @Test(
    "M3U lists that name other lists, URLs or files outside of their folder are refused",
    arguments: [
      "#EXT-X-VERSION:3\na.wav", "x.m3u", "https://x.org/a.wav", "file:///etc/passwd",
      "file:%2e%2e/a.wav", "file:a%00.wav",
      "#EXTVLCOPT:start-time=2\n#EXTVLCOPT:stop-time=2\na.wav",
      "", "file:///C:/a.wav", "\\\\server\\a.wav", "..%2Fa.wav",
    ])
  func listsThatLeadElsewhereAreRefused(text: String) {
    #expect(throws: ListError.self) {
      try FileList(Array(text.utf8), name: "x.m3u", in: folder)
    }
  }

  @Test(
    "a name outside of a list's folder is refused, even where the file exists",
    arguments: ["../a.wav", "x/..\\\u{0338}a.wav", "/a.wav", "c:a.wav", "file:%2e%2e/a.wav"])
  func namesOutsideAreRefusedEvenWhereTheyExist(name: String) {
    let open = ListFolder(path: "/music", exists: { _ in true }, list: { _ in [] })
    #expect(throws: ListError.self) { try open.inside(address: name, line: 1) }
  }

  @Test(
    "a name with a drive is refused as a path of Windows, also where slashes come before it",
    arguments: ["C:\\a.wav", "/C:/a.wav", "\\c:a.wav", "file:///C:/a.wav"])
  func drivesAreNamed(name: String) {
    let error = #expect(throws: ListError.self) { try folder.inside(address: name, line: 1) }
    #expect(error?.message.contains("is a path of Windows") == true)
  }

  @Test("an M3U that isn't UTF-8 is read as Windows-1252 with a note, and an M3U8 is refused")
  func invalidUTF8IsWindows1252WithANote() throws {
    let bytes = Array("#PLAYLIST:".utf8) + [0x80, 0xE9] + Array("\na.wav".utf8)
    let list = try FileList(bytes, name: "x.m3u", in: folder)
    #expect(list.title == "€é" && list.notes.map(\.code) == [.encodingAssumed])
    let cyrillic = try FileList(bytes, name: "x.m3u", encoding: .windows1251, in: folder)
    #expect(cyrillic.title == "Ђй")
    #expect(throws: ListError.self) { try FileList(bytes, name: "x.m3u8", in: folder) }
    #expect(throws: ListError.self) { try TextEncoding.named("EBCDIC") }
  }

  /// Pieces as `file:from-to` in frames, `end` for the file's end; tracks are separated by blanks.
  private func pieces(_ sheet: CueSheet) -> String {
    sheet.items().map { item in
      item.pieces.map { piece in
        guard case .file(let index, let start, let end) = piece else { return "silence" }
        return "\(sheet.files[index]):\(start.ticks)-\(end.map { "\($0.ticks)" } ?? "end")"
      }.joined(separator: "+")
    }.joined(separator: " ")
  }

  /// mpv compares the names in front of two tracks: where they are the same, the first track ends where the next begins.
  @Test(
    "a cue sheet that names its file again for each track takes every frame of it once",
    arguments: [
      (
        "FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 0:0:0\nFILE a.wav WAVE\nTRACK 02 AUDIO\nINDEX 01 0:4:0\n"
          + "FILE a.wav WAVE\nTRACK 03 AUDIO\nINDEX 01 0:7:37",
        "a.wav:0-300 a.wav:300-562 a.wav:562-end"
      ),
      // A gap in front of the second track, and FILE between its two places.
      (
        "FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 0:0:0\nTRACK 02 AUDIO\nINDEX 00 0:3:0\nFILE a.wav WAVE\n"
          + "INDEX 01 0:4:0", "a.wav:0-225+a.wav:225-300 a.wav:300-end"
      ),
      (
        "FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 0:0:0\nTRACK 02 AUDIO\nINDEX 00 0:4:0\nFILE a.wav WAVE\n"
          + "INDEX 01 0:4:0", "a.wav:0-300 a.wav:300-end"
      ),
      // FILE behind TRACK, a name in another form, and a line without a place of its own.
      (
        "FILE a.wav WAVE\nFILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 0:0:0\nTRACK 02 AUDIO\nFILE \".\\A.WAV\" MP3\n"
          + "INDEX 01 0:4:0", "a.wav:0-300 a.wav:300-end"
      ),
      // A track with places inside, and the next in another file.
      (
        "FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 0:0:0\nINDEX 02 0:2:0\nFILE a.wav WAVE\nTRACK 02 AUDIO\n"
          + "INDEX 01 0:4:0\nFILE b.flac WAVE\nTRACK 03 AUDIO\nINDEX 01 0:0:0\nFILE b.flac WAVE\nTRACK 04 AUDIO\n"
          + "INDEX 01 0:1:0", "a.wav:0-300 a.wav:300-end b.flac:0-75 b.flac:75-end"
      ),
      // From its beginning on, the file is played once more.
      (
        "FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 0:0:0\nFILE a.wav WAVE\nTRACK 02 AUDIO\nINDEX 01 0:0:0",
        "a.wav:0-end a.wav:0-end"
      ),
      (
        "FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 0:0:0\nFILE b.flac WAVE\nTRACK 02 AUDIO\nINDEX 01 0:0:0\n"
          + "FILE a.wav WAVE\nTRACK 03 AUDIO\nINDEX 01 0:0:0",
        "a.wav:0-end b.flac:0-end a.wav:0-end"
      ),
    ])
  func aFileThatIsNamedAgainIsOneFile(text: String, expected: String) throws {
    #expect(pieces(try cue(text)) == expected)
  }

  @Test(
    "a cue sheet that names a file again at a place that can't follow is refused with the line of the place",
    arguments: [
      ("", "0:4:0", "0:2:0", 6), ("", "0:4:0", "0:4:0", 6),
      ("FILE b.flac WAVE\nTRACK 02 AUDIO\nINDEX 01 0:0:0\n", "0:0:0", "0:4:0", 9),
    ])
  func placesThatCantFollowAreRefused(between: String, first: String, second: String, line: Int) {
    let error = #expect(throws: ListError.self) {
      try cue(
        "FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 \(first)\n\(between)FILE a.wav WAVE\nTRACK 03 AUDIO\n"
          + "INDEX 01 \(second)")
    }
    #expect(error?.line == line)
  }

  @Test("a cue sheet inside a file may name that file for each track, and no other one")
  func aSheetInsideMayNameItsFileAgain() throws {
    let sheet =
      "FILE \"x.wav\" WAVE\nTRACK 01 AUDIO\nINDEX 01 0:0:0\nFILE \"x.wav\" WAVE\nTRACK 02 AUDIO\nINDEX 01 0:4:0"
    #expect(
      pieces(try cue(try CueSheet.text(sheet, about: "a.wav"))) == "a.wav:0-300 a.wav:300-end")
    let error = #expect(throws: ListError.self) {
      try CueSheet.text(
        sheet.replacing("FILE \"x.wav\" WAVE\nTRACK 02", with: "FILE y.wav WAVE\nTRACK 02"),
        about: "a")
    }
    #expect(error?.message.contains("2 files") == true)
  }

  @Test("damaged cue sheets and M3U lists name no file outside their folder")
  func damagedListsStayInTheirFolder() {
    var noise = SeededNoise(seed: 75)
    for round in 0..<Soak.rounds(4000, soak: 500_000) {
      var bytes = Array((round % 2 == 0 ? ListReaderTests.sheet : ListReaderTests.list).utf8)
      for _ in 0..<Int.random(in: 1...6, using: &noise) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &noise)
        switch Int.random(in: 0..<4, using: &noise) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &noise)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &noise)], at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + 9))
        }
      }
      if let sheet = try? CueSheet(bytes, in: folder) {
        #expect(sheet.files.allSatisfy(ListReaderTests.names.contains))
        #expect(CueGaps.allCases.allSatisfy { sheet.items(gaps: $0).count <= 100 })
      }
      if let list = try? FileList(bytes, name: "x.m3u", in: folder) {
        #expect(list.entries.allSatisfy { ListReaderTests.names.contains($0.path) })
      }
    }
  }
}
