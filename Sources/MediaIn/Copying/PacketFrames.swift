// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Platform

/// Packets behind the last whole frame of a stream, of which no frame could be made.
package struct LostPackets: Sendable, Equatable {
  package private(set) var count = 0
  /// When the first and the last of them are presented.
  package private(set) var since = MediaTime(ticks: 0, rate: 1)
  package private(set) var until = MediaTime(ticks: 0, rate: 1)

  package init() {}

  mutating func add(at time: MediaTime) {
    if count == 0 { since = time }
    (count, until) = (count + 1, time)
  }
}

/// One coded frame of a stream that is copied into a container of another kind.
package struct CodedFrame: Sendable, Equatable {
  /// Place of its stream among those that are read.
  package let track: Int
  package var data: [UInt8]
  /// When it is presented, on the source's clock.
  package var time: MediaTime
  /// Time that it lasts; `nil` where that isn't stated.
  package var duration: MediaTime?
  /// Time at its end that isn't presented.
  package var padding: MediaTime?
  /// Whether decoding may begin here.
  package let isKey: Bool
  /// Whether the container marks it as damaged.
  package var isDamaged: Bool
}

/// A stream that is copied frame by frame.
package struct FrameStream: Sendable {
  package let stream: StreamInfo
  package let form: PacketForm
  /// Time that is decoded before a range begins, so that the first sample of the range is right.
  package let preRoll: MediaTime

  package init(_ stream: StreamInfo, _ form: PacketForm, preRoll: MediaTime) {
    self.stream = stream
    self.form = form
    self.preRoll = preRoll
  }

  /// `ticks` of the stream's own clock, and `shift` more of them, as a time; `nil` beyond any film.
  package func time(_ ticks: Int64, shift: Int64) -> MediaTime? {
    let base = stream.timeBase
    guard ticks.magnitude < 1 << 56, shift.magnitude < 1 << 56 else { return nil }
    let (product, isFar) = (ticks + shift).multipliedReportingOverflow(by: base.numerator)
    return isFar || product.magnitude >= 1 << 58
      ? nil : MediaTime(ticks: product, rate: base.denominator)
  }

  /// Fewest frames that are decoded before one, so that it is right: the windows of transforms and filter banks overlap with those of the
  /// frame before. 0 where frames stand alone, or a pre-roll is stated.
  var overlap: Int {
    let codecs = ["aac", "ac3", "eac3", "dts", "mp1", "mp2", "mp3", "vorbis"]
    return codecs.contains(stream.codec) ? 1 : 0
  }

  /// Time of sound that each frame is decoded to; `nil` where that varies or isn't known.
  package var frame: MediaTime? {
    let sound = stream.sound
    guard sound.sampleRate > 0 else { return nil }
    let samples = stream.codec == "ac3" ? DolbyAccessUnits.samples : sound.frameSize
    guard ["aac", "ac3", "mp1", "mp2", "mp3"].contains(stream.codec), samples > 0 else {
      return nil
    }
    return MediaTime(ticks: Int64(samples), rate: Int64(sound.sampleRate))
  }
}

/// The part of a presentation that is copied, on the source's clock.
package struct FrameRange: Sendable {
  package var begin: MediaTime?
  package var end: MediaTime?

  package init(begin: MediaTime?, end: MediaTime?) {
    self.begin = begin
    self.end = end
  }
}

