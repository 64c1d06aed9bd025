// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import PlayQueue

/// Line ends, letter case, limits, and bytes that mean nothing.
@Suite struct ReaderLimitTests {
  private static let names = ["a.wav", "b.flac"]
  private let folder = ListFolder(
    path: "/music", exists: { names.contains($0) }, list: { $0.isEmpty ? names : [] })

  private static let texts: [QueueFormat: String] = [
    .cue: """
    REM DATE 1999\nTITLE "T"\nFILE "a.wav" WAVE\nTRACK 01 AUDIO\nTITLE "One"\nINDEX 01 00:00:00
    TRACK 02 AUDIO\nPREGAP 00:01:00\nINDEX 00 01:00:00\nINDEX 01 01:02:00\nFILE b.flac WAVE
    TRACK 03 AUDIO\nFLAGS DCP\nINDEX 01 00:00:00\n
    """,
    .m3u: "#EXTM3U\n#PLAYLIST:P\n#EXTINF:1,A\n#EXTVLCOPT:start-time=1.5\na.wav\nfile:b%2Eflac\n",
    .xspf: """
    <?xml version="1.0"?><playlist version="1"><title>P</title><trackList>
    <track><location>a.wav</location><title>A &amp; &#66;</title></track>
    <track><location>file:b.flac</location><extension><x/></extension></track>
    </trackList></playlist>
    """,
    .pls: "[playlist]\nFile1=a.wav\nTitle1=A\nFile2=b.flac\nLength1=3\nVersion=2\n",
    .otio: """
    {"OTIO_SCHEMA": "Timeline.1", "name": "P", "tracks": {"OTIO_SCHEMA": "Stack.1", "children": [
    {"OTIO_SCHEMA": "Track.1", "kind": "Audio", "children": [{"OTIO_SCHEMA": "Clip.1", "name": "A",
    "source_range": {"OTIO_SCHEMA": "TimeRange.1", "start_time": {"OTIO_SCHEMA": "RationalTime.1",
    "value": 10.0, "rate": 25.0}, "duration": {"OTIO_SCHEMA": "RationalTime.1", "value": 50.0,
    "rate": 23.976}}, "media_reference": {"OTIO_SCHEMA": "ExternalReference.1",
    "target_url": "a.wav"}}, {"OTIO_SCHEMA": "Transition.1", "transition_type": "SMPTE_Dissolve",
    "in_offset": {"OTIO_SCHEMA": "RationalTime.1", "value": 5, "rate": 25}, "out_offset":
    {"OTIO_SCHEMA": "RationalTime.1", "value": 0, "rate": 25}}, {"OTIO_SCHEMA": "Gap.1",
    "source_range": {"OTIO_SCHEMA": "TimeRange.1", "start_time": {"OTIO_SCHEMA": "RationalTime.1",
    "value": 0, "rate": 1}, "duration": {"OTIO_SCHEMA": "RationalTime.1", "value": 2,
    "rate": 1}}}]}]}}
    """,
  ]

  private func read(_ bytes: [UInt8], _ format: QueueFormat) throws(ListError) -> ReadQueue {
    try format.read(bytes, name: "x", in: folder)
  }

  @Test("the text of each list format is read") func theTextsAreRead() throws {
    for (format, text) in ReaderLimitTests.texts {
      #expect(try read(Array(text.utf8), format).queue.items.count >= 2, "\(format)")
    }
  }

