// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Testing

@testable import PlayQueue

/// The content of queue files, and their faults.
@Suite struct QueueFileTests {
  private func queue(
    _ items: [[(String, String)]], _ top: [(String, String)] = []
  ) throws -> PlayQueue {
    var line = 10
    let nodes = items.map { fields in
      line += 10
      let entries = fields.enumerated().map { offset, field in
        QueueNode.Entry(
          field.0, .scalar(field.1, line: line + offset), line: line + offset)
      }
      return QueueNode.map(entries, line: line)
    }
    let head = ([("schema", "pinna.queue/1")] + top).enumerated().map { offset, field in
      QueueNode.Entry(field.0, .scalar(field.1, line: offset + 1), line: offset + 1)
    }
    let tree = QueueNode.map(head + [.init("items", .list(nodes, line: 10), line: 10)], line: 1)
    return try PlayQueue(tree, path: "q.yaml")
  }

  @Test("each key of a queue file is read") func everyKeyArrives() throws {
    let queue = try queue(
      [
        [("file", "intro.flac"), ("fade-in", "0.5s"), ("fade-in-curve", "linear-db")],
        [
          ("file", "talk.m4a"), ("track", "1"), ("start", "12.000s"), ("end", "48:10.250"),
          ("gain", "-1.5 dB"), ("loudness", "-16"), ("crossfade", "2s"), ("title", "Talk"),
        ],
        [("silence", "48000S"), ("crossfade", "0")],
      ],
      [("rate", "48000"), ("gap", "1s"), ("loudness", "item"), ("gain", "-5.23 dB")])
    #expect(queue.rate == 48_000 && queue.loudness == .item && queue.pinnedGain == -5.23)
    #expect(queue.transition == .gap(.seconds(1)))
    #expect(queue.items[0].fadeIn == Fade(try TimeSpec("0.5s", option: ""), curve: .linearDecibels))
    let talk = queue.items[1]
    let range = QueueRange(
      start: try TimeSpec("12.000s", option: ""), end: try TimeSpec("48:10.250", option: ""))
    #expect(talk.source == .file(path: "talk.m4a", track: 1, range: range))
    #expect(talk.gain == -1.5 && talk.loudness == -16 && talk.title == "Talk")
    #expect(talk.transition == .crossfade(length: .seconds(2), curve: .equalPower))
    #expect(queue.items[2].source == .silence(.samples(48_000)))
    #expect(queue.items[2].transition == .cut)
  }

  @Test("markers at exact times are read from mappings and come back from JSON")
  func markersAndExactTimesAreMappings() throws {
    func word(_ key: String, _ text: String) -> QueueNode.Entry { .init(key, .scalar(text)) }
    let exact = QueueNode.map([word("samples", "529200"), word("rate", "44100")])
    let marker = QueueNode.map([.init("at", exact), word("title", "Chorus")])
    let item = QueueNode.map([word("file", "a"), .init("markers", .list([marker]))])
    let tree = QueueNode.map([word("schema", "pinna.queue/1"), .init("items", .list([item]))])
    let queue = try PlayQueue(tree, path: "q.json")
    let time = TimeSpec.clock(MediaTime(ticks: 529_200, rate: 44_100))
    #expect(queue.items[0].markers == [QueueMarker(at: time, title: "Chorus")])
    let data = try JSONEncoder().encode(queue)
    #expect(try JSONDecoder().decode(PlayQueue.self, from: data) == queue)
  }

  @Test("taps are one text or a list of texts, and other forms and taps of silence are refused")
  func tapsAreOneTextOrSeveral() throws {
    func queue(_ tap: QueueNode, silence: Bool = false) throws -> PlayQueue {
      let source = silence ? "silence" : "file"
      let item = QueueNode.map([.init(source, .scalar("1s")), .init("tap", tap)])
      return try PlayQueue(
        .map([.init("schema", .scalar("pinna.queue/1")), .init("items", .list([item]))]),
        path: "q")
    }
    #expect(try queue(.scalar("item:eq=a")).items[0].taps == ["item:eq=a"])
    #expect(try queue(.list([.scalar("a"), .scalar("b")])).items[0].taps == ["a", "b"])
    #expect(try queue(.scalar("")).items[0].taps.isEmpty)
    for wrong in [QueueNode.list([]), .list([.scalar("")]), .map([]), .list([.list([])])] {
      #expect(throws: QueueFault.self) { try queue(wrong) }
    }
    let fault = #expect(throws: QueueFault.self) { try queue(.scalar("a"), silence: true) }
    #expect(fault?.reason == .contradiction("silence and tap"))
  }

  @Test("parts and tags of a queue file are read, and wrong ones are refused with their reason")
  func partsAndTagsArrive() throws {
    func word(_ key: String, _ text: String) -> QueueNode.Entry { .init(key, .scalar(text)) }
    func tree(_ tags: [QueueNode.Entry], _ second: [QueueNode.Entry]) -> QueueNode {
      let first = QueueNode.map([
        word("file", "a"), word("title", "T"),
        .init("tags", .map([word("artist", "A"), word("isrc", "")])),
      ])
      return .map([
        word("schema", "pinna.queue/1"), .init("tags", .map(tags)),
        .init("items", .list([first, .map([word("file", "b")] + second)])),
      ])
    }
    let queue = try PlayQueue(
      tree([word("title", "All"), word("album_artist", "B")], [word("part", "true")]), path: "q")
    #expect(queue.tags == ["title": "All", "album_artist": "B"])
    #expect(queue.items.map(\.tags) == [["artist": "A"], [:]])
    #expect(queue.items.map(\.isPart) == [false, true])
    let wrong: [(top: [QueueNode.Entry], item: [QueueNode.Entry], reason: QueueFault.Reason)] = [
      ([word("year", "1")], [], .unknownKey(allowed: QueueTag.allCases.map(\.rawValue))),
      ([], [word("part", "yes")], .badValue(expected: "true or false")),
      (
        [], [word("part", "true"), word("title", "x")],
        .contradiction("part and title or tags")
      ),
      (
        [], [.init("tags", .map([word("title", "x")]))],
        .badValue(expected: "the title as a key of the item, not of its tags")
      ),
    ]
    for (top, item, reason) in wrong {
      let fault = #expect(throws: QueueFault.self) { try PlayQueue(tree(top, item), path: "q") }
      #expect(fault?.reason == reason)
    }
  }