/// The coded frames of several streams in the order of their file, without decoding them. Memory holds a packet, or the segments of one
/// picture.
///
/// Of a range, sound has each frame of which a part lies in it; subtitles are cut to the range where their end is known.
package final class PacketFrames {
  /// Time by which one stream of a file may lie behind another.
  private static let interleaving = MediaTime(ticks: 30, rate: 1)

  private let media: MediaFile
  private let packet: Packet
  private let range: FrameRange
  private var tracks: [Int: Lane]
  private var waiting: [CodedFrame] = []
  private var isFinished = false
  /// Why reading ended early, if it did.
  package private(set) var damage: String?

  /// Opens the file once more, so that other readers of it don't matter.
  /// - Throws: ``MediaError`` as ``MediaFile`` does.
  package init(
    file: LocalFile, _ streams: [FrameStream], range: FrameRange, options: InputOptions
  ) throws {
    media = try MediaFile(file: file, options: options)
    packet = try Packet()
    self.range = range
    let media = media
    tracks = Dictionary(
      uniqueKeysWithValues: streams.enumerated().map { place, wanted in
        (wanted.stream.index, Lane(wanted, place, media, range))
      })
    media.container?.select(streams: Set(tracks.keys))
  }

  /// Why the stream with this place can't be copied; `nil` as long as nothing speaks against it.
  package func fault(of place: Int) -> String? {
    tracks.values.first { $0.place == place }?.fault
  }

  /// AudioSpecificConfig of the stream with this place, from its first header of ADTS.
  package func configuration(of place: Int) -> [UInt8]? {
    tracks.values.first { $0.place == place }?.header?.configuration
  }

  /// When the sound of the file ends by its own statement, as far as the range has it; `nil` where it states nothing.
  package var statedEnd: MediaTime? {
    let ends = media.streams.filter { $0.kind == .audio }.compactMap { stream -> MediaTime? in
      guard let start = stream.startTime, let duration = stream.duration else { return nil }
      let wanted = FrameStream(stream, .asStored, preRoll: MediaTime(ticks: 0, rate: 1))
      return wanted.time(start, shift: duration)
    }
    return ends.max().map { [$0, range.end].compactMap { $0 }.min() ?? $0 }
  }

  /// Packets of the stream with this place that follow its last frame, and aren't any.
  package func lost(of place: Int) -> LostPackets {
    tracks.values.first { $0.place == place }?.lost ?? LostPackets()
  }

  /// The next frame; `nil` behind the last.
  /// - Throws: ``MediaError`` when memory is out, or the file was changed.
  package func next() throws -> CodedFrame? {
    while waiting.isEmpty, !isFinished { try read() }
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }

  private func read() throws {
    guard try readPacket() else { return finish() }
    // Taken out, the lane is the only owner of its bytes, which then aren't copied.
    guard var lane = tracks.removeValue(forKey: packet.streamIndex) else { return }
    let time = lane.time(of: packet)
    if let time, let end = lane.end, time > end + PacketFrames.interleaving {
      finish()
    } else {
      waiting += lane.take(packet, at: time)
    }
    tracks[lane.wanted.stream.index] = lane
  }

  private func finish() {
    isFinished = true
    for index in tracks.keys.sorted() { waiting += tracks[index]?.finish() ?? [] }
  }

  private func readPacket() throws -> Bool {
    do {
      if try media.opened().read(into: packet) { return true }
      try media.checkUnchanged()
      return false
    } catch let error as LibAVError {
      guard error.meaning != .outOfMemory else {
        throw MediaError(.outOfResources, about: media.file.path, "memory is out; try again")
      }
      damage = "\(error)"
      return false
    }
  }
}

/// The frames of one stream.
private struct Lane {
  /// Time that is left out at the beginning by an edit list, up to which it is taken for start-up samples of an encoder.
  private static let longestPriming = MediaTime(ticks: 1, rate: 4)

  /// Frames from one at which decoding may begin to the next, at most: those of TrueHD are 128 apart.
  private static let longestLead = 1024

  /// Frames that are kept for one that needs those before it: the bytes that MP3 takes out of them lie in at most so many.
  private static let longestOverlap = 16

  let wanted: FrameStream
  let place: Int
  private(set) var fault: String?
  /// The first header of ADTS.
  private(set) var header: ADTSHeader?
  let end: MediaTime?
  private let begin: MediaTime?
  /// Ticks that an edit list adds to times.
  private let shift: Int64
  private var sets = DisplaySets()
  /// The last whole picture before the range.
  private var held: CodedFrame?
  /// Frames of sound before the range, from the last one on at which decoding may begin; those of most codecs are alone.
  private var lead: [CodedFrame] = []
  /// Packets in the range since the last whole frame, which aren't any.
  private(set) var lost = LostPackets()
  /// Whether the packet before wasn't a frame of ADTS.
  private var isBroken = false
  /// Start of the next frame if nothing else is said.
  private var due: MediaTime?

  init(_ wanted: FrameStream, _ place: Int, _ media: MediaFile, _ range: FrameRange) {
    self.wanted = wanted
    self.place = place
    shift = media.editShift(of: wanted.stream)
    let edits = media.track(of: wanted.stream)?.edits ?? []
    let parts = edits.filter { $0.mediaTime >= 0 }
    if parts.count > 1 || edits.contains(where: \.changesSpeed) {
      fault = "its edit list has several parts"
    }
    let moved = shift
    let first = parts.first
    let start = first.flatMap { wanted.time($0.mediaTime, shift: moved) }
    let length = first.flatMap { edit in
      edit.duration > 0
        ? MediaTime(ticks: edit.duration, rate: media.movie?.timescale ?? 1) : nil
    }
    let sound = wanted.stream.kind == .audio
    let edited = sound ? start.map { $0 + -Lane.longestPriming } : start
    let preRoll = sound ? wanted.preRoll : MediaTime(ticks: 0, rate: 1)
    begin = [edited, range.begin.map { $0 + -preRoll }].compactMap { $0 }.max()
    end = [start.flatMap { start in length.map { start + $0 } }, range.end].compactMap { $0 }.min()
  }

