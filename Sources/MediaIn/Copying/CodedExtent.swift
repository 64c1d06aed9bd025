import AudioCore

/// The frames of a track that a range takes: whole frames, from one at which decoding may begin.
struct CodedExtent {
  private let from: Int64?
  private let to: Int64?
  private var index: Int
  private var end: Int64 = 0
  /// Frames before the first taken.
  private(set) var skipped = 0
  /// Frames taken.
  private(set) var count = 0
  /// Time of the first frame taken.
  private(set) var firstTime: Int64 = 0

  /// Frames that begin at or after the range's end.
  private(set) var behind = 0

  /// A range of the track's presentation. An edit may present the media from a later point on, and end
  /// before the media does. `damaged` frames before the first one that is added are left out.
  init(
    from: MediaTime?, to: MediaTime?, edit: CopyChoice.Edit?, timescale: Int64, damaged: Int = 0
  ) {
    index = damaged
    let lead = edit?.mediaTime ?? 0
    func ticks(_ time: MediaTime) -> Int64 {
      let value = MediaTime.rescale(time.ticks, by: timescale, over: time.rate)
      // 2^60 ticks are beyond any track, and the sum with `lead` still fits into 64 bits.
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
    // Copying starts at the last frame, at or before the range's beginning, where decoding may begin. So
    // each such frame discards the frames before it.
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
