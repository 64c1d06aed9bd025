// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// How a listener's head moves over a programme.
///
/// Between two points the head turns at constant speed by the shorter way round; before the first
/// and after the last it is held. Time 0 is the programme's first sample.
public struct HeadTrajectory: Sendable, Hashable, Codable {
  /// A pose at a time.
  public struct Point: Sendable, Hashable, Codable {
    /// Time since the programme's first sample, to a nanosecond; may be negative.
    public let time: MediaTime
    /// The pose then.
    public let pose: HeadPose

    /// A pose at a time.
    public init(time: MediaTime, pose: HeadPose) {
      self.time = time
      self.pose = pose
    }
  }

  /// The points, earliest first.
  public let points: [Point]
  /// The log that the points come from, in words for reports, e.g. `walk.csv`; `nil` for none.
  public var origin: String?
  private let nanoseconds: [Int64]

  /// A way through these points, at least one, each later than the one before.
  /// - Throws: ``MediaError`` of kind `usage` for none, times that don't ascend and angles out of
  ///   range (see ``HeadPose``).
  public init(_ points: [Point]) throws {
    guard !points.isEmpty else {
      throw MediaError(.usage, "the head trajectory is empty; give at least one pose")
    }
    for point in points { try point.pose.check() }
    self.points = points
    nanoseconds = points.map {
      MediaTime.rescale($0.time.ticks, by: 1_000_000_000, over: $0.time.rate)
    }
    guard zip(nanoseconds, nanoseconds.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw MediaError(.usage, "the head trajectory's times must ascend")
    }
  }

  /// A way from CSV text: lines of `time,yaw,pitch,roll`, seconds and degrees; see ``init(log:offset:startsAtFirst:)``.
  /// - Throws: ``MediaError`` of kind `usage` naming the line that is wrong.
  public init(csv text: String) throws { try self.init(log: Array(text.utf8)) }

  /// A way from a log of poses: CSV, messages of OSC as `oscdump` prints them, or a recording of OSC bundles.
  ///
  /// Lines of CSV hold `time,yaw,pitch,roll` in seconds and degrees, or the columns that a first line names, in any order and beside
  /// others: `time` or `timestamp`, with `_ms`, `_us` or `_ns` in other units; `yaw`, `pitch` and `roll`, with `_rad` in radians; or
  /// the unit quaternion `qw`, `qx`, `qy` and `qz` in axes with x ahead, y left and z up. Commas, semicolons or tabs part them; empty
  /// lines and what follows a `#` are ignored. OSC counts at addresses that end in `ypr` or `quaternions`.
  ///
  /// `offset` seconds are added to all times; those of OSC, and with `startsAtFirst` any others, count from the first pose on. The
  /// sums lie within ±1,000,000 s.
  /// - Throws: ``MediaError`` of kind `usage` naming the line that is wrong.
  public init(log bytes: [UInt8], offset: Double = 0, startsAtFirst: Bool = false) throws {
    let log = try PoseLog(bytes)
    let first = startsAtFirst || log.isWallClock ? log.entries.first?.seconds ?? 0 : 0
    try self.init(
      log.entries.map { entry in
        let seconds = entry.seconds - first + offset
        guard (-1e6...1e6).contains(seconds) else {
          throw MediaError(
            .usage,
            "head trajectory, \(entry.place): the time must be within ±1000000 s, not \(seconds); "
              + "\(setting: .trajectoryOffset) first lets the first pose begin at 0")
        }
        let ticks = Int64((seconds * 1e9).rounded())
        return Point(time: MediaTime(ticks: ticks, rate: 1_000_000_000), pose: entry.pose)
      })
  }

  /// Parts of a programme of so many seconds in which the head rests because the log doesn't reach them, in words; `nil` where each is
  /// shorter than a second. A single pose reaches nothing.
  package func gaps(in length: Double) -> String? {
    let ends = [points.first, points.last].map { Double($0?.time.milliseconds ?? 0) / 1000 }
    var parts: [String] = []
    if ends[0] >= 1 { parts.append("before \(Decibels.text(min(ends[0], length))) s") }
    if length - ends[1] >= 1 { parts.append("after \(Decibels.text(max(0, ends[1]))) s") }
    return parts.isEmpty ? nil : parts.joined(separator: " and ")
  }

  /// State of the head when `sample` of the programme is heard, at `rate` samples a second.
  func state(at sample: Int, rate: Int) -> HeadState {
    let time = MediaTime.rescale(Int64(sample), by: 1_000_000_000, over: Int64(rate))
    // The first point that is later.
    var low = 0
    var high = nanoseconds.count
    while low < high {
      let middle = (low + high) / 2
      if nanoseconds[middle] > time { high = middle } else { low = middle + 1 }
    }
    guard low > 0 else { return .resting(points[0].pose) }
    let before = points[low - 1].pose
    guard low < points.count, points[low].pose != before else { return .resting(before) }
    let part =
      Double(time - nanoseconds[low - 1]) / Double(nanoseconds[low] - nanoseconds[low - 1])
    return .moving(
      HeadRotation(before).interpolated(to: HeadRotation(points[low].pose), part: part))
  }

  /// Samples from one set of filters of a moving head to the next at `rate` samples a second: a power of two, 7…12 ms
  /// at rates from 11 kHz on.
  static func hop(rate: Int) -> Int {
    var hop = 64
    while 2 * hop <= rate / 82 { hop *= 2 }
    return hop
  }
}

/// The state of a moving head at one moment.
enum HeadState: Equatable {
  /// The head is held in this pose.
  case resting(HeadPose)
  /// The head passes through this rotation.
  case moving(HeadRotation)

  /// Whether the head is held.
  var isResting: Bool {
    if case .resting = self { return true }
    return false
  }

  /// The head's rotation.
  var rotation: HeadRotation {
    switch self {
    case .resting(let pose): return HeadRotation(pose)
    case .moving(let rotation): return rotation
    }
  }

  /// The point of the unit sphere about the head where a source in `direction` is heard.
  func place(of direction: Direction) -> SIMD3<Double> {
    switch self {
    case .resting(let pose): return pose.place(of: direction)
    case .moving(let rotation): return rotation.place(of: UnitVector.of(direction))
    }
  }
}

/// The view of a head, held or moving, on the sources of the room.
struct HeadView {
  private let pose: HeadPose
  private let trajectory: HeadTrajectory?
  private let rate: Int

  /// The view of a head in `pose`, or along `trajectory` at `rate` samples a second.
  init(pose: HeadPose, trajectory: HeadTrajectory?, rate: Int) {
    self.pose = pose
    self.trajectory = trajectory
    self.rate = rate
  }

  /// Whether the head is held.
  var isStill: Bool { trajectory == nil }

  /// State of the head at sample `time` of the programme.
  func state(at time: Int) -> HeadState {
    trajectory?.state(at: time, rate: rate) ?? .resting(pose)
  }

  /// Direction, seen in `state`, of a source at `place` of the room; exact for a head that looks ahead.
  static func place(of place: SIMD3<Double>, _ state: HeadState) -> SIMD3<Double> {
    switch state {
    case .resting(let pose):
      if pose == .ahead { return place }
      // Subtracted angles give the same bits as a bed's channel in this direction.
      return pose.place(of: UnitVector.direction(of: place))
    case .moving(let rotation): return rotation.place(of: place)
    }
  }
}