  /// When a packet is presented; where it has no time, the end of the one before it.
  func time(of packet: Packet) -> MediaTime? {
    packet.presentationTime.flatMap { wanted.time($0, shift: shift) } ?? due
  }

  /// The frames that a packet completes, as far as they lie in the range.
  mutating func take(_ packet: Packet, at time: MediaTime?) -> [CodedFrame] {
    guard fault == nil, packet.size > 0 else { return [] }
    guard let time else {
      fault = "it begins without a time"
      return []
    }
    guard !packet.isEncrypted else {
      fault = "it is encrypted"
      return []
    }
    let sound = wanted.stream.sound
    let length = packet.duration > 0 ? wanted.time(packet.duration, shift: 0) : nil
    var frame = CodedFrame(
      track: place, data: packet.bytes(), time: time, duration: length, isKey: packet.isKey,
      isDamaged: packet.isCorrupt)
    let padding = packet.paddingSamples
    if padding > 0, sound.sampleRate > 0 {
      frame.padding = MediaTime(ticks: Int64(padding), rate: Int64(sound.sampleRate))
    }
    due = length.map { time + $0 }
    switch wanted.form {
    case .asStored: break
    case .adts:
      guard unwrap(&frame) else { return [] }
    case .displaySets:
      let whole = sets.add(frame)
      note(sets.isJunk, frame)
      return whole.flatMap { within($0) }
    case .samples(let bytes): return cut(frame, bytes).map { [$0] } ?? []
    }
    return within(frame)
  }

  /// The last frames, where no packet follows.
  mutating func finish() -> [CodedFrame] {
    let rest = CodedFrame(
      track: place, data: [], time: MediaTime(ticks: 0, rate: 1), isKey: true, isDamaged: false)
    let last = sets.take(rest).map { within($0) } ?? []
    if wanted.form == .adts, header == nil, fault == nil, isBroken {
      fault = "its frames have no headers of ADTS"
    }
    defer { held = nil }
    return (held.map { [$0] } ?? []) + last
  }

  /// Counts a packet of which no frame comes; one that gives a frame marks those before it by its own damage.
  private mutating func note(_ isLost: Bool, _ frame: CodedFrame) {
    guard isLost else { return lost = LostPackets() }
    if let begin, (frame.duration.map { frame.time + $0 } ?? frame.time) <= begin { return }
    if let end, frame.time >= end { return }
    lost.add(at: frame.time)
  }

  /// Takes the header of ADTS away; `false` where the frame can't be copied.
  private mutating func unwrap(_ frame: inout CodedFrame) -> Bool {
    guard let found = ADTSHeader(frame.data), found.frameSize == frame.data.count else {
      isBroken = true
      note(true, frame)
      return false
    }
    // A cut at either end of a file loses nothing between whole frames.
    if isBroken, header != nil { frame.isDamaged = true }
    isBroken = false
    note(false, frame)
    let first = header ?? found
    guard let configuration = found.configuration else {
      fault = "its channels are named inside its frames alone"
      return false
    }
    guard configuration == first.configuration else {
      fault = "its format changes"
      return false
    }
    header = first
    frame.data.removeFirst(found.size)
    return true
  }

  /// The frame as far as the range has it.
  private mutating func within(_ frame: CodedFrame) -> [CodedFrame] {
    wanted.stream.kind == .audio ? sound(frame) : texts(frame)
  }

  private mutating func sound(_ frame: CodedFrame) -> [CodedFrame] {
    let last = frame.duration.map { frame.time + $0 } ?? frame.time
    if wanted.overlap > 0, let before = lead.last, isApart(frame, from: before) { lead = [] }
    if let begin, last <= begin, frame.time < begin {
      if frame.isKey {
        lead = wanted.overlap > 0 ? Array(lead.suffix(Lane.longestOverlap - 1)) : []
      }
      if frame.isKey || !lead.isEmpty, lead.count < Lane.longestLead { lead.append(frame) }
      return []
    }
    defer { lead = [] }
    if let end, frame.time >= end { return [] }
    return early(frame) + [padded(frame, until: last)]
  }

