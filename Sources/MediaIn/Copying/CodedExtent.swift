import AudioCore

/// Which frames of a track a range takes: whole ones, from a frame at which decoding may begin.
struct CodedExtent {
  private let from: Int64?
  private let to: Int64?
  private var index = 0
  private var end: Int64 = 0
  /// Frames before the first taken.
  private(set) var skipped = 0
  /// Frames taken.
  private(set) var count = 0
  /// Time of the first frame taken.
  private(set) var firstTime: Int64 = 0

  /// Frames that begin behind the end.
  private(set) var behind = 0

  /// A range in seconds of the track's presentation, which an edit may begin later in the media and
  /// end earlier than them.
  init(from: MediaTime?, to: MediaTime?, edit: CopyChoice.Edit?, timescale: Int64) {
    let lead = edit?.mediaTime ?? 0
    func ticks(_ time: MediaTime) -> Int64 {
      let value = MediaTime.rescale(time.ticks, by: timescale, over: time.rate)
      return min(value, 1 << 60) + lead
    }
    self.from = from.map(ticks)
    self.to = [to.map(ticks), edit?.duration.map { $0 + lead }].compactMap { $0 }.min()
  }

  /// Whether the frames taken end behind the range's beginning.
  var reachesRange: Bool { from.map { end > $0 } ?? true }

  /// Ticks that the frames taken last.
  var length: Int64 { count > 0 ? end - firstTime : 0 }

  /// Takes or passes over the next frame.
  mutating func add(_ unit: AccessUnit) {
    defer { index += 1 }
    if let to, unit.time >= to {
      behind += 1
      return
    }
    // The last frame at or before the range's beginning where decoding may begin.
    if unit.isSync, unit.time <= from ?? .min || count == 0 {
      skipped = index
      firstTime = unit.time
      count = 0
    }
    guard count > 0 || unit.isSync else { return }
    count += 1
    end = unit.time + unit.duration
  }
}
