// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV

/// The packets of one track, one after the other, with what their headers say.
final class TrackPackets {
  /// The result of reading on.
  enum Step {
    /// The next packet of the track was read.
    case packet
    /// A damaged spot in the container.
    case damage(String, samples: Int)
    /// No more packets.
    case end
  }

  /// The place where reading began.
  private enum Beginning {
    /// At the track's first packet.
    case track
    /// In mid-track, with the current packet, which is still to be given.
    case held
    /// In mid-track.
    case middle
  }

  /// The current packet.
  let packet: Packet
  /// Number of the current packet among those of the track, from 0, damaged ones included.
  private(set) var index = -1
  /// Number of the current packet; `nil` where packets before it were left out.
  var number: Int? { beginning == .track ? index : nil }
  /// Byte of the file after the current packet; `nil` where its place isn't known.
  var end: Int64? { packet.position.map { $0 + Int64(packet.size) } }
  /// Duration that the current packet declares, in ticks; 0 for none.
  private(set) var duration: Int64 = 0
  /// Whether the container marks the current packet as corrupt; the reader resets it once that is noted.
  var isSuspect = false
  /// Whether the current packet is shorter than its header says.
  private(set) var isCut = false
  /// Whether the current packet was cut from one that the container marks as corrupt.
  private(set) var isInDoubt = false
  /// Frames that were decoded from the current packet.
  var frames = 0
  /// Header of the first packet of an AC-3 or E-AC-3 track.
  private(set) var firstHeader: DolbyHeader?
  /// Header of the current packet of an AC-3 or E-AC-3 track.
  private(set) var header: DolbyHeader?
  /// The frame without sound in front of that of an MP3, wherever it lies; it is none of the packets.
  private(set) var infoFrame: InfoFrame?
  /// Samples of that frame, where the container has it among the others.
  private(set) var samplesLeftOut: Int64 = 0
  /// Bytes that belong to no frame and were passed over.
  var strayBytes: Int64 { stray?.passed ?? 0 }
  /// Faults of the packets' timestamps.
  private(set) var clockFaults = ClockFaults()

  /// Whether the current packet is decoded to samples that no page of Ogg counts.
  private(set) var isUncounted = false
  /// Samples of all packets of Ogg after which everything is padding; `nil` as long as that isn't known.
  var limit: Int64? { ogg?.limit }

  /// The file that they are read from.
  let media: MediaFile

  private let stream: StreamInfo
  private let isSizeUnknown: Bool
  private let hasDolbyHeader: Bool
  /// Ticks by which the first packet's presentation time is too late.
  private let firstDelay: Int64
  private let amr: CodecTraits.AMRBand?
  private let mayHaveInfoFrame: Bool
  /// Bytes that belong to none of the frames; `nil` where a container places them.
  private var stray: StrayBytes?
  /// Sound that is missing before the next packet.
  private var loss: StrayBytes.Loss?
  /// Whether the current packet was read, but a loss before it goes first.
  private var isWaiting = false
  /// Frames of AMR that were read in one packet and are still to be given, the next one last.
  private var framesLeft: [AMRFrame] = []
  /// Samples by which the decoder is late, which the pages of Ogg don't count.
  var decoderDelay: Int { Int(ogg?.delay ?? 0) }

  /// The packets by the pages of Ogg; `nil` where libavformat reads them.
  private var ogg: OggPackets?
  private var beginning = Beginning.track
  private var failedReads = 0
  /// Whether nothing more can be read after the last damaged spot.
  private var isFinished = false
  /// Damaged spots in a row after which the rest of the file counts as lost.
  private static let mostFailedReads = 100

  /// The packets of `stream`; `isSizeUnknown` where the header leaves the length open.
  /// - Throws: ``LibAVError`` when memory is out.
  init(_ stream: StreamInfo, of media: MediaFile, isSizeUnknown: Bool) throws {
    self.media = media
    self.stream = stream
    self.isSizeUnknown = isSizeUnknown
    // Looked up once: the table of codecs is searched by name.
    hasDolbyHeader = stream.codecTraits.hasDolbyHeader
    amr = stream.codecTraits.packsAMR
    firstDelay = media.track(of: stream)?.firstDelay ?? 0
    mayHaveInfoFrame = stream.codecTraits == .mp3
    // libavformat leaves it out of bare MP3.
    if mayHaveInfoFrame, media.format.input?.startUp == .infoFrame {
      infoFrame = MP3InfoTag.frame(in: media.file)
    }
    packet = try Packet()
    if media.format.input?.hasClock == false { stray = StrayBytes(stream.codecTraits) }
    ogg = media.oggStream(of: stream).map { OggPackets($0, in: media.file) }
    media.container?.select(stream: stream.index)
  }

  /// Makes the current packet the first: ``advance()`` gives it once more.
  func begin() { beginning = .held }