  /// The frames that are decoded before `frame`, which is the first of the range.
  private func early(_ frame: CodedFrame) -> [CodedFrame] {
    let needed = frame.isKey ? Array(lead.suffix(overlap)) : lead
    guard wanted.stream.codec == "vorbis" else { return needed }
    // A decoder of Vorbis gives no samples for its first packet (Vorbis I, 4.3.8), which thus takes no time.
    return needed.map { packet in
      var packet = packet
      (packet.time, packet.duration) = (frame.time, nil)
      return packet
    }
  }

  /// Frames of ``lead`` that a frame at which decoding may begin needs.
  private var overlap: Int {
    guard wanted.stream.codec == "mp3", !lead.isEmpty else { return wanted.overlap }
    // The last of them must be right, too, and takes up to 511 bytes out of those before it (ISO/IEC 11172-3, main_data_begin), where
    // headers and side information of up to 38 bytes don't count.
    var (count, reservoir) = (1, 0)
    for frame in lead.dropLast().reversed() where reservoir < 511 {
      reservoir += max(0, frame.data.count - 38)
      count += 1
    }
    return count
  }

  /// Whether something is missing between two frames, or the clock began anew.
  private func isApart(_ frame: CodedFrame, from before: CodedFrame) -> Bool {
    let end = before.duration.map { before.time + $0 } ?? before.time
    return frame.time < before.time || frame.time > end + Lane.longestPriming
  }

  /// The frame, with what lies behind the range's end as padding.
  private func padded(_ frame: CodedFrame, until last: MediaTime) -> CodedFrame {
    guard let end else { return frame }
    var frame = frame
    // The last packet of a file may state less than it is decoded to.
    let whole = max(last, decoded(frame).map { frame.time + $0 } ?? last)
    if last >= end, whole > end {
      let rest = whole + -end
      frame.padding = max(rest, frame.padding ?? rest)
    }
    return frame
  }

  /// Time of sound that a frame is decoded to; `nil` where that isn't known.
  private func decoded(_ frame: CodedFrame) -> MediaTime? {
    guard wanted.stream.codec == "opus" else { return wanted.frame }
    return MediaTime(ticks: Int64(OggPacketLengths.opus(frame.data)), rate: 48_000)
  }

  private mutating func texts(_ frame: CodedFrame) -> [CodedFrame] {
    if let end, frame.time >= end { return [] }
    var frame = frame
    if let length = frame.duration {
      let last = [frame.time + length, end].compactMap { $0 }.min() ?? frame.time + length
      frame.time = [frame.time, begin].compactMap { $0 }.max() ?? frame.time
      guard last > frame.time else { return [] }
      frame.duration = last + -frame.time
      return [frame]
    }
    guard let begin else { return [frame] }
    guard frame.time < begin else {
      defer { held = nil }
      let isReplaced = frame.time == begin
      return (isReplaced ? [] : held.map { [$0] } ?? []) + [frame]
    }
    hold(frame, until: begin)
    return []
  }

  /// Keeps the picture that is still shown where the range begins.
  private mutating func hold(_ frame: CodedFrame, until begin: MediaTime) {
    guard wanted.stream.codec == "hdmv_pgs_subtitle" else { return }
    switch DisplaySets.effect(of: frame.data) {
    case .complete:
      held = frame
      held?.time = begin
    case .empty: held = nil
    case .change: break
    }
  }

  /// The samples of the frame that lie in the range; `nil` for none.
  private func cut(_ frame: CodedFrame, _ bytes: Int) -> CodedFrame? {
    let rate = Int64(wanted.stream.sound.sampleRate)
    guard bytes > 0, rate > 0 else { return frame }
    func samples(_ time: MediaTime) -> Int64 {
      // A sample that begins before the range and ends in it belongs to it.
      max(0, MediaTime.rescale(time.ticks, by: rate, over: time.rate))
    }
    let count = Int64(frame.data.count / bytes)
    let first = begin.map { samples($0 + -frame.time) } ?? 0
    let last = end.map { min(count, samples($0 + -frame.time)) } ?? count
    guard first < last else { return nil }
    guard first > 0 || last < count else { return frame }
    var frame = frame
    frame.data = Array(frame.data[Int(first) * bytes..<Int(last) * bytes])
    frame.time = frame.time + MediaTime(ticks: first, rate: rate)
    frame.duration = MediaTime(ticks: last - first, rate: rate)
    return frame
  }
}
