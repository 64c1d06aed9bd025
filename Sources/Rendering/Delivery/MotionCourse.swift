import AudioCore

/// Walks through the motions of an object.
struct MotionCourse {
  private let updates: [ObjectUpdate]
  private var next = 0
  private var motion: ObjectMotion?
  private var clock: Int64 = 0

  /// The course that `updates` describe, in the order of their times.
  init(_ updates: [ObjectUpdate]) { self.updates = updates }

  /// The motion at `sample`, which never goes back; `nil` before the first update.
  mutating func motion(at sample: Int64) -> ObjectMotion? {
    while next < updates.count, updates[next].at <= sample {
      let update = updates[next]
      let before =
        motion?.advanced(by: Int(update.at - clock)) ?? ObjectMotion(restingIn: update.state)
      motion = update.motion(after: before)
      clock = update.at
      next += 1
    }
    return motion?.advanced(by: Int(sample - clock))
  }

  /// The first sample at which the object doesn't do what it should; `nil` when there is none. Compared are
  /// each update of both lists, the sample before it, and the first and last of `frames`.
  static func difference(
    of found: [ObjectUpdate], from wanted: [ObjectUpdate], frames: Int64
  ) -> Int64? {
    var (own, before, other) = (
      MotionCourse(wanted), MotionCourse(wanted), MotionCourse(found)
    )
    return places(wanted + found, frames).first { place in
      !StateComparison.isSame(
        other.motion(at: place)?.state, as: own.motion(at: place),
        after: before.motion(at: place - 1))
    }
  }

  /// The first sample at which an object isn't `channel` at full level; `nil` when there is none.
  static func difference(
    of updates: [ObjectUpdate], from channel: BedChannel, frames: Int64
  ) -> Int64? {
    var course = MotionCourse(updates)
    return places(updates, frames).first { place in
      !(course.motion(at: place).map { channel.isSame(as: $0.state) } ?? false)
    }
  }

  /// The samples that are compared.
  private static func places(_ updates: [ObjectUpdate], _ frames: Int64) -> [Int64] {
    (updates.flatMap { [$0.at - 1, $0.at] } + [0, frames - 1])
      .filter { (0..<frames).contains($0) }.sorted()
  }
}
