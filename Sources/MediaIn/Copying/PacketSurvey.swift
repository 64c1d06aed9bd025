// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Platform

/// Everything that must be known of streams before their first frame is copied. All of their packets are read once to find it.
package struct PacketSurvey {
  /// Findings on one stream.
  package struct Track: Sendable {
    package let wanted: FrameStream
    /// Why it can't be copied; `nil` where it can.
    package fileprivate(set) var fault: String?
    /// AudioSpecificConfig, where the frames had headers that state it.
    package fileprivate(set) var configuration: [UInt8]?
    /// Frames in the range.
    package private(set) var count = 0
    /// Frames that the container marks as damaged and packets that are no frames, but for those in front of the first whole frame and in
    /// the file's last second: there a file was cut.
    package private(set) var damaged = 0
    private var hasWhole = false
    /// Damaged frames in front of the first whole one.
    private var early = 0
    /// Damaged frames that may lie in the last second, and the time of the first of them.
    private var suspects = (count: 0, since: MediaTime(ticks: 0, rate: 1))
    /// When the last frame begins, or what should have been one.
    fileprivate private(set) var end = MediaTime(ticks: 0, rate: 1)
    /// When the first frame is presented.
    package private(set) var first = MediaTime(ticks: 0, rate: 1)
    /// Time that each frame but the last lasts; `nil` where that varies or isn't stated.
    package private(set) var frame: MediaTime?
    /// Ticks of the stream's own clock of which all distances between frames are multiples; 1 where a range moved a time.
    package private(set) var grid: Int64 = 0
    private var isSteady = true
    /// Time that the last frame lasts.
    private var last: MediaTime?

    fileprivate init(_ wanted: FrameStream) { self.wanted = wanted }

    fileprivate mutating func add(_ next: CodedFrame) {
      if count == 0 {
        first = next.time
        frame = next.duration
      } else if frame != last {
        isSteady = false
      }
      if !isSteady { frame = nil }
      last = next.duration
      end = count == 0 ? next.time : max(end, next.time)
      count += 1
      if suspects.count > 0, next.time > suspects.since + MediaTime(ticks: 1, rate: 1) {
        damaged += suspects.count
        suspects.count = 0
      }
      if !next.isDamaged {
        hasWhole = true
      } else if hasWhole {
        if suspects.count == 0 { suspects.since = next.time }
        suspects.count += 1
      } else {
        early += 1
      }
      let distance = next.time + -first
      let isOwn = distance.rate == wanted.stream.timeBase.denominator
      grid = isOwn ? grid.commonDivisor(distance.ticks) : 1
    }

    /// Adds the packets behind the last frame, of which no frame could be made.
    fileprivate mutating func add(_ lost: LostPackets) {
      guard lost.count > 0, count > 0 else { return }
      end = max(end, lost.until)
      if suspects.count == 0 || lost.since < suspects.since { suspects.since = lost.since }
      suspects.count += lost.count
    }

    /// Decides on the damage near the end, where the last frames that the file has begin at `last`.
    fileprivate mutating func settle(_ last: MediaTime) {
      if suspects.count > 0, last > suspects.since + MediaTime(ticks: 1, rate: 1) {
        damaged += suspects.count
        suspects.count = 0
      }
      // A stream without any whole frame wasn't just cut, unless it has subtitles at the end alone.
      let isCut = wanted.stream.kind != .audio && last <= first + MediaTime(ticks: 1, rate: 1)
      if !hasWhole, !isCut { damaged += early }
    }
  }

  /// In the order in which the streams were given.
  package private(set) var tracks: [Track]
  /// Why reading ended early, if it did.
  package private(set) var damage: String?

  private let file: LocalFile
  private let range: FrameRange
  private let options: InputOptions

  /// Reads all packets of `streams`.
  /// - Throws: ``MediaError`` when the file can't be opened or memory is out.
  package init(
    file: LocalFile, _ streams: [FrameStream], range: FrameRange, options: InputOptions
  ) throws {
    self.file = file
    self.range = range
    self.options = options
    tracks = streams.map(Track.init)
    guard !streams.isEmpty else { return }
    let frames = try PacketFrames(file: file, streams, range: range, options: options)
    while let frame = try frames.next() { tracks[frame.track].add(frame) }
    for place in tracks.indices {
      tracks[place].fault = frames.fault(of: place)
      tracks[place].configuration = frames.configuration(of: place)
      if tracks[place].count == 0, tracks[place].fault == nil {
        tracks[place].fault =
          frames.lost(of: place).count > 0
          ? "none of its packets holds a whole frame" : "nothing of it lies in the output"
      }
    }
    for place in tracks.indices { tracks[place].add(frames.lost(of: place)) }
    settle(frames)
    damage = frames.damage
  }

  /// Decides which damage is where the file was cut.
  private mutating func settle(_ frames: PacketFrames) {
    for place in tracks.indices { tracks[place].add(frames.lost(of: place)) }
    let found = tracks.filter { $0.count > 0 }
    let sound = found.filter { $0.wanted.stream.kind == .audio }.map(\.end).max()
    // Subtitles lie far apart, so that their last one says nothing of the file's end. Some are sent long before they are shown, so that
    // sound ends earlier.
    let last = (found.map(\.end) + [frames.statedEnd].compactMap { $0 }).max()
    for place in tracks.indices {
      let end = tracks[place].wanted.stream.kind == .audio ? sound : last
      tracks[place].settle(end ?? tracks[place].end)
    }
  }

  /// The streams that can be copied, by their places among those that were given.
  package var usable: [Int] { tracks.indices.filter { tracks[$0].fault == nil } }

  /// The frames of the streams that can be copied, once more; each counts by its place in ``usable``.
  /// - Throws: as the initialiser.
  package func makeFrames() throws -> PacketFrames {
    try PacketFrames(file: file, usable.map { tracks[$0].wanted }, range: range, options: options)
  }
}

extension Int64 {
  /// The greatest common divisor with `other`, by Euclid; 0 has that of the other number.
  package func commonDivisor(_ other: Int64) -> Int64 {
    var (large, small) = (magnitude, other.magnitude)
    while small > 0 { (large, small) = (small, large % small) }
    return Int64(clamping: large)
  }
}
