// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Platform

/// Tells how many samples lie between two packets of a track, where that is known to the sample.
struct PacketPlaces {
  /// The facts about a packet's place.
  struct Place {
    /// Presentation time, in ticks.
    let time: Int64?
    /// Byte of the file.
    let byte: Int64?
    /// Bytes.
    let size: Int64
    /// The first bytes, which hold its header.
    let head: [UInt8]
  }

  private let file: TrackFile
  private let clock: TrackClock
  /// Samples of the first packet.
  private let first: Int64
  private let placing: ContainerInputTraits.Placing
  private let number: FrameNumber?

  /// The rule of this track; `nil` where its codec can't be entered, or its container doesn't tell where.
  init?(_ file: TrackFile, _ clock: TrackClock, first: Int64) {
    (self.file, self.clock, self.first) = (file, clock, first)
    guard let placing = file.media.format.input?.placing, first > 0 else { return nil }
    self.placing = placing
    // The table of a movie in fragments holds only what comes before the first of them.
    let isWhole =
      !file.media.format.isMovie
      || file.media.track(of: file.stream)?.mediaDuration != nil
    switch file.stream.codecTraits.entry {
    case .numberedFrame(let numbering): number = FrameNumber(numbering, of: file.stream)
    case .anySample where placing != .frameNumber && isWhole: number = nil
    case .anyFrame where placing == .table && isWhole: number = nil
    case .anySample, .anyFrame, .beginning: return nil
    }
  }

  /// The place of the next packet; `nil` at the end and where it is damaged.
  static func place(of packets: TrackPackets) -> Place? {
    guard case .packet? = try? packets.advance(), !packets.isSuspect else { return nil }
    let packet = packets.packet
    return Place(
      time: packet.presentationTime, byte: packet.position, size: Int64(packet.size),
      head: packet.bytes(first: FrameNumber.longestHeader))
  }

  /// Moves `container` to a packet that begins about `target` samples behind the track's first one, `start`, or
  /// before that; `false` where it can't.
  func seek(_ container: InputContext, from start: Place, to target: Int64) -> Bool {
    if file.media.format.input?.seeksByReading == true {
      guard let number, let first = number.sample(start.head), let begin = start.byte,
        let byte = FrameSearch(file.media.file, number).byte(before: first + target, from: begin)
      else { return false }
      return container.seek(byte: byte)
    }
    guard let begin = start.time else { return false }
    // Stated times may be rounded up by half a tick.
    let (aim, isFar) = begin.addingReportingOverflow(clock.ticks(target) - 1)
    return !isFar && container.seek(stream: file.stream.index, to: aim)
  }

  /// Samples between the first samples of two packets, of which `start` is the track's first; `nil` where the
  /// container's times and what the packets themselves show don't agree.
  func samples(from start: Place, to end: Place) -> Int64? {
    guard let from = start.time, let to = end.time else { return nil }
    if let number {
      guard let first = number.sample(start.head), let last = number.sample(end.head) else {
        return nil
      }
      let isInTime =
        (clock.samples(to - from) - (last - first)).magnitude <= clock.samples(2).magnitude
      return isInTime ? last - first : nil
    }
    guard let samples = clock.wholeSamples(to - from) else { return nil }
    switch placing {
    case .bytes:
      // All samples have the same number of bytes.
      guard let begin = start.byte, let place = end.byte, start.size % first == 0,
        (place - begin) == samples * (start.size / first)
      else { return nil }
      return samples
    case .table:
      guard file.stream.codecTraits.isPlain || samples % first == 0 else { return nil }
      return samples
    case .frameNumber: return nil
    }
  }

  /// Whether the numbers of the frames before `sample` belong to one run. Joined files of bare frames begin their
  /// numbers anew, so that the same number may be met twice.
  func isOneRun(before sample: Int64) -> Bool {
    guard file.media.format.input?.clock == .numbered, let number else { return true }
    return NumberedRun(file.media.file, number).isOne(
      of: FLACStreamInfo(file.stream.extradata)?.samples ?? 0, behind: sample)
  }
}

/// Looks for frames in the bytes of a file by the numbers in their headers.
struct FrameSearch {
  /// Bytes read at a time.
  private static let step: Int64 = 65_536
  /// Bytes that are searched for a frame: more than most frames have.
  private static let window: Int64 = 1 << 20

  private let file: LocalFile
  private let number: FrameNumber

  /// A search through `file`, whose frames have these numbers.
  init(_ file: LocalFile, _ number: FrameNumber) {
    self.file = file
    self.number = number
  }

  /// The first frame that begins at byte `place` or behind: its byte, and the number of its first sample.
  func frame(from place: Int64) -> (byte: Int64, sample: Int64)? {
    for start in stride(from: place, to: place + FrameSearch.window, by: Int(FrameSearch.step)) {
      // A header may reach into the next bytes.
      let bytes = file.bytes(
        at: start, count: Int(FrameSearch.step) + FrameNumber.longestHeader)
      for index in bytes.indices.prefix(Int(FrameSearch.step))
      where number.mayBegin(with: bytes[index]) {
        if let sample = number.sample(bytes[index...]) { return (start + Int64(index), sample) }
      }
    }
    return nil
  }

  /// The byte of a frame shortly before the one with `sample`, by bisection; `nil` when only the one at byte `begin`
  /// is found.
  func byte(before sample: Int64, from begin: Int64) -> Int64? {
    var (low, high) = (begin, file.size)
    while high - low > FrameSearch.step {
      let middle = low + (high - low) / 2
      if let found = frame(from: middle), found.byte < high, found.sample <= sample {
        low = found.byte
      } else {
        high = middle
      }
    }
    return low > begin ? low : nil
  }
}

/// Looks through a file of bare frames for signs that several files were joined to it.
struct NumberedRun {
  /// Places that are looked at.
  private static let probes: Int64 = 8
  /// Bytes at the end that hold a frame.
  private static let tail: Int64 = 262_144

  private let file: LocalFile
  private let number: FrameNumber

  /// A search through `file`, whose frames have these numbers.
  init(_ file: LocalFile, _ number: FrameNumber) {
    self.file = file
    self.number = number
  }

  /// Whether the numbers grow from each place to the next and stay below `samples`, which the header states of the
  /// whole; also `false` where no frame is found, or the header states less than `sample` samples.
  func isOne(of samples: Int64, behind sample: Int64) -> Bool {
    guard samples > sample else { return false }
    let last = file.size - NumberedRun.tail
    let search = FrameSearch(file, number)
    var before: Int64 = -1
    for probe in 1...NumberedRun.probes {
      let place = max(0, last) / NumberedRun.probes * probe
      guard let found = search.frame(from: place)?.sample, found > before, found < samples else {
        // The places of a short file overlap.
        return false
      }
      before = found
    }
    return true
  }
}
