// SPDX-License-Identifier: Apache-2.0
import AudioCore
import PlayQueue

/// Edits of one queue, each of which may cost a new render of an item or not.
struct QueueEditScript: Sendable {
  /// Items of the base queue at each place, and files that edits bring in.
  struct Files: Sendable {
    /// Stereo at 44.1 kHz in FLAC, 20,000 samples.
    var flac = ""
    /// Mono at 48 kHz, 15,000 samples.
    var mono = ""
    /// Stereo at 44.1 kHz in MP3.
    var mp3 = ""
    /// 5.1 at 48 kHz, 8000 samples.
    var surround = ""
    /// Stereo at 32 kHz, 12,000 samples.
    var slow = ""
    /// The bytes of ``mono`` under another name.
    var twin = ""
    /// Stereo at 48 kHz, 9000 samples; not in the base queue.
    var fresh = ""
  }

  /// Name of the edit, in words.
  let name: String
  /// Items with sound that come from a cache of the base queue; `nil` where the test doesn't say.
  let reused: Int?
  /// The edit.
  let edit: @Sendable (inout PlayQueue, Files) -> Void

  private init(
    _ name: String, reused: Int? = nil, _ edit: @escaping @Sendable (inout PlayQueue, Files) -> Void
  ) {
    self.name = name
    self.reused = reused
    self.edit = edit
  }

  /// The queue that is edited: six items, five of them with sound.
  static func base(_ files: Files) -> PlayQueue {
    var queue = PlayQueue([
      QueueCase.item(files.flac), QueueCase.item(files.mono), QueueCase.item(files.mp3),
      QueueItem(.silence(.samples(2000))), QueueCase.item(files.surround),
      QueueCase.item(files.slow),
    ])
    queue.rate = 48_000
    queue.items[0].title = "First"
    queue.items[2].transition = .crossfade(length: .samples(1500), curve: .equalPower)
    queue.items[5].gain = -3
    return queue
  }

  /// All edits.
  static let all = places + ranges + levels + joins + settings

  private static let places = [
    QueueEditScript("a file in front", reused: 5) {
      $0.items.insert(QueueCase.item($1.fresh), at: 0)
    },
    QueueEditScript("a file in the middle", reused: 5) {
      $0.items.insert(QueueCase.item($1.fresh), at: 4)
    },
    QueueEditScript("a file at the end", reused: 5) { $0.items.append(QueueCase.item($1.fresh)) },
    QueueEditScript("the first item removed", reused: 4) { queue, _ in queue.items.removeFirst() },
    QueueEditScript("an item in the middle removed", reused: 4) { queue, _ in
      queue.items.remove(at: 4)
    },
    QueueEditScript("the last item removed", reused: 4) { queue, _ in queue.items.removeLast() },
    QueueEditScript("the silence removed", reused: 5) { queue, _ in queue.items.remove(at: 3) },
    QueueEditScript("two neighbours change places", reused: 5) { queue, _ in
      queue.items.swapAt(4, 5)
    },
    QueueEditScript("the last item comes first", reused: 5) { queue, _ in
      queue.items.insert(queue.items.removeLast(), at: 0)
    },
    QueueEditScript("an item twice", reused: 6) { $0.items.append(QueueCase.item($1.surround)) },
    QueueEditScript("an item replaced", reused: 4) {
      $0.items[1].source = QueueCase.item($1.fresh).source
    },
    QueueEditScript("an item replaced by silence", reused: 4) { queue, _ in
      queue.items[4].source = .silence(.samples(8000))
    },
    QueueEditScript("the same bytes under another name", reused: 5) {
      $0.items[1].source = QueueCase.item($1.twin).source
    },
    QueueEditScript("only one item left", reused: 1) { queue, _ in
      queue.items = [queue.items[0]]
    },
  ]

