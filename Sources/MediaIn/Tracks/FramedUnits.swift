import AC4
import AudioCore
import LibAV

/// The frames of a track whose packets are pieces of an elementary stream.
///
/// Frames are cut at their own headers and joined to the samples that MP4 wants. Their times are counted
/// from their lengths and compared with the container's.
final class FramedUnits: AccessUnitSource {
  private enum Framing {
    case dolby(DolbyAccessUnits)
    case ac4(AC4FrameScanner, AC4UnitClock)
  }

  private let media: MediaFile
  private let stream: StreamInfo
  private let packet: Packet
  private var framing: Framing
  private var ready: [AccessUnit] = []
  private var isAtEnd = false
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
    policy: DamagePolicy = .fail
  ) throws {
    self.media = media
    self.stream = stream
    packet = try Packet()
    framing =
      isAC4
      ? .ac4(AC4FrameScanner(), AC4UnitClock(path: media.file.path, log: log, policy: policy))
      : .dolby(DolbyAccessUnits())
    media.container?.select(stream: stream.index)
  }

  func next() throws -> AccessUnit? {
    while ready.isEmpty, !isAtEnd {
      if try media.readWhole(packet) {
        if packet.streamIndex == stream.index { try take() }
      } else {
        isAtEnd = true
        try finish()
      }
    }
    return ready.isEmpty ? nil : ready.removeFirst()
  }

  private func take() throws {
    if first == nil { first = packet.presentationTime }
    try compareClock()
    switch framing {
    case .dolby(var units):
      let bytes = packet.bytes()
      if rate == 1, let frame = DolbySyncframe(bytes) { rate = Int64(frame.sampleRate) }
      let done = try naming { try units.push(bytes) }
      framing = .dolby(units)
      done.forEach { add($0) }
    case .ac4(var scanner, var clock):
      scanner.push(packet.bytes())
      try take(&scanner, &clock)
    }
  }

  private func finish() throws {
    switch framing {
    case .dolby(var units):
      let samples = Int64(units.pendingSamples)
      if let last = try naming({ try units.finish() }) { add(last, samples: samples) }
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

  private func add(_ data: [UInt8], samples: Int64 = Int64(DolbyAccessUnits.samples)) {
    ready.append(AccessUnit(data: data, time: time, duration: samples, isSync: true))
    time += samples
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
    if case .dolby(let units) = framing { counted += Int64(units.pendingSamples) }
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

  private func naming<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as MediaError {
      throw MediaError(error.kind, about: media.file.path, "\(error.message) (near \(place))")
    }
  }

  private var place: MediaTime { MediaTime(ticks: time, rate: timescale) }
}
