// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A timeline in JSON of OpenTimelineIO, with its one track of sound.
package struct OTIOTimeline: Sendable, Equatable {
  /// A clip, or silence.
  package struct Element: Sendable, Equatable {
    /// The clip's name; empty for silence.
    package let name: String
    /// The path below the timeline's folder; `nil` for silence.
    package let path: String?
    /// Start in the file, from the file's first sample on; of silence 0.
    package internal(set) var start: MediaTime
    /// End in the file; `nil` for the file's end. Of silence its length.
    package internal(set) var end: MediaTime?
    /// End of the file; `nil` where the timeline doesn't say it.
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
  /// Notes on what was replaced or left out.
  package internal(set) var notes: [ListNote] = []

  /// Reads a timeline.
  ///
  /// Rates within 1e-4 of n or n·1000/1001 and values within 1e-6 of a whole number are taken as these; from
  /// there on times are exact. A disabled clip is silence. A transition becomes a crossfade that takes what
  /// it needs of the neighbours' files, so that the timeline keeps its length.
  /// - Throws: ``ListError`` that names the clip: for several tracks of sound, nested stacks, changes of
  ///   speed, times that aren't whole, handles that are missing, and files that aren't in the folder.
  package init(_ bytes: [UInt8], in folder: ListFolder) throws(ListError) {
    // The metadata of other programs are most of the text, and have no meaning here.
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

/// Makes exact times of those of OpenTimelineIO, whose values and rates are Doubles.
enum OTIOTime {
  /// How far a rate may lie from n or n·1000/1001: 23.976 is 24000/1001.
  private static let rateTolerance = 1e-4
  /// How far a value may lie from a whole number.
  private static let valueTolerance = 1e-6
  private static let mostRate = 1e9
  private static let mostValue = 281_474_976_710_656.0

  /// The exact time of a `RationalTime.1`; `who` is named in messages.
  static func time(_ tree: JSONTree?, of who: String) throws(ListError) -> MediaTime {
    guard let tree, tree["OTIO_SCHEMA"]?.string == "RationalTime.1",
      case .number(let value)? = tree["value"], case .number(let rate)? = tree["rate"]
    else { throw ListError(.inputUnreadable, "\(who) has no RationalTime.1 where one belongs") }
    let ticks = value.rounded()
    guard abs(value - ticks) <= valueTolerance, abs(ticks) <= mostValue else {
      throw ListError(
        .inputUnreadable,
        "\(who) has the time \(value) at rate \(rate), which isn't whole; "
          + "conform the timeline to one rate")
    }
    guard rate <= mostRate, rate >= 0.5 else { throw badRate(rate, who) }
    let whole = rate.rounded()
    if whole >= 1, abs(rate - whole) <= rateTolerance {
      return MediaTime(ticks: Int64(ticks), rate: Int64(whole))
    }
    let video = (rate * 1.001).rounded()
    guard abs(rate - video * 1000 / 1001) <= rateTolerance else { throw badRate(rate, who) }
    return MediaTime(ticks: Int64(ticks) * 1001, rate: Int64(video) * 1000)
  }

  /// The start and the length of a `TimeRange.1`.
  static func range(
    _ tree: JSONTree?, of who: String
  ) throws(ListError) -> (start: MediaTime, duration: MediaTime) {
    guard let tree, tree["OTIO_SCHEMA"]?.string == "TimeRange.1" else {
      throw ListError(.inputUnreadable, "\(who) has no TimeRange.1 where one belongs")
    }
    let range = (try time(tree["start_time"], of: who), try time(tree["duration"], of: who))
    guard range.1.ticks >= 0 else {
      throw ListError(.inputUnreadable, "\(who) has a negative length; correct it")
    }
    return range
  }

  /// The exact sum of two times, or their difference.
  static func sum(
    _ left: MediaTime, _ right: MediaTime, isNegative: Bool = false, of who: String
  ) throws(ListError) -> MediaTime {
    guard let sum = left.adding(right, isNegative: isNegative) else {
      throw ListError(
        .inputUnreadable, "the times of \(who) can't be added exactly; use fewer different rates")
    }
    return sum
  }

  private static func badRate(_ rate: Double, _ who: String) -> ListError {
    ListError(
      .inputUnreadable,
      "\(who) has the rate \(rate), which is neither whole nor a whole one times 1000/1001; "
        + "conform the timeline to one rate")
  }
}
