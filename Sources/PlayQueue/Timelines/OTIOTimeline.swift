import AudioCore

/// A timeline in JSON of OpenTimelineIO, with its one track of sound.
package struct OTIOTimeline: Sendable, Equatable {
  /// A clip, or silence.
  package struct Element: Sendable, Equatable {
    /// The clip's name; empty for silence.
    package let name: String
    /// The path below the timeline's folder; `nil` for silence.
    package let path: String?
    /// Where it begins in the file, from the file's first sample on; of silence 0.
    package internal(set) var start: MediaTime
    /// Where it ends in the file; `nil` for the file's end. Of silence its length.
    package internal(set) var end: MediaTime?
    /// Where the file ends; `nil` where the timeline doesn't say it.
    package let mediaEnd: MediaTime?
    /// Points in the file.
    package var markers: [Marker] = []
    /// By how much it overlaps the element before.
    package internal(set) var crossfade: MediaTime?
    /// Length of the fade at its beginning, which only the first element has.
    package internal(set) var fadeIn: MediaTime?
    /// Length of the fade at its end, which only the last element has.
    package internal(set) var fadeOut: MediaTime?
  }

  /// A named point.
  package struct Marker: Sendable, Equatable {
    /// Time in the file, from the file's first sample on.
    package let at: MediaTime
    /// Its name.
    package let title: String
  }

  /// The timeline's name; `nil` without one.
  package internal(set) var title: String?
  /// Clips and silence in their order, extended by what transitions take of their files; at least one.
  package internal(set) var elements: [Element] = []
  /// What was replaced or left out.
  package internal(set) var notes: [ListNote] = []

  /// Reads a timeline.
  ///
  /// Rates within 1e-4 of n or n·1000/1001 and values within 1e-6 of a whole number are taken as these; from
  /// there on times are exact. A disabled clip is silence. A transition becomes a crossfade that takes what
  /// it needs of the neighbours' files, so that the timeline keeps its length.
  /// - Throws: ``ListError`` that names the clip: for several tracks of sound, nested stacks, changes of
  ///   speed, times that aren't whole, handles that are missing, and files that aren't in the folder.
  package init(_ bytes: [UInt8], in folder: ListFolder) throws(ListError) {
    // What other programs remember there is most of the text, and has no meaning here.
    let root = try JSONReader.tree(of: bytes, without: ["metadata"])
    var reader = OTIOReader(folder: folder)
    try reader.read(timeline: root)
    self = reader.timeline
  }

  init() {}
}

extension ReadQueue {
  /// The queue of a timeline: one item for each clip and each silence.
  package init(_ timeline: OTIOTimeline) {
    var notes = timeline.notes
    var items: [QueueItem] = []
    for element in timeline.elements {
      var item = QueueItem(element.source)
      item.title = ReadQueue.text(element.name)
      item.transition = element.crossfade.map {
        .crossfade(length: .clock($0), curve: .equalPower)
      }
      item.fadeIn = element.fadeIn.map { Fade(.clock($0)) }
      item.fadeOut = element.fadeOut.map { Fade(.clock($0)) }
      for marker in element.markers {
        let isInside = marker.at >= element.start && element.end.map { marker.at <= $0 } ?? true
        if isInside, let at = marker.at.adding(element.start, isNegative: true) {
          item.markers.append(QueueMarker(at: .clock(at), title: marker.title))
        } else {
          notes.keep(
            ListNote(
              .ignored,
              "the marker \(ListWord.quoted(marker.title)) lies outside of the clip "
                + "\(ListWord.quoted(element.name)) and has no effect"))
        }
      }
      items.append(item)
    }
    var queue = PlayQueue(items)
    queue.tags = ReadQueue.tags([.title: timeline.title])
    self.init(
      queue, lines: items.map { _ in nil }, notes: notes, title: ReadQueue.text(timeline.title))
  }
}

extension OTIOTimeline.Element {
  fileprivate var source: QueueSource {
    guard let path else { return .silence(.clock(end ?? MediaTime(ticks: 0, rate: 1))) }
    return .file(
      path: path, track: nil,
      range: QueueRange(
        start: start.ticks == 0 ? .samples(0) : .clock(start), end: end.map { .clock($0) }))
  }
}

extension MediaTime {
  /// The exact sum with `other`, or the difference; `nil` where it doesn't fit into 64 bits.
  func adding(_ other: MediaTime, isNegative: Bool = false) -> MediaTime? {
    var sum = ExactTime()
    do {
      try sum.add(self)
      try sum.add(other, isNegative: isNegative)
    } catch { return nil }
    guard let ticks = Int64(exactly: sum.ticks), let rate = Int64(exactly: sum.rate) else {
      return nil
    }
    return MediaTime(ticks: ticks, rate: rate)
  }
}
