// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import PlayQueue

/// A written queue is read as the same one, and content that a format can't hold is refused.
@Suite struct QueueWriterTests {
  private static let rounds: UInt64 = 1500
  private let folder = ListFolder(exists: { _ in true }, list: { _ in [] })

  private func check(_ queue: PlayQueue, _ format: QueueFormat) throws {
    let text = try QueueWriter.text(of: queue, as: format)
    let bytes = Array(text.utf8)
    #expect(QueueFormat.of(name: "x", bytes: bytes) == format)
    let read = try format.read(bytes, name: "x.m3u8", in: folder)
    #expect(read.queue.inLowestTerms == queue.inLowestTerms, "\(text)")
  }

  @Test("a written M3U or PLS list reads back", .tags(.slow), .fullRunOnly)
  func whatListsHoldComesBack() throws {
    for seed in 0..<QueueWriterTests.rounds {
      var random = RandomQueue(seed: seed)
      try check(random.plain([], []), .pls)
      try check(random.ranges(), .m3u)
      try check(
        random.plain([.artist, .album, .comment, .track], [.title, .artist, .comment, .date]),
        .xspf)
    }
  }

  @Test("a written cue sheet or timeline reads back", .tags(.slow), .fullRunOnly)
  func whatSheetsAndTimelinesHoldComesBack() throws {
    for seed in 0..<QueueWriterTests.rounds {
      var random = RandomQueue(seed: seed)
      try check(random.disc(), .cue)
      try check(random.timeline(), .otio)
    }
  }

  @Test("a written queue file reads back to the last bit", .tags(.slow), .fullRunOnly)
  func whatQueueFilesHoldComesBackToTheLastBit() throws {
    for seed in 0..<QueueWriterTests.rounds {
      var random = RandomQueue(seed: seed)
      let queue = random.everything()
      let text = try QueueWriter.text(of: queue, as: .queue)
      #expect(QueueFormat.of(name: "x", bytes: Array(text.utf8)) == .queue)
      #expect(try PlayQueue(SmallYAML.tree(of: text), path: "q") == queue, "\(text)")
    }
  }

  @Test(
    "OpenTimelineIO reads written timelines with their length within 10 samples",
    .tags(.system), .fullRunOnly,
    .enabled(
      if: TestPython.has("opentimelineio"), "make setup-test installs opentimelineio"))
  func openTimelineIOReadsWhatIsWritten() throws {
    var texts: [String] = []
    var lengths: [Double] = []
    for seed in UInt64(0)..<200 {
      var random = RandomQueue(seed: seed)
      let queue = random.timeline()
      let items = queue.items.compactMap(QueueWriterTests.length)
      // A clip of a whole file has no length in a timeline.
      guard items.count == queue.items.count else { continue }
      texts.append(try QueueWriter.text(of: queue, as: .otio))
      let placed = try Placement(queue, lengths: items, rate: 48_000)
      lengths.append(Double(placed.frames) / 48_000)
    }
    #expect(texts.count > 50)
    let script = TestPython.root + "/Tests/Tools/otio_lengths.py"
    let input = try JSONEncoder().encode(texts)
    let read = try Tool.run(TestPython.path, [script], input: input)
    try #require(read.status == 0, "\(read.errors)")
    let found = try JSONDecoder().decode([Double].self, from: read.output)
    #expect(found.count == lengths.count)
    // Crossfades are whole samples of the programme, and exact in a timeline.
    #expect(zip(found, lengths).allSatisfy { abs($0 - $1) < 10.0 / 48_000 })
  }

  private static func length(_ item: QueueItem) -> MediaTime? {
    switch item.source {
    case .silence(.clock(let length)): return length
    case .file(_, _, let range):
      guard case .clock(let end)? = range.end else { return nil }
      guard case .clock(let start) = range.start else { return end }
      return end.adding(start, isNegative: true)
    case .silence: return nil
    }
  }

