// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import PlayQueue
import Rendering
import Report
import TestSupport
import Testing

/// Queue files and lists as inputs, and what is refused of them.
@Suite(.tags(.system)) struct QueueFileInputTests {
  @Test func queueFileIsAnInput() async throws {
    let test = try QueueCase()
    let planes = QueueCase.noise(1, 9600)
    try test.write("a.wav", planes)
    let list = try test.write(
      "q.yaml",
      """
      schema: pinna.queue/1
      items:
        - file: a.wav
          end: 0.1s
          title: One
        - silence: 0.05s
        - file: ./a.wav
          start: {samples: 4800, rate: 48000}
          gain: -6 dB
      """)
    let (out, report) = try await test.render(.file(list))
    let quiet = planes[0][4800...].map { Float(pow(10, -0.3)) * $0 }
    #expect(out[0] == Array(planes[0][..<4800]) + [Float](repeating: 0, count: 2400) + quiet)
    let queue = try #require(report.queue)
    #expect(queue.items.map(\.start) == [0, 4800, 7200])
    #expect(queue.items.map(\.line) == [3, 6, 7])
    #expect(queue.items[0].title == "One" && report.inputs.count == 1)
  }

  @Test func cueSheetIsAnInput() async throws {
    let test = try QueueCase()
    let planes = QueueCase.noise(2, 44_100 * 3)
    try test.write("album.wav", planes, rate: 44_100)
    let list = try test.write(
      "album.cue",
      "FILE \"album.flac\" WAVE\r\n  TRACK 01 AUDIO\r\n    TITLE \"A\"\r\n    INDEX 01 00:00:00\r\n"
        + "  TRACK 02 AUDIO\r\n    INDEX 00 00:00:70\r\n    INDEX 01 00:01:37\r\n")
    let (out, report) = try await test.render(.file(list))
    #expect(out == planes)
    let queue = try #require(report.queue)
    let starts: [Int64] = [0, 41_160, 65_856]
    #expect(queue.items.map(\.start) == starts)
    #expect(report.decisions.contains { $0.code == .queue && $0.why.contains("album.wav") })
  }

  /// A sheet in a tag names the file that it was ripped from; the file that it is in counts.
  @Test func cueSheetInATagIsAnInput() async throws {
    let test = try QueueCase()
    let planes = QueueCase.noise(2, 44_100 * 3)
    let wav = try test.write("a.wav", planes, rate: 44_100)
    let sheet =
      "TITLE \"Disc\"\nFILE \"C:\\rips\\image.wav\" WAVE\n  TRACK 01 AUDIO\n    TITLE \"A\"\n"
      + "    INDEX 01 00:00:00\n  TRACK 02 AUDIO\n    INDEX 01 00:01:37\n"
    try FixtureStore.ffmpeg([
      "-i", wav, "-c:a", "flac", "-metadata", "CUESHEET=" + sheet, test.folder.file("image.flac"),
    ])
    let alone = try await test.render(.file(test.folder.file("image.flac")), to: "alone.wav").planes
    let (out, report) = try await test.render(.file("cue:" + test.folder.file("image.flac")))
    #expect(out == alone)
    let items = try #require(report.queue).items
    #expect(items.map(\.start) == [0, 65_856])
    #expect(items.map(\.title) == ["A", nil])
    #expect(
      items.map { $0.source?.path } == [String](repeating: test.folder.file("image.flac"), count: 2)
    )
  }

  /// The chapters of a FLAC file that Pinna writes are a sheet in samples.
  @Test func cueSheetOfAFLACFileIsAnInput() async throws {
    let test = try QueueCase()
    let path = try test.write("a.wav", QueueCase.noise(2, 30_000))
    let queue = PlayQueue([QueueCase.item(path, 0..<12_345), QueueCase.item(path, 12_345..<30_000)])
    var job = test.job(.queue(queue), to: "disc.flac")
    job.form = .flac
    job.encoding = .pcm24
    _ = try await RenderPipeline().render(job)
    let alone = try await test.render(.file(test.folder.file("disc.flac")), to: "alone.wav").planes
    let (out, report) = try await test.render(.file("cue:" + test.folder.file("disc.flac")))
    #expect(out == alone)
    #expect(report.queue?.items.map(\.start) == [0, 12_345])
  }

  @Test(arguments: ["none", "two"]) func sheetsThatAreNotInsideAreRefused(kind: String) async throws
  {
    let test = try QueueCase()
    let wav = try test.write("a.wav", QueueCase.noise(1, 4800))
    let two = "FILE \"a\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nFILE \"b\" WAVE\n"
    let tag = kind == "none" ? [] : ["-metadata", "CUESHEET=" + two]
    let path = test.folder.file("b.flac")
    try FixtureStore.ffmpeg(["-i", wav, "-c:a", "flac"] + tag + [path])
    let error = try await test.failure(.file("cue:" + path))
    #expect(error.kind == .inputUnreadable, "\(error)")
  }

  @Test("an M3U list of files is a queue, an HLS playlist isn't")
  func listOfFilesIsAnInputAndHLSIsnt() async throws {
    let test = try QueueCase()
    let planes = QueueCase.noise(1, 4800)
    try test.write("a.wav", planes)
    let list = try test.write("list.m3u8", "#EXTM3U\n#EXTINF:99,Title\na.wav\na.wav\n")
    let (out, report) = try await test.render(.file(list))
    #expect(out[0] == planes[0] + planes[0])
    #expect(report.queue?.items.map(\.title) == ["Title", nil])
  }

  @Test("a bad queue file is refused in one sentence") func badQueuesAreRefusedInOneSentence()
    async throws
  {
    let test = try QueueCase()
    let path = try test.write("a.wav", QueueCase.noise(1, 4800))
    try test.write("text.wav", "no sound")
    let head = "schema: pinna.queue/1\nitems:\n"
    let cases: [(text: String, kind: MediaError.Kind, parts: [String])] = [
      (head + "  - file: missing.wav\n", .inputMissing, ["line 3", "item 1", "missing.wav"]),
      (head + "  - file: a.wav\n  - file: text.wav\n", .inputUnreadable, ["line 4", "item 2"]),
      (head + "  - file: a.wav\n    end: 4801S\n", .usage, ["item 1", "4801", "4800"]),
      (
        head + "  - file: a.wav\n    fade-in: 3000S\n    fade-out: 3000S\n", .usage,
        ["item 1", "6000", "4800"]
      ),
      (head + "  - file: ../a.wav\n", .usage, ["line 3", "../a.wav"]),
      (head + "  - file: a.wav\n    volume: 3\n", .usage, ["line 4", "volume"]),
      (head + "  - silence: 1s\n    crossfade: 1s\n", .usage, ["item 1"]),
      ("schema: pinna.queue/1\nitems: []\n", .usage, ["no items"]),
    ]
    for (number, one) in cases.enumerated() {
      let list = try test.write("q\(number).yaml", one.text)
      let error = try await test.failure(.file(list))
      #expect(error.kind == one.kind, "\(error)")
      for part in one.parts + ["q\(number).yaml"] {
        #expect(error.message.contains(part), "\(part) in \(error)")
      }
    }
    let own = try await test.failure(.queue(PlayQueue([QueueCase.item(path)]))) { job in
      job.outputs[0].location = .file(path)
      job.overwrite = true
    }
    #expect(own.kind == .outputUnwritable)
  }

  @Test("a truncated item fails, or keeps its length where damage is allowed")
  func truncatedItemFailsOrKeepsItsLength() async throws {
    let test = try QueueCase()
    let planes = QueueCase.noise(1, 48_000)
    let whole = try test.write("a.wav", planes)
    let flac = test.folder.file("b.flac")
    try FixtureStore.ffmpeg(["-i", whole, "-c:a", "flac", flac])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: flac))
    try bytes[..<(bytes.count * 6 / 10)].write(to: test.folder.url("c.flac"))
    let queue = PlayQueue([QueueCase.item(test.folder.file("c.flac")), QueueCase.item(whole)])
    let error = try await test.failure(.queue(queue))
    #expect(error.kind == .damaged && error.message.contains("item 1"), "\(error)")
    let (out, report) = try await test.render(.queue(queue)) { $0.decoding.damage = .conceal }
    #expect(out[0].count == 96_000)
    #expect(Array(out[0][48_000...]) == planes[0])
    #expect(report.degradations.contains { $0.code == .truncated })
  }
}
