// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import PlayQueue

/// Timelines of OpenTimelineIO.
@Suite struct OTIOTests {
  /// A timeline, and what OpenTimelineIO itself says of it, in samples at 48 kHz.
  private struct Case: Decodable {
    struct Row: Decodable {
      let name: String
      let start: Int64
      let end: Int64
      let from: Int64
      let to: Int64
      let markers: [Int64]
    }

    let timeline: String
    let expected: [Row]
  }

  private let folder = ListFolder(path: "/music", exists: { _ in true }, list: { _ in [] })

  private func read(_ text: String) throws(ListError) -> ReadQueue {
    try QueueFormat.otio.read(Array(text.utf8), name: "x.otio", in: folder)
  }

  private func check(_ cases: [Case]) throws {
    for made in cases {
      let read = try read(made.timeline)
      let queue = read.queue
      #expect(read.title == "made" && read.notes.contains { $0.message.contains("pictures") })
      #expect(queue.items.map { $0.title ?? "" } == made.expected.map(\.name))
      let lengths = made.expected.map { MediaTime(ticks: $0.to - $0.from, rate: 48_000) }
      let placed = try Placement(queue, lengths: lengths, rate: 48_000).items
      #expect(placed.map(\.start) == made.expected.map(\.start))
      #expect(placed.map(\.end) == made.expected.map(\.end))
      for (item, row) in zip(queue.items, made.expected) {
        switch item.source {
        case .silence(let length): #expect(row.name == "" && length.samples(at: 48_000) == row.to)
        case .file(let path, let track, let range):
          #expect(path == "media/\(row.name)%20x.wav" || path == "media/\(row.name) x.wav")
          #expect(track == nil && range.start.samples(at: 48_000) == row.from)
          #expect(range.end?.samples(at: 48_000) == row.to)
        }
        #expect(item.markers.map { $0.at.samples(at: 48_000) } == row.markers)
      }
    }
  }

  @Test("clips of committed timelines lie where OpenTimelineIO puts them")
  func clipsLieWhereOpenTimelineIOPutsThem() throws {
    let path = TestPython.root + "/Tests/Tools/otio_cases.json"
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    try check(try JSONDecoder().decode([Case].self, from: data))
  }

  @Test(
    "clips of newly made timelines lie where OpenTimelineIO puts them",
    .tags(.system), .fullRunOnly,
    .enabled(
      if: TestPython.has("opentimelineio"), "opentimelineio isn't in the tests' environment"))
  func newlyMadeTimelinesAreReadAlike() throws {
    let script = TestPython.root + "/Tests/Tools/otio_cases.py"
    let made = try Tool.run(TestPython.path, [script, "7", "200"])
    try #require(made.status == 0)
    try check(try JSONDecoder().decode([Case].self, from: made.output))
  }

  // MARK: Small timelines

  private static func time(_ value: String, _ rate: String = "48000") -> String {
    #"{"OTIO_SCHEMA": "RationalTime.1", "value": \#(value), "rate": \#(rate)}"#
  }

  private static func range(_ start: String, _ length: String, _ rate: String = "48000") -> String {
    #"{"OTIO_SCHEMA": "TimeRange.1", "start_time": \#(time(start, rate)), "#
      + #""duration": \#(time(length, rate))}"#
  }

  /// A clip of `a.wav`, which has 1000 samples from 100 on; `more` are further keys.
  private static func clip(
    _ range: String = range("200", "300"), url: String = "a.wav", more: String = ""
  ) -> String {
    #"{"OTIO_SCHEMA": "Clip.1", "name": "C", "source_range": \#(range), \#(more)"#
      + #""media_reference": {"OTIO_SCHEMA": "ExternalReference.1", "target_url": "\#(url)", "#
      + #""available_range": \#(Self.range("100", "1000"))}}"#
  }

  private static func transition(_ before: String, _ behind: String) -> String {
    #"{"OTIO_SCHEMA": "Transition.1", "name": "X", "transition_type": "SMPTE_Dissolve", "#
      + #""in_offset": \#(time(before)), "out_offset": \#(time(behind))}"#
  }

  private static func track(
    _ children: [String], kind: String = "Audio", more: String = ""
  ) -> String {
    #"{"OTIO_SCHEMA": "Track.1", "name": "T", "kind": "\#(kind)", \#(more)"#
      + #""children": [\#(children.joined(separator: ", "))]}"#
  }

  private static func timeline(_ tracks: String..., more: String = "") -> String {
    #"{"OTIO_SCHEMA": "Timeline.1", "metadata": {"x": [1, {}]}, "tracks": {\#(more)"#
      + #""OTIO_SCHEMA": "Stack.1", "children": [\#(tracks.joined(separator: ", "))]}}"#
  }

  private static let effect = #""effects": [{"OTIO_SCHEMA": "LinearTimeWarp.1", "x": 1}], "#