  @Test("line ends, control characters and marks in a title are escaped in a queue file")
  func textsInQueueFilesHaveNoCharacterThatYAMLChanges() throws {
    var queue = PlayQueue([QueueWriterTests.item()])
    // Line ends, a byte order mark and what isn't printable in YAML 1.2 (5.1, 5.4).
    queue.items[0].title = "\r\n\t\u{1}\u{7F}\u{85}\u{9F}\u{A0}\u{2028}\u{2029}\u{FEFF}\u{FFFE}é🎧"
    let text = try QueueWriter.text(of: queue, as: .queue)
    #expect(
      text.split(separator: "\n").last
        == #"    title: "\u000d\u000a\u0009\u0001\u007f\u0085\u009f\u00a0\u2028\u2029\ufeff\ufffeé🎧""#
    )
  }

  // MARK: Refusals

  @Test("a byte order mark at the beginning of a text is refused in a queue file")
  func aMarkAtTheBeginningOfATextIsRefused() {
    // Readers of YAML take it away, so that a file would have another name.
    var queue = PlayQueue([QueueWriterTests.item()])
    queue.items[0].title = "\u{FEFF}T"
    #expect(fault(queue, .queue)?.key == "title")
    queue.items[0].title = nil
    queue.items[0].taps = ["\u{FEFF}item:eq=a.txt"]
    #expect(fault(queue, .queue)?.key == "tap")
    queue.items[0] = QueueItem(.file(path: "\u{FEFF}a", track: nil, range: QueueRange()))
    #expect(fault(queue, .queue)?.key == "file")
  }

  @Test("a time of the largest number of seconds is refused in a cue sheet")
  func aTimeBeyondAllNumbersIsRefusedInACueSheet() {
    let long = TimeSpec.clock(MediaTime(ticks: .max, rate: 1))
    let queue = PlayQueue([QueueWriterTests.item(.samples(0), long), QueueWriterTests.item(long)])
    #expect(fault(queue, .cue)?.key == "end")
  }

  private static func item(_ start: TimeSpec = .samples(0), _ end: TimeSpec? = nil) -> QueueItem {
    QueueItem(.file(path: "a.wav", track: nil, range: QueueRange(start: start, end: end)))
  }

  private func fault(_ queue: PlayQueue, _ format: QueueFormat) -> QueueFault? {
    do {
      _ = try QueueWriter.text(of: queue, as: format)
      return nil
    } catch { return error }
  }

  private static let changes:
    [(key: String, held: Set<QueueFormat>, change: @Sendable (inout QueueItem) -> Void)] = [
      ("gain", [], { $0.gain = -1 }), ("fade-in", [], { $0.fadeIn = Fade(.seconds(1)) }),
      ("fade-out", [], { $0.fadeOut = Fade(.seconds(1)) }), ("loudness", [], { $0.loudness = -16 }),
      ("gap", [], { $0.transition = .gap(.seconds(1)) }), ("part", [], { $0.isPart = true }),
      ("silence", [.otio], { $0.source = .silence(.seconds(1)) }),
      ("markers", [.otio], { $0.markers = [QueueMarker(at: .seconds(1), title: "m")] }),
      ("tap", [], { $0.taps = ["item:eq=a.txt"] }),
      ("copyright", [], { $0.tags = ["copyright": "c"] }),
      ("title", [.cue, .m3u, .xspf, .pls, .otio], { $0.title = "T" }),
      ("title", [.otio], { $0.title = "two\nlines" }),
      ("track", [], { $0.source = .file(path: "a", track: 1, range: QueueRange()) }),
      ("crossfade", [], { $0.transition = .crossfade(length: .samples(9), curve: .equalPower) }),
      (
        "end", [.m3u],
        { $0.source = .file(path: "a", track: nil, range: QueueRange(end: .seconds(9))) }
      ),
      ("file", [], { $0.source = .file(path: "../a", track: nil, range: QueueRange()) }),
      ("file", [], { $0.source = .file(path: "a\\b", track: nil, range: QueueRange()) }),
      ("file", [.cue], { $0.source = .file(path: "a.cue", track: nil, range: QueueRange()) }),
    ]

  @Test(
    "a property that a format can't hold is refused with item and key", arguments: changes.indices)
  func whatAFormatCantHoldIsRefusedByItemAndKey(index: Int) {
    let (key, held, change) = QueueWriterTests.changes[index]
    var queue = PlayQueue([QueueWriterTests.item(), QueueWriterTests.item()])
    change(&queue.items[1])
    #expect(fault(queue, .queue) == nil)
    for format in QueueFormat.allCases where format != .queue {
      let found = fault(queue, format)
      let isHeld = held.contains(format) || (key == "end" && format == .otio)
      #expect((found == nil) == isHeld, "\(format): \(found?.description ?? "")")
      guard let found else { continue }
      #expect(found.item == 2 && found.key == key, "\(format): \(found)")
    }
  }

  @Test("a setting of the queue is refused with its key in every format but the queue file")
  func settingsOfTheQueueAreRefusedToo() {
    let changes: [(key: String, change: (inout PlayQueue) -> Void)] = [
      ("rate", { $0.rate = 48_000 }), ("layout", { $0.layout = "5.1" }),
      ("gain", { $0.pinnedGain = 1 }), ("loudness", { $0.loudness = .item }),
      ("chapters", { $0.chapters = .none }), ("gap", { $0.transition = .gap(.seconds(1)) }),
      ("copyright", { $0.tags = ["copyright": "c"] }),
    ]
    for (key, change) in changes {
      var queue = PlayQueue([QueueWriterTests.item()])
      change(&queue)
      for format in QueueFormat.allCases where format != .queue {
        let found = fault(queue, format)
        #expect(found?.key == key && found?.item == nil, "\(format): \(key)")
      }
    }
  }

  @Test("a time off the grid of a cue sheet or M3U list is refused, and so is a 100th track")
  func timesOffAFormatsGridAreRefused() {
    func at(_ ticks: Int64, _ rate: Int64) -> TimeSpec {
      .clock(MediaTime(ticks: ticks, rate: rate))
    }
    func two(_ time: TimeSpec) -> PlayQueue {
      PlayQueue([QueueWriterTests.item(.samples(0), time), QueueWriterTests.item(time)])
    }
    #expect(fault(two(at(1, 75)), .cue) == nil && fault(two(at(588, 44_100)), .cue) == nil)
    for time in [at(1, 1000), at(589, 44_100), .samples(588)] {
      #expect(fault(two(time), .cue)?.key == "end" && fault(two(time), .cue)?.item == 1)
    }
    #expect(fault(two(at(1, 1 << 9)), .m3u) == nil && fault(two(at(1, 75)), .m3u)?.key == "end")
    let apart = PlayQueue([
      QueueWriterTests.item(.samples(0), at(1, 75)), QueueWriterTests.item(at(2, 75)),
    ])
    #expect(fault(apart, .cue)?.item == 1)
    #expect(fault(PlayQueue([QueueWriterTests.item(at(2, 75))]), .cue)?.key == "start")
    let many = PlayQueue(Array(repeating: QueueWriterTests.item(), count: 100))
    #expect(fault(many, .cue)?.item == 100)
    #expect(fault(many, .cue)?.description.hasPrefix("item 100, track: track numbers have") == true)
  }
}
