// SPDX-License-Identifier: Apache-2.0
import AC4
import AudioCore
import LibAV

/// The coded frames that a copy takes from a track whose packets are pieces of an elementary stream (AC-3, E-AC-3, AC-4).
///
/// Frames are cut at their own headers and joined to the samples that MP4 wants. Their times are counted
/// from their lengths and compared with the container's.
final class FramedUnits: AccessUnitSource {
  private enum Framing {
    case ac3(DolbyAccessUnits)
    case ac4(AC4FrameScanner, AC4UnitClock)
  }

  private let media: MediaFile
  private let stream: StreamInfo
  private let packet: Packet
  private var framing: Framing
  private let isSizeUnknown: Bool
  private var ready: [AccessUnit] = []
  private var isAtEnd = false
  /// Packets that the container marks as corrupt, as it does where the file ends inside one. Frames with right checksums
  /// are taken from them, and no frame of sound may follow; if one does, the file is damaged.
  private var suspects = 0
  /// Whether a damaged place was met after the first frame. Nothing good may follow it.
  private var isBroken = false
  private var first: Int64?
  private var rate: Int64 = 1
  private var time: Int64 = 0

  var timescale: Int64 {
    if case .ac4(_, let clock) = framing { return clock.timescale }
    return rate
  }

  var origin: (ticks: Int64, rate: Int64) {
    let base = stream.timeBase
    return ((first ?? 0) * base.numerator, base.denominator)
  }

  init(
    media: MediaFile, stream: StreamInfo, isAC4: Bool, log: DiagnosticLog,
    policy: DamagePolicy
  ) throws {
    self.media = media
    self.stream = stream
    packet = try Packet()
    isSizeUnknown = ContainerCheck(media: media, stream: stream, log: log).isSizeUnknown
    framing =
      isAC4
      ? .ac4(AC4FrameScanner(), AC4UnitClock(path: media.file.path, log: log, policy: policy))
      : .ac3(DolbyAccessUnits())
    media.container?.select(stream: stream.index)
  }

  func next() throws -> AccessUnit? {
    while ready.isEmpty, !isAtEnd {
      if try read() {
        if packet.streamIndex == stream.index { try take() }
      } else {
        isAtEnd = true
        try finish()
      }
    }
    return ready.isEmpty ? nil : ready.removeFirst()
  }

  /// Reads the next packet. AC-4's frames needn't have a checksum, so that nothing shows which of them a corrupt packet
  /// holds whole.
  private func read() throws -> Bool {
    if case .ac4 = framing { return try media.readWhole(packet) }
    return try media.readNext(packet)
  }

  private func take() throws {
    switch framing {
    case .ac3(var units):
      if units.isBlank { first = packet.presentationTime ?? first }
      if !isBroken { try compareClock() }
      let taken = units.count
      let done = units.push(packet.bytes())
      framing = .ac3(units)
      if packet.isCorrupt, !isSizeUnknown {
        suspects += 1
      } else if suspects > 0, units.count > taken {
        throw media.corruption
      }
      add(done, units)
    case .ac4(var scanner, var clock):
      if first == nil { first = packet.presentationTime }
      try compareClock()
      scanner.push(packet.bytes())
      try take(&scanner, &clock)
    }
  }

  private func finish() throws {
    switch framing {
    case .ac3(var units):
      let done = units.finish()
      add(done, units)
      for _ in 0..<suspects { add(.damaged) }
    case .ac4(var scanner, var clock):
      scanner.finish()
      try take(&scanner, &clock)
      guard scanner.skippedBytes == 0 else {
        throw MediaError(.damaged, about: media.file.path, "its last AC-4 frame is cut")
      }
    }
  }

  private func take(_ scanner: inout AC4FrameScanner, _ clock: inout AC4UnitClock) throws {
    while let frame = scanner.next() { ready.append(try clock.unit(frame)) }
    time = clock.time
    framing = .ac4(scanner, clock)
  }

  private func add(_ done: [DolbyAccessUnits.Unit], _ units: DolbyAccessUnits) {
    rate = units.sampleRate.map(Int64.init) ?? rate
    done.forEach(add)
  }

  private func add(_ unit: DolbyAccessUnits.Unit) {
    let samples = Int64(unit.samples)
    ready.append(
      AccessUnit(
        data: unit.bytes, time: time, duration: samples, isSync: !unit.isDamaged,
        isDamaged: unit.isDamaged))
    if unit.isDamaged { isBroken = isBroken || time > 0 } else { time += samples }
  }

  /// Compares the container's time of the packet with the counted one. A jump is an error, because a copy
  /// has no frames to fill it with.
  private func compareClock() throws {
    guard let shown = packet.presentationTime, let first, timescale > 1 else { return }
    guard shown.magnitude < 1 << 56, first.magnitude < 1 << 56 else {
      throw MediaError(.damaged, about: media.file.path, "the times of its audio are damaged")
    }
    let base = stream.timeBase
    let actual = MediaTime.rescale(
      shown - first, by: base.numerator * timescale, over: base.denominator)
    var counted = time
    if case .ac3(let units) = framing { counted += Int64(units.pendingSamples) }
    guard actual.magnitude < 1 << 60 else {
      throw MediaError(.damaged, about: media.file.path, "the times of its audio are damaged")
    }
    // A deviation of up to 20 ms passes: it is shorter than an access unit of AC-3 (32 ms at 48 kHz).
    guard (actual - counted).magnitude > timescale / 50 else { return }
    let place = MediaTime(ticks: counted, rate: timescale)
    let jump = MediaTime.rescale(actual - counted, by: 1000, over: timescale)
    throw MediaError(
      .unsupportedFeature, about: media.file.path,
      "its audio jumps by \(jump) ms at \(place), which this track's "
        + "frames can't fill; cut it there")
  }
}