  private static let refused: [(text: String, says: String)] = [
    (timeline(track([clip()]), track([clip()])), "2 tracks of sound"),
    (timeline(track([clip()], kind: "Video")), "no enabled track"),
    (timeline(track([])), "is empty"), (#"{"OTIO_SCHEMA": "Clip.2"}"#, "\"Clip.2\", not Timeline"),
    (timeline(track([#"{"OTIO_SCHEMA": "Stack.1", "name": "N"}"#])), "\"Stack.1\" \"N\" lies"),
    (timeline(track([#"{"OTIO_SCHEMA": "Clip.3"}"#])), "\"Clip.3\""),
    (timeline(track([clip(more: effect)])), "the clip \"C\" changes its speed (LinearTimeWarp)"),
    (timeline(track([clip()], more: effect)), "the track \"T\" changes its speed"),
    (timeline(track([clip()], more: #""source_range": 1, "#)), "trim its clips"),
    (timeline(track([clip(range("200.5", "300"))])), "the clip \"C\" has the time 200.5"),
    (timeline(track([clip(range("2", "3", "23.97"))])), "the clip \"C\" has the rate 23.97"),
    (timeline(track([clip(range("NaN", "3"))])), "isn't whole"),
    (timeline(track([clip(range("2", "3", "1e300"))])), "the rate"),
    (timeline(track([clip(range("99", "300"))])), "before its file"),
    (timeline(track([clip(range("900", "201"))])), "after its file"),
    (timeline(track([clip(range("900", "0"))])), "no length"),
    (timeline(track([clip(range("900", "-1"))])), "negative length"),
    (timeline(track([clip(url: "http://x.org/a.wav")])), "the clip \"C\": \"http://x.org/a.wav\""),
    (timeline(track([clip(url: "../a.wav")])), "leads out"),
    (timeline(track([clip(url: "..%2Fa.wav")])), "leads out"),
    (timeline(track([clip(url: "a.otio")])), "a list itself"),
    (timeline(track([clip(), transition("101", "0"), clip()])), "in front of the clip \"C\""),
    (timeline(track([clip(), transition("0", "601"), clip()])), "after the clip \"C\""),
    (timeline(track([clip(), transition("1", "0"), transition("1", "0"), clip()])), "follows a"),
    (timeline(track([transition("1", "0"), clip()])), "\"X\" reaches out"),
    (timeline(track([clip(), transition("0", "1")])), "\"X\" reaches out"),
    ("{\"OTIO_SCHEMA\": \"Timeline.1\",\n}", "a key in quotes"), ("{", "a key in quotes"),
    (String(repeating: "[", count: 100_000), "inside each other"),
  ]

  @Test(
    "a timeline that can't become a queue is refused with its clip or track and the reason",
    arguments: refused.indices)
  func whatCantBeMeantIsRefusedByName(index: Int) {
    let (text, says) = OTIOTests.refused[index]
    let error = #expect(throws: ListError.self) { try read(text) }
    #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
  }

  @Test("times at 23.976, 29.97 and nearly 25 frames a second are exact")
  func ratesOfPicturesAreExact() throws {
    for (rate, exact) in [
      ("23.976", (24_000, 1001)), ("29.97", (30_000, 1001)), ("25.00001", (25, 1)),
    ] {
      let time = try OTIOTime.time(
        JSONReader.tree(of: Array(OTIOTests.time("1001.0000001", rate).utf8)), of: "x")
      #expect(time == MediaTime(ticks: 1001 * Int64(exact.1), rate: Int64(exact.0)))
    }
  }

  @Test("transitions at a timeline's ends are fades, and a clip without a range is a whole file")
  func transitionsAtTheEndsAreFadesAndWholeFilesStayWhole() throws {
    let whole =
      #"{"OTIO_SCHEMA": "Clip.2", "active_media_reference_key": "k", "#
      + #""media_references": {"k": {"OTIO_SCHEMA": "ExternalReference.1", "target_url": "b.wav"}}}"#
    let children = [
      OTIOTests.transition("0", "10"), OTIOTests.clip(), whole, OTIOTests.clip(),
      OTIOTests.transition("20", "0"),
    ]
    let items = try read(OTIOTests.timeline(OTIOTests.track(children))).queue.items
    #expect(items[0].fadeIn == Fade(.clock(MediaTime(ticks: 10, rate: 48_000))))
    #expect(items[2].fadeOut == Fade(.clock(MediaTime(ticks: 20, rate: 48_000))))
    #expect(items[1].source == .file(path: "b.wav", track: nil, range: QueueRange()))
    #expect(items.allSatisfy { $0.transition == nil })
  }

  @Test("a JSON text is read as by Foundation, and malformed ones are refused")
  func textsOfJSONAreReadAsFoundationReadsThem() throws {
    let text =
      #"["a\"\\\/\b\f\n\r\t\u00e9\ud83c\udfa7 é🎧", -1.5e2, 0, true, false, null, {"k": []}]"#
    let tree = try JSONReader.tree(of: Array(text.utf8))
    let strings = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Any]
    #expect(tree.elements[0].string == strings?[0] as? String)
    #expect(
      Array(tree.elements.dropFirst()) == [
        .number(-150), .number(0), .flag(true), .flag(false), .null, .map(["k": .list([])]),
      ])
    let wrong = [
      "[1,]", "[1 2]", "{\"a\" 1}", "\"\\ud83", "\"\\x\"", "+1", "0x1", "tru", "[", "1 1", "",
      "\"a\nb\"", "{a: 1}",
    ]
    for text in wrong {
      #expect(throws: ListError.self, "\(text)") { try JSONReader.tree(of: Array(text.utf8)) }
    }
  }
}
