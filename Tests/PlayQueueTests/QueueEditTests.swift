// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import PlayQueue

/// Edits, and which samples they change.
@Suite struct QueueEditTests {
  private func file(_ name: String) -> QueueItem {
    QueueItem(.file(path: name, track: nil, range: QueueRange()))
  }

  private var three: PlayQueue { PlayQueue(["a", "b", "c"].map(file)) }

  private func names(_ queue: PlayQueue) -> String {
    queue.items.map { item in
      if case .file(let path, _, _) = item.source { return path }
      return "-"
    }.joined()
  }

  /// Every item has 1000 samples, but those called `x` 500.
  private func placed(_ queue: PlayQueue, digests: [String?] = []) throws -> PlacedQueue {
    let lengths = names(queue).map { MediaTime(ticks: $0 == "x" ? 500 : 1000, rate: 48_000) }
    return PlacedQueue(
      queue, try Placement(queue, lengths: lengths, rate: 48_000), digests: digests)
  }

  @Test("each edit changes what its name says") func editsChangeWhatTheySay() throws {
    #expect(names(try three.applying(.remove(number: 2))) == "ac")
    #expect(names(try three.applying(.insert(file("x"), number: 4))) == "abcx")
    #expect(names(try three.applying(.move(number: 3, to: 1))) == "cab")
    #expect(names(try three.applying(.move(number: 1, to: 3))) == "bca")
    let set = try three.applying(.set("3.gain=-2dB")).applying(.set("3.crossfade=2s"))
    #expect(set.items[2].gain == -2)
    #expect(set.items[2].transition == .crossfade(length: .seconds(2), curve: .equalPower))
    #expect(try set.applying(.set("3.gain=")).applying(.set("3.crossfade=")) == three)
    let replaced = try set.applying(.replace(number: 3, with: file("x").source))
    #expect(names(replaced) == "abx" && replaced.items[2].gain == -2)
    #expect(try set.applying(.move(number: 3, to: 1)).items[0].transition == nil)
    let second = try three.applying(.set("2.gap=1s"))
    #expect(try second.applying(.remove(number: 1)).items[0].transition == nil)
  }

  @Test("a part stays one while its item is before it, and otherwise becomes an item")
  func partsFollowTheirItemOrBecomeOne() throws {
    var queue = three
    queue.items[2].isPart = true
    func parts(_ edit: QueueEdit) throws -> [Bool] { try queue.applying(edit).items.map(\.isPart) }
    #expect(try parts(.remove(number: 1)) == [false, true])
    #expect(try parts(.remove(number: 2)) == [false, false])
    #expect(try parts(.move(number: 2, to: 1)) == [false, false, false])
    #expect(try parts(.move(number: 3, to: 1)) == [false, false, false])
    #expect(try parts(.set("2.part=true")) == [false, true, true])
    #expect(try parts(.set("3.part=")) == [false, false, false])
  }

  @Test("setting the file of an item to the one that it has changes nothing")
  func settingAKeyToItsValueChangesNothing() throws {
    var queue = three
    queue.items[1].fadeIn = Fade(.samples(5), curve: .equalGain)
    queue.items[1].markers = [QueueMarker(at: .seconds(1), title: "m")]
    queue.items[1].source = .file(
      path: "b", track: 2, range: QueueRange(start: .samples(7), end: .seconds(3)))
    for transition in [nil, .cut, .gap(.seconds(1))] as [Transition?] {
      queue.items[1].transition = transition
      #expect(try queue.applying(.set("2.file=b")) == queue)
    }
  }