  @Test(
    "a damaged list of each format names no file outside its folder", .tags(.slow), .fullRunOnly,
    arguments: QueueFormat.allCases.filter { $0 != .queue })
  func nothingTrapsAndNothingLeavesTheFolder(format: QueueFormat) throws {
    let seed = Array(try #require(ReaderLimitTests.texts[format]).utf8)
    var noise = SeededNoise(seed: UInt64(seed.count))
    var accepted = 0
    let rounds = Soak.rounds(20_000, soak: 100_000)
    for round in 0..<rounds {
      var bytes = seed
      if round % 10 == 0 {
        bytes = (0..<Int.random(in: 0...99, using: &noise)).map { _ in
          UInt8.random(in: 0...255, using: &noise)
        }
      }
      for _ in 0..<Int.random(in: 1...5, using: &noise) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &noise)
        let other = Int.random(in: 0..<bytes.count, using: &noise)
        switch Int.random(in: 0..<5, using: &noise) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &noise)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &noise)
        case 2: bytes.insert(contentsOf: bytes[other..<min(bytes.count, other + 20)], at: place)
        case 3: bytes.removeSubrange(place..<min(bytes.count, place + 9))
        default: bytes.swapAt(place, other)
        }
      }
      guard let read = try? read(bytes, format) else { continue }
      accepted += 1
      #expect(read.lines.count == read.queue.items.count)
      for item in read.queue.items {
        guard case .file(let path, _, _) = item.source else { continue }
        #expect(ReaderLimitTests.names.contains(path))
      }
      // A queue that is read can be checked and written without a trap, too.
      for other in QueueFormat.allCases { _ = try? QueueWriter.text(of: read.queue, as: other) }
    }
    #expect(accepted > rounds / 200)
  }

  @Test(
    "line ends and letter case of cue sheets, M3U and PLS don't change the queue",
    arguments: [QueueFormat.cue, .m3u, .pls])
  func lineEndsAndLetterCaseDontMatter(
    format: QueueFormat
  ) throws {
    let text = try #require(ReaderLimitTests.texts[format])
    let plain = try read(Array(text.utf8), format)
    for end in ["\r", "\r\n", "\n\n", "\r\r\n"] {
      let other = text.split(separator: "\n").joined(separator: end)
      #expect(try read(Array(other.utf8), format).queue == plain.queue)
    }
    // Names and titles are small already, or compared without case.
    let lower = try read(Array(text.lowercased().utf8), format).queue
    #expect(lower.items.map(\.source) == plain.queue.items.map(\.source))
    #expect(
      lower.items.map { $0.title } == plain.queue.items.map { $0.title?.lowercased() })
  }

  @Test(
    "lists beyond the limits of entries, lines or bytes are refused, and notes are limited",
    .tags(.slow), .fullRunOnly)
  func linesNumbersAndEntriesAreLimited() throws {
    let many = Array(repeating: "a.wav\n", count: ListLimits.entries).joined()
    #expect(try read(Array(many.utf8), .m3u).queue.items.count == ListLimits.entries)
    let error = #expect(throws: ListError.self) {
      try read(Array((many + "a.wav").utf8), .m3u)
    }
    #expect(error?.line == ListLimits.entries + 1)
    let long = "#" + String(repeating: "x", count: ListLimits.lineBytes - 1)
    #expect(try read(Array("\(long)\na.wav".utf8), .m3u).queue.items.count == 1)
    let tooLong = #expect(throws: ListError.self) { try read(Array("a.wav\n\(long)x".utf8), .m3u) }
    #expect(tooLong?.line == 2)
    for format in [QueueFormat.pls, .xspf, .otio, .cue] {
      let huge = Array(repeating: UInt8(ascii: " "), count: ListLimits.documentBytes + 1)
      #expect(throws: ListError.self) { try read(huge, format) }
    }
    let tracks = (1...100_001).map { "File\($0)=a.wav" }.joined(separator: "\n")
    #expect(throws: ListError.self) { try read(Array("[playlist]\n\(tracks)".utf8), .pls) }
    let elements = String(
      repeating: "<track><location>a.wav</location></track>", count: ListLimits.entries + 1)
    let xspf = "<playlist><trackList>\(elements)</trackList></playlist>"
    #expect(throws: ListError.self) { try read(Array(xspf.utf8), .xspf) }
    let unknown = String(repeating: "<a/>", count: ListLimits.notes + 9)
    let noted =
      "<playlist>\(unknown)<trackList><track><location>a.wav</location></track></trackList>"
    let notes = try read(Array("\(noted)</playlist>".utf8), .xspf).notes
    #expect(notes.count == ListLimits.notes + 1 && notes.last?.code == .ignored)
    let values = "[" + String(repeating: "0,", count: 2_000_000) + "0]"
    #expect(throws: ListError.self) { try JSONReader.tree(of: Array(values.utf8)) }
  }
}
