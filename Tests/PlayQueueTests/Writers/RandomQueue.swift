// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport

@testable import PlayQueue

/// Makes queues at random, each with nothing but what one format can hold.
struct RandomQueue {
  private var noise: SeededNoise

  init(seed: UInt64) { noise = SeededNoise(seed: seed) }

  // MARK: Pieces

  private static let letters = Array(
    "ab Z09 \"'#:,;%&<>=-_[]{}|!?*@`~é\u{301}\u{308}🎧\u{200D}漢 \u{A0}".unicodeScalars)

  private mutating func isTrue(_ share: Double = 0.4) -> Bool {
    Double.random(in: 0..<1, using: &noise) < share
  }

  /// A text on one line that doesn't begin or end with a blank.
  mutating func text() -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 1...12, using: &noise) {
      text.append(RandomQueue.letters.randomElement(using: &noise) ?? "a")
    }
    if text.first == " " || text.last == " " { return "x" }
    return String(text)
  }

  mutating func path() -> String {
    (0..<Int.random(in: 1...3, using: &noise)).map { _ in text() }.joined(separator: "/") + ".wav"
  }

  private mutating func tags(_ allowed: [QueueTag]) -> [String: String] {
    var tags: [String: String] = [:]
    for tag in allowed where isTrue(0.3) { tags[tag.rawValue] = text() }
    return tags
  }

  private mutating func time(_ rates: [Int64], _ range: ClosedRange<Int64>) -> MediaTime {
    MediaTime(
      ticks: Int64.random(in: range, using: &noise),
      rate: rates.randomElement(using: &noise) ?? 1)
  }

  private mutating func file(_ range: QueueRange = QueueRange()) -> QueueItem {
    var item = QueueItem(.file(path: path(), track: nil, range: range))
    if isTrue() { item.title = text() }
    return item
  }

  private mutating func count() -> Int { Int.random(in: 1...8, using: &noise) }

  // MARK: Queues

  /// Whole files with titles and tags.
  mutating func plain(_ itemTags: [QueueTag], _ queueTags: [QueueTag]) -> PlayQueue {
    var queue = PlayQueue(
      (0..<count()).map { _ in
        var item = file()
        item.tags = tags(itemTags)
        return item
      })
    queue.tags = tags(queueTags)
    return queue
  }

  /// Files with ranges of decimal seconds.
  mutating func ranges() -> PlayQueue {
    let rates: [Int64] = [1, 10, 1000, 8, 1_000_000_000, 1 << 9]
    var queue = PlayQueue(
      (0..<count()).map { _ in
        let start = isTrue() ? TimeSpec.samples(0) : .clock(time(rates, 1...100))
        return file(
          QueueRange(start: start, end: isTrue() ? nil : .clock(time([1, 4], 500...9000))))
      })
    queue.tags = tags([.title, .album, .artist])
    return queue
  }

  /// Tracks on the grid of 1/75 s in one file or several.
  mutating func disc() -> PlayQueue {
    var queue = PlayQueue([])
    let offset = isTrue(0.2) ? 3 : 0
    for _ in 0..<Int.random(in: 1...4, using: &noise) {
      let (path, tracks) = (path(), count())
      var start: Int64 = 0
      for track in 0..<tracks {
        let end = start + Int64.random(in: 1...500_000, using: &noise)
        let range = QueueRange(
          start: start == 0 ? .samples(0) : .clock(MediaTime(ticks: start * 2, rate: 150)),
          end: track + 1 < tracks ? .clock(MediaTime(ticks: end, rate: 75)) : nil)
        var item = QueueItem(.file(path: path, track: nil, range: range))
        if isTrue() { item.title = text() }
        item.tags = tags([.artist, .composer, .isrc, .date, .genre, .comment])
        if offset > 0 { item.tags["track"] = "\(queue.items.count + 1 + offset)" }
        queue.items.append(item)
        start = end
      }
    }
    queue.tags = tags([.album, .artist, .composer, .date, .genre, .comment, .disc])
    return queue
  }

  /// Ranges, silence, crossfades and markers.
  mutating func timeline() -> PlayQueue {
    let rates: [Int64] = [25, 1000, 44_100, 48_000]
    var queue = PlayQueue([])
    for index in 0..<count() {
      let end = time(rates, 500_000...900_000)
      var item = QueueItem(.silence(.clock(end)))
      if isTrue(0.7) {
        let start = isTrue() ? TimeSpec.samples(0) : .clock(time(rates, 1...70))
        item = file(QueueRange(start: start, end: .clock(end)))
        if isTrue() {
          item.markers = [QueueMarker(at: .clock(time([1000], 0...9)), title: text())]
        }
      }
      if index > 0, isTrue() {
        item.transition = .crossfade(length: .clock(time(rates, 1...99)), curve: .equalPower)
      } else if isTrue(0.1) {
        item = file()
      }
      queue.items.append(item)
    }
    if isTrue() { queue.tags["title"] = text() }
    return queue
  }

  /// Everything that a queue file knows.
  mutating func everything() -> PlayQueue {
    var queue = PlayQueue([])
    for index in 0..<count() { queue.items.append(item(isFirst: index == 0)) }
    if isTrue() { queue.rate = Int.random(in: 8000...192_000, using: &noise) }
    if isTrue() { queue.layout = "5.1" }
    if isTrue(0.2) { queue.transition = .gap(anyTime()) }
    queue.loudness = PlayQueue.LoudnessScope.allCases.randomElement(using: &noise) ?? .item
    if isTrue() { queue.pinnedGain = Double.random(in: -120...40, using: &noise) }
    queue.chapters = PlayQueue.ChapterMode.allCases.randomElement(using: &noise) ?? .items
    queue.tags = tags(QueueTag.allCases)
    return queue
  }

  private mutating func anyTime() -> TimeSpec {
    if isTrue() { return .samples(Int64.random(in: 1...(1 << 48) - 1, using: &noise)) }
    return .clock(time([1, 10, 75, 1_000_000, 44_100, 1_000_000_000], 1...999_999_999_999))
  }

  private mutating func oddText() -> String {
    text()
      + (["\n", "\t ", "\\", "\u{85}", "\u{2028}", "\u{FEFF}", "\u{1}", "null"]
        .randomElement(using: &noise) ?? "")
  }

  private mutating func item(isFirst: Bool) -> QueueItem {
    var item = QueueItem(.silence(anyTime()))
    if isTrue(0.8) {
      // An end in samples can't be held against a start in seconds without the track's rate.
      let end: TimeSpec? = isTrue() ? .samples(Int64.random(in: 9...99, using: &noise)) : nil
      let start = end == nil ? anyTime() : .samples(Int64.random(in: 0...8, using: &noise))
      item.source = .file(
        path: oddText(), track: isTrue() ? Int.random(in: 0...9, using: &noise) : nil,
        range: QueueRange(start: start, end: end))
    }
    if case .file = item.source, isTrue() { item.taps = (0..<count()).map { _ in oddText() } }
    if isTrue() { item.gain = Double.random(in: -120...40, using: &noise) }
    let curves = FadeCurve.allCases
    if isTrue() {
      item.fadeIn = Fade(anyTime(), curve: curves.randomElement(using: &noise) ?? .equalGain)
    }
    if isTrue() { item.fadeOut = Fade(anyTime(), curve: .linearDecibels) }
    if isTrue() { item.loudness = Double.random(in: -70...0, using: &noise) }
    if !isFirst {
      let transitions: [Transition?] = [nil, .cut, .gap(anyTime())]
      item.transition = transitions.randomElement(using: &noise) ?? nil
    }
    if isTrue() {
      item.markers = (0..<count()).map { _ in QueueMarker(at: anyTime(), title: oddText()) }
    }
    if !isFirst, isTrue() {
      item.isPart = true
    } else {
      if isTrue() { item.title = oddText() }
      item.tags = tags(QueueTag.ofItem)
    }
    return item
  }
}

extension PlayQueue {
  /// This queue with every time in lowest terms, so that equal times are equal values.
  var inLowestTerms: PlayQueue {
    func lowest(_ time: TimeSpec) -> TimeSpec {
      guard case .clock(let exact) = time else { return time }
      guard exact.ticks != 0 else { return .samples(0) }
      var (divisor, rest) = (exact.ticks, exact.rate)
      while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
      return .clock(MediaTime(ticks: exact.ticks / divisor, rate: exact.rate / divisor))
    }
    var queue = self
    for index in items.indices {
      var item = items[index]
      switch item.source {
      case .silence(let length): item.source = .silence(lowest(length))
      case .file(let path, let track, let range):
        let lower = QueueRange(start: lowest(range.start), end: range.end.map(lowest))
        item.source = .file(path: path, track: track, range: lower)
      }
      if case .crossfade(let length, let curve) = item.transition {
        item.transition = .crossfade(length: lowest(length), curve: curve)
      }
      for place in item.markers.indices { item.markers[place].at = lowest(item.markers[place].at) }
      queue.items[index] = item
    }
    return queue
  }
}