  @Test("a queue made in code is refused for a wrong layout, part or tag")
  func aQueueMadeInCodeIsCheckedToo() {
    func fault(_ change: (inout PlayQueue) -> Void) -> QueueFault? {
      let item = QueueItem(.file(path: "a", track: nil, range: QueueRange()))
      var queue = PlayQueue([item, item])
      change(&queue)
      do {
        try queue.validate()
        return nil
      } catch { return error }
    }
    #expect(fault { $0.layout = "5.1" } == nil && fault { $0.layout = "FL+FR" } == nil)
    #expect(fault { $0.layout = "5.7" }?.key == "layout")
    #expect(fault { $0.items[0].isPart = true }?.reason == .firstPart)
    #expect(fault { $0.items[1].tags = ["title": "x"] }?.key == "title")
    #expect(fault { $0.tags = ["title": ""] }?.reason == .badValue(expected: "a text"))
  }

  private static let faults: [(item: (String, String), message: String)] = [
    (
      ("fadein", "1s"),
      "q.yaml, line 31, item 2, fadein: this key isn't known; allowed keys are file"
    ),
    (("start", "soon"), "q.yaml, line 31, item 2, start: this value can't be used; give hh:mm:ss"),
    (
      ("gain", "41 dB"), "q.yaml, line 31, item 2, gain: this value can't be used; give a number of"
    ),
    (("gain", "nan"), "q.yaml, line 31, item 2, gain: this value can't be used"),
    (("silence", "1s"), "q.yaml, line 30, item 2: silence and file, track, start or end exclude"),
    (("file", "b.wav"), "q.yaml, line 31, item 2, file: two values of one key exclude each other"),
    (("end", "0S"), "q.yaml, line 30, item 2: the range is empty"),
    (("curve", "equal-gain"), "q.yaml, line 30, item 2, curve: crossfade is missing"),
    (
      ("fade-out-curve", "round"),
      "q.yaml, line 31, item 2, fade-out-curve: this value can't be used"
    ),
    (("markers", "1s"), "q.yaml, line 31, item 2, markers: this value can't be used; give a list"),
  ]

  @Test(
    "a fault in a queue file is reported with line, item, key and reason", arguments: faults.indices
  )
  func faultsNameTheirPlace(index: Int) throws {
    let (field, message) = QueueFileTests.faults[index]
    let found = #expect(throws: QueueFault.self) {
      try queue([[("file", "a.wav")], [("file", "a.wav"), field]])
    }
    let text = found?.mediaError.message ?? ""
    #expect(text.hasPrefix(message), "\(text)")
  }

  @Test("a transition into the first item, and a crossfade beside a fade, are refused")
  func contradictionsBetweenItemsAreFound() {
    let first = #expect(throws: QueueFault.self) {
      try queue([[("file", "a"), ("crossfade", "1s")]])
    }
    #expect(first?.reason == .firstTransition && first?.item == 1 && first?.line == 20)
    let fade = #expect(throws: QueueFault.self) {
      try queue([[("file", "a"), ("fade-out", "1s")], [("file", "b"), ("crossfade", "1s")]])
    }
    #expect(fade?.reason == .crossfadeWithFade && fade?.item == 2)
    #expect(throws: QueueFault.self) { try queue([]) }
    #expect(throws: QueueFault.self) {
      try queue([[("file", "a")]], [("crossfade", "1"), ("gap", "1")])
    }
  }

  @Test("a range past its track's end, or with its end before its start, is refused")
  func rangesAreHeldAgainstTheirTrack() throws {
    let range = QueueRange(start: .samples(10), end: .seconds(1))
    #expect(try range.samples(of: 48_000, at: 48_000, item: 1) == 10..<48_000)
    #expect(throws: QueueFault(.rangeBehindEnd(samples: 48_000, length: 47_999), item: 7)) {
      try range.samples(of: 47_999, at: 48_000, item: 7)
    }
    let reversed = QueueRange(start: .seconds(1), end: .samples(9))
    #expect(throws: QueueFault(.rangeReversed, item: 7)) {
      try reversed.samples(of: 99_999, at: 48_000, item: 7)
    }
  }

  @Test("a queue's crossfade is left out between ranges that continue each other")
  func aCrossfadeOfTheQueueSparesContinuousTracks() throws {
    let items = [("a", "0", "5s"), ("a", "5.0s", "9s"), ("a", "10s", "11s"), ("b", "11s", "12s")]
    let queue = try queue(
      items.map { [("file", $0.0), ("start", $0.1), ("end", $0.2)] }, [("crossfade", "1s")])
    let fade = Transition.crossfade(length: .seconds(1), curve: .equalPower)
    #expect((0..<4).map(queue.transition(into:)) == [.cut, .cut, fade, fade])
  }
}
