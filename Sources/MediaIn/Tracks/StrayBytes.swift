import AudioCore
import LibAV
import Platform

/// Bytes of a bare stream that belong to no frame. libavformat's parsers pass over them, or add them to the frame before; where
/// they are a frame with a broken header, sound is missing.
struct StrayBytes {
  /// A place in front of which sound is missing.
  struct Loss {
    /// The bytes that lie there.
    let finding: String
    /// Samples of the frames that may have been there.
    let samples: Int
  }

  /// Frames in a row that may be lost after those of a packet.
  private static let mostLost = 8

  /// Bytes that were passed over, beside which no sound is missing.
  private(set) var passed: Int64 = 0
  private let frames: CodecTraits.BareFrames?
  /// Byte after the last packet.
  private var end: Int64?
  private var units = UnitTimes()

  /// The stray bytes between frames of `codec`.
  init(_ codec: CodecTraits) { frames = codec.bareFrames }

  /// Notes `packet` as libavformat has read it; answers what is missing before it.
  mutating func note(_ packet: Packet) -> Loss? {
    let place = packet.position
    let gap = place.flatMap { place in end.map { place - $0 } } ?? 0
    end = place.map { $0 + Int64(packet.size) }
    let samples = frames == .timed ? units.lost(before: packet.bytes(first: 4)) : 0
    guard gap > 0 else { return nil }
    guard samples > 0 else {
      passed += gap
      return nil
    }
    return Loss(finding: "\(gap) bytes before it belong to no frame", samples: samples)
  }

  /// Takes off `packet` what follows its frames; answers what may be missing there.
  /// - Throws: ``LibAVError`` when memory is out.
  mutating func takeRest(of packet: Packet) throws -> Loss? {
    guard frames == .dolby || frames == .dts, !packet.isCorrupt, !packet.isEncrypted else {
      return nil
    }
    let bytes = packet.bytes()
    guard let walk = FrameWalk(bytes), walk.end < bytes.count else { return nil }
    let rest = bytes[walk.end...]
    let isFilling = rest.allSatisfy { $0 == 0 }
    // Frames of DTS are filled up to the size of bursts, which its decoder knows.
    if isFilling, frames == .dts { return nil }
    // More than a few lost frames look like another stream between the frames of this one.
    guard isFilling || rest.count <= walk.end * StrayBytes.mostLost else { return nil }
    try packet.narrow(
      to: Array(bytes[..<walk.end]), time: packet.presentationTime, duration: packet.duration)
    let samples = walk.samples(lostIn: rest.count)
    // Zeros that end the file are no frame, which shows once nothing follows them.
    guard samples > 0 || isFilling else {
      passed += Int64(rest.count)
      return nil
    }
    let name = isFilling ? "zeros" : "no frame"
    return Loss(finding: "\(rest.count) bytes of \(name) follow a frame", samples: samples)
  }

  /// Whether `packet` is shorter than the frame of MPEG audio in it: the last one of a file that was cut.
  func isCut(_ packet: Packet) -> Bool {
    guard frames == .mpeg, let size = FrameWalk.mpeg(packet.bytes(first: 4)) else { return false }
    return packet.size < size
  }

  /// Notes the end of `file`. libavformat's reader of ADTS counts places without what it
  /// passes over, so that only the sum shows it.
  mutating func close(_ file: LocalFile) {
    defer { end = nil }
    guard frames == .adts, let end else { return }
    let limit = TrailingTags(.all).range(in: file)?.lowerBound ?? file.size
    if end < limit { passed += FrameWalk.strayBytes(ofADTS: file, to: limit) }
  }

  /// Times in the access units of TrueHD and MLP, by which lost ones are counted. Joined programmes have jumps of time, too, so that
  /// these count beside stray bytes only.
  private struct UnitTimes {
    private var last: UInt16?
    private var step: UInt16?
    private var jump = 0

    /// Samples that are missing before the unit that begins with `head`, or before the one in front of it: after a loss,
    /// libavformat gives the first unit the place of the lost ones, so that only the second one shows the stray bytes.
    mutating func lost(before head: [UInt8]) -> Int {
      guard head.count == 4 else { return 0 }
      // unit_length with its check nibble; then input_timing, in samples.
      let time = UInt16(head[2]) << 8 | UInt16(head[3])
      defer { last = time }
      guard let last else { return 0 }
      let before = jump
      jump = Int(time &- last &- (step ?? time &- last))
      step = step ?? time &- last
      return max(before, jump)
    }
  }
}