  @Test("an edit of a missing item, or with a wrong key or value, is refused with its reason")
  func impossibleEditsAreRefused() {
    let table: [(QueueEdit, QueueFault.Reason)] = [
      (.remove(number: 4), .noSuchItem(count: 3)), (.remove(number: 0), .noSuchItem(count: 3)),
      (.insert(file("x"), number: 5), .noSuchItem(count: 3)),
      (.set("9.gain=1"), .noSuchItem(count: 3)), (.set("1.crossfade=1s"), .firstTransition),
      (.set("1.silence=1s"), .contradiction("silence and file, track, start or end")),
      (.set("gain"), .badValue(expected: "number.key=value, such as 3.gain=-2dB")),
    ]
    for (edit, reason) in table {
      #expect(throws: QueueFault.self, "\(edit)") { try three.applying(edit) }
      do { _ = try three.applying(edit) } catch { #expect(error.reason == reason) }
    }
    #expect(throws: QueueFault.self) { try three.applying(.set("1.gian=1")) }
  }

  private func changes(
    _ old: PlayQueue, _ new: PlayQueue, _ reach: QueueDiff.Reach = .init()
  ) throws -> [QueueDiff.Change] {
    QueueDiff(from: try placed(old), to: try placed(new), reach: reach).changes
  }

  @Test("differences of two queues have their sample ranges and reasons")
  func differencesNameRangesAndReasons() throws {
    #expect(try changes(three, three) == [])
    #expect(
      try changes(three, three.applying(.set("2.gain=1")), .init(head: 10, tail: 20)) == [
        .init(from: 990, to: 1000, why: .neighbourTail),
        .init(from: 1000, to: 2000, why: .itemChanged),
        .init(from: 2000, to: 2020, why: .neighbourTail),
      ])
    #expect(
      try changes(three, three.applying(.set("2.fade-out=100S")))
        == [.init(from: 1900, to: 2000, why: .itemChanged)])
    #expect(
      try changes(three, three.applying(.insert(file("x"), number: 2))) == [
        .init(from: 1000, to: 1500, why: .itemNew), .init(from: 1500, to: 3500, why: .itemMoved),
      ])
    #expect(
      try changes(three, three.applying(.remove(number: 3)))
        == [.init(from: 2000, to: 3000, why: .itemRemoved)])
    #expect(try changes(three, three.applying(.set("2.title=T"))) == [])
    #expect(try changes(three, three.applying(.set("2.part=true"))) == [])
    var tagged = three
    (tagged.tags, tagged.items[1].tags) = (["album": "A"], ["artist": "B"])
    #expect(try changes(three, tagged) == [])
    var pinned = three
    pinned.pinnedGain = -3
    #expect(try changes(three, pinned) == [.init(from: 0, to: 3000, why: .programmeGain)])
    let digests = QueueDiff(
      from: try placed(three, digests: ["1", "2", "3"]),
      to: try placed(three, digests: ["1", "2", "4"]))
    #expect(digests.changes == [.init(from: 2000, to: 3000, why: .sourceChanged)])
    #expect(digests.firstChangedSample == 2000)
  }

  @Test("an item replaced among a thousand changes its range and the reach around it only")
  func aReplacedItemOfAThousandChangesItsOwnRangeOnly() throws {
    let thousand = PlayQueue((0..<1000).map { file(["a", "b", "c"][$0 % 3]) })
    let edited = try thousand.applying(.replace(number: 500, with: file("d").source))
    let (old, new) = (try placed(thousand), try placed(edited))
    let diff = QueueDiff(from: old, to: new, reach: .init(head: 66, tail: 256))
    #expect(diff.firstChangedSample == 498_934)
    #expect(diff.changes.map(\.why) == [.neighbourTail, .itemNew, .neighbourTail])
    #expect(diff.changes.last?.to == 500_256)
    let moved = try placed(try thousand.applying(.remove(number: 1)))
    #expect(QueueDiff(from: old, to: moved).firstChangedSample == 0)
  }

  /// Plain reference: a programme as one text for each sample, which names all that sounds there.
  private func samples(_ queue: PlayQueue) throws -> [String] {
    let placed = try placed(queue)
    var texts = Array(repeating: "", count: Int(placed.placement.frames))
    for (item, place) in zip(queue.items, placed.placement.items) {
      let name = "\(item.source)"
      for index in 0..<place.frames {
        let gain = place.envelope.gain(at: index)
        texts[Int(place.start + index)] += "\(name) \(index) \(gain);"
      }
    }
    return texts
  }

  @Test("samples outside the ranges of a difference are the same", arguments: UInt64(1)...20)
  func outsideTheRangesNothingDiffers(seed: UInt64) throws {
    var noise = SeededNoise(seed: seed)
    var old = PlayQueue((0..<6).map { file(["a", "b", "x"][$0 % 3]) })
    for _ in 0..<3 {
      let number = Int.random(in: 2...5, using: &noise)
      let edits: [QueueEdit] = [
        .remove(number: number), .insert(file("x"), number: number),
        .move(number: number, to: 2),
        .set("\(number).gain=\(Int.random(in: -9...9, using: &noise))"),
        .set("\(number).fade-in=50S"), .set("\(number).gap=70S"), .set("\(number).crossfade=90S"),
      ]
      guard let edit = edits.randomElement(using: &noise), let new = try? old.applying(edit),
        new.items.count > 4
      else { continue }
      let (before, after) = (try samples(old), try samples(new))
      let changed = try changes(old, new)
      let wrong = (0..<max(before.count, after.count)).first { index in
        let isSame = index < min(before.count, after.count) && before[index] == after[index]
        return !isSame && !changed.contains { ($0.from..<$0.to).contains(Int64(index)) }
      }
      #expect(wrong == nil, "\(edit)")
      old = new
    }
  }
}