  private static let ranges = [
    QueueEditScript("a range that begins later", reused: 4) {
      $0.items[0] = QueueCase.item($1.flac, 137..<20_000)
    },
    QueueEditScript("a range that ends earlier", reused: 4) {
      $0.items[0] = QueueCase.item($1.flac, 0..<19_999)
    },
    QueueEditScript("a range in the middle of an MP3", reused: 4) {
      $0.items[2].source = QueueCase.item($1.mp3, 1153..<7001).source
    },
    QueueEditScript("one sample of an item", reused: 4) {
      $0.items[4] = QueueCase.item($1.surround, 77..<78)
    },
    QueueEditScript("an item cut in two", reused: 4) {
      $0.items[4] = QueueCase.item($1.surround, 0..<3001)
      $0.items.insert(QueueCase.item($1.surround, 3001..<8000), at: 5)
    },
    QueueEditScript("longer silence", reused: 5) { queue, _ in
      queue.items[3].source = .silence(.samples(2001))
    },
    QueueEditScript("shorter silence", reused: 5) { queue, _ in
      queue.items[3].source = .silence(.clock(MediaTime(ticks: 1, rate: 100)))
    },
  ]

  private static let levels = [
    QueueEditScript("a gain", reused: 5) { queue, _ in queue.items[1].gain = -6 },
    QueueEditScript("another gain", reused: 5) { queue, _ in queue.items[5].gain = 1.5 },
    QueueEditScript("a fade in", reused: 5) { queue, _ in
      queue.items[0].fadeIn = Fade(.samples(999))
    },
    QueueEditScript("a straight fade out", reused: 5) { queue, _ in
      queue.items[5].fadeOut = Fade(.samples(5000), curve: .equalGain)
    },
    QueueEditScript("a fade in decibels", reused: 5) { queue, _ in
      queue.items[4].fadeIn = Fade(.samples(4000), curve: .linearDecibels)
    },
    QueueEditScript("a fade over all of an item", reused: 5) { queue, _ in
      queue.items[4].fadeOut = Fade(.samples(8000))
    },
    QueueEditScript("a loudness of its own", reused: 5) { queue, _ in
      queue.items[4].loudness = -20
    },
    QueueEditScript("each item at the target", reused: 5) { queue, _ in queue.loudness = .item },
    QueueEditScript("each item and the whole at the target", reused: 5) { queue, _ in
      queue.loudness = .both
    },
  ]

  private static let joins = [
    QueueEditScript("a longer crossfade", reused: 5) { queue, _ in
      queue.items[2].transition = .crossfade(length: .samples(3000), curve: .equalPower)
    },
    QueueEditScript("a crossfade of another curve", reused: 5) { queue, _ in
      queue.items[2].transition = .crossfade(length: .samples(1500), curve: .linearDecibels)
    },
    QueueEditScript("a crossfade becomes a cut") { queue, _ in queue.items[2].transition = nil },
    QueueEditScript("crossfades everywhere", reused: 5) { queue, _ in
      queue.transition = .crossfade(length: .samples(500), curve: .equalGain)
    },
    QueueEditScript("gaps everywhere", reused: 5) { queue, _ in
      queue.transition = .gap(.samples(333))
    },
    QueueEditScript("a gap before one item", reused: 5) { queue, _ in
      queue.items[4].transition = .gap(.clock(MediaTime(ticks: 101, rate: 10_000)))
    },
  ]

  private static let settings = [
    QueueEditScript("nothing", reused: 5) { _, _ in },
    QueueEditScript("another title", reused: 5) { queue, _ in queue.items[0].title = "Other" },
    QueueEditScript("no chapters", reused: 5) { queue, _ in queue.chapters = .none },
    QueueEditScript("tags of the queue", reused: 5) { queue, _ in queue.tags["album"] = "Album" },
    QueueEditScript("another rate of the programme") { queue, _ in queue.rate = 44_100 },
    QueueEditScript("many things at once") {
      $0.items[0].gain = -1
      $0.items.swapAt(1, 5)
      $0.items.append(QueueCase.item($1.fresh, 5..<5005))
      $0.items[3].source = .silence(.samples(7))
    },
  ]
}
