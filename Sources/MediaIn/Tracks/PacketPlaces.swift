import AudioCore
import LibAV

/// Tells how many samples lie between two packets of a track, where that is known to the sample.
struct PacketPlaces {
  /// What is known of a packet's place.
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