  /// Reads up to the next packet of the track, or to the next damaged spot.
  /// - Throws: ``MediaError`` of kind `encrypted` or `inputUnreadable`, ``LibAVError`` when memory is
  ///   out.
  func advance() throws -> Step {
    if beginning == .held {
      beginning = .middle
      return .packet
    }
    if let loss {
      self.loss = nil
      return .damage(loss.finding, samples: loss.samples)
    }
    if isWaiting {
      isWaiting = false
    } else if let next = framesLeft.popLast() {
      try packet.narrow(to: next.data, time: next.time, duration: next.duration)
    } else if ogg != nil {
      guard let next = ogg?.read() else { return .end }
      isUncounted = next.samples == 0
      let counts = stream.timeBase == (1, Int64(stream.sound.sampleRate))
      try packet.narrow(
        to: next.data, time: counts ? next.position : nil,
        duration: counts ? Int64(next.samples) : 0)
    } else {
      if let step = try read() { return step }
      try split()
    }
    loss = try stray?.takeRest(of: packet)
    index += 1
    // Sound isn't reordered: an offset of the first sample alone would put it onto the second.
    if index == 0, firstDelay > 0, let time = packet.presentationTime {
      packet.present(at: time &- firstDelay)
    }
    frames = 0
    duration = max(0, packet.duration)
    // libavformat marks a packet as corrupt when the file ends inside it. If the header states no
    // length, the last packet is only shorter than the others.
    isCut = stray?.isCut(packet) == true
    isSuspect = packet.isCorrupt && !isSizeUnknown || isCut
    // libavformat cuts packets of programme and transport streams into frames, and marks and places only the first.
    if isSuspect || packet.position != nil { isInDoubt = isSuspect }
    clockFaults.note(packet.presentationTime)
    if hasDolbyHeader { header = DolbyHeader(packet.bytes(first: 256)) }
    if index == 0 { firstHeader = header }
    guard !packet.isEncrypted else {
      throw MediaError(
        .encrypted, about: media.file.path,
        "audio track \(stream.index) is encrypted; give a decrypted copy")
    }
    return .packet
  }

  /// Lets libavformat read the next packet of the track; answers what comes before it or instead of it.
  private func read() throws -> Step? {
    repeat {
      guard !isFinished else { return .end }
      do {
        guard try media.opened().read(into: packet) else {
          stray?.close(media.file)
          return .end
        }
        failedReads = 0
      } catch let error as LibAVError where error.meaning != .outOfMemory {
        return try damage(error)
      }
    } while packet.streamIndex != stream.index || takeInfoFrame()
    guard let loss = stray?.note(packet) else { return nil }
    isWaiting = true
    return .damage(loss.finding, samples: loss.samples)
  }

  /// Whether the packet just read is the frame without sound that an MP3 begins with.
  private func takeInfoFrame() -> Bool {
    guard mayHaveInfoFrame, index < 0, beginning == .track, !packet.isCorrupt, !packet.isEncrypted,
      let frame = InfoFrame(packet.bytes()), frame.size == packet.size
    else { return false }
    infoFrame = frame
    samplesLeftOut = Int64(frame.samplesPerFrame)
    return true
  }

  /// One of several frames of AMR in a packet.
  private struct AMRFrame {
    let data: [UInt8]
    let time: Int64?
    let duration: Int64
  }

  /// Keeps all but the first frame of a packet of AMR for later.
  private func split() throws {
    guard let amr, !packet.isCorrupt, !packet.isEncrypted else { return }
    let bytes = packet.bytes()
    guard let ranges = AMRFrames.ranges(in: bytes, isWide: amr == .wide), ranges.count > 1 else {
      return
    }
    let (time, duration) = (packet.presentationTime, packet.duration / Int64(ranges.count))
    framesLeft = ranges.enumerated().reversed().map { index, range in
      AMRFrame(
        data: Array(bytes[range]), time: time.map { $0 &+ Int64(index) &* duration },
        duration: duration)
    }
    guard let first = framesLeft.popLast() else { return }
    try packet.narrow(to: first.data, time: first.time, duration: first.duration)
  }

  /// Judges a failed read. Packets may follow a damaged spot, so reading continues. If the file was cut
  /// in mid-packet no further read succeeds, and ``DamageLedger`` reports the track as truncated.
  private func damage(_ error: LibAVError) throws -> Step {
    guard error.meaning != .inputOutput else { throw media.readFailure }
    index += 1
    failedReads += 1
    isFinished = error.meaning != .invalidData || failedReads >= TrackPackets.mostFailedReads
    return .damage("\(error)", samples: 0)
  }
}

/// The places of AMR's frames in a packet that holds several (3GPP TS 26.244, 6.7): each begins with a byte that names its
/// type, and so its length (storage format of RFC 4867, 5.3).
enum AMRFrames {
  /// Bytes of the frames of AMR, by type, with the byte that names it; 0 for reserved types.
  private static let narrow = [13, 14, 16, 18, 20, 21, 27, 32, 6, 0, 0, 0, 0, 0, 0, 1]
  /// Bytes of the frames of AMR wideband, where type 14 stands for lost speech.
  private static let wide = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 0, 0, 0, 0, 1, 1]

  /// The frames of `packet`; `nil` where their lengths don't add up to it.
  static func ranges(in packet: [UInt8], isWide: Bool) -> [Range<Int>]? {
    let lengths = isWide ? wide : narrow
    var ranges: [Range<Int>] = []
    var place = 0
    while place < packet.count {
      let length = lengths[Int(packet[place] >> 3 & 15)]
      guard length > 0, place + length <= packet.count else { return nil }
      ranges.append(place..<place + length)
      place += length
    }
    return ranges
  }
}
