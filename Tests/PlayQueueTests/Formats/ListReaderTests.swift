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
