import AudioCore
import LibAV
import Loudness
import MediaOut
import Signal

/// Encodes the sound around some peaks again with the peaks lowered, and puts the new packets in the place
/// of the old ones.
///
/// The encoder starts half a second early, so that it has settled. The new packets are only taken where
/// they fit to the old ones: windows of packets that follow each other cancel each other's aliases, and
/// they do so only when both encodings chose windows of the same form. The residual of the seam against
/// the sound shows whether they did. All other packets stay bit for bit.
struct SpanRepair {
  /// The packets that take the place of others.
  struct Result {
    /// The packets that were replaced.
    let span: ClosedRange<Int>
    /// The highest peak left above the limit, linear; `nil` when none is.
    let left: Float?
    /// dB by which the residual of the worse seam lies above that of both encodings; −200 without a seam.
    let seamDB: Double
    /// The dips in the sound that was encoded.
    let dips: GainDips
  }

  /// A span whose seams fit.
  private struct Fit {
    var span: ClosedRange<Int>
    var seamDB: Double
  }

  /// Seconds of sound that the encoder gets ahead.
  private static let preRoll = 0.5
  /// Packets by which a span may grow on each side.
  private static let slack = 4
  /// Frames that the encoder gets behind the last packet, because it looks ahead.
  private static let postRoll = 3
  private static let maxTries = 5
  /// dB by which a peak is lowered further than it must be in the first try; more in each later one.
  private static let margin = 0.03
  /// dB by which peaks are lowered at most; a peak that needs more has another cause than the encoding.
  private static let maxDepth = 6.0
  /// dB by which the residual of a seam may lie above that of both encodings.
  private static let seamTolerance = 1.0
  /// Mean square below which a residual can't be heard: −100 dBFS.
  private static let inaudible = 1e-10

  let settings: SoundSettings
  let grid: PacketGrid
  /// Highest magnitude that may be left.
  let limit: Float
  let decoder: SpanDecoder
  let store: PacketStore

  /// The samples that must be at hand for `job`.
  func sound(for job: PeakJob) -> Range<Int64> {
    let extent = extent(of: job)
    let end = Int64((extent.upperBound + 1 + SpanRepair.postRoll) * grid.frame)
    return Int64(first(of: extent) * grid.frame)..<min(settings.frames, end)
  }

  /// Frames that an encoder gets in one try for `job`.
  func cost(of job: PeakJob) -> Int { sound(for: job).count / grid.frame }

  /// Lowers the peaks of `job` and replaces the packets in the store.
  /// - Returns: what was replaced, `nil` when no try gave anything better than what was there, and how
  ///   many tries there were.
  /// - Throws: ``MediaError`` or ``LibAVError`` when it can't be encoded, decoded or stored.
  func run(
    _ job: PeakJob, in window: SoundWindow, with dips: GainDips
  ) throws -> (result: Result?, tries: Int) {
    var trial = dips
    var peaks = job.peaks
    var span = job.span
    var best: (result: Result, packets: [Int: EncodedPacket])?
    let extent = extent(of: job)
    var tries = 0
    for attempt in 1...SpanRepair.maxTries {
      guard let lowered = lower(peaks, in: trial, attempt) else { break }
      trial = lowered
      span = peaks.reduce(span) { union($0, grid.packets(over: trial.reach(of: $1.position))) }
      guard contains(extent, span) else { break }
      let fresh = try encode(sound(for: job), extent, window, trial)
      tries += 1
      guard let fit = try fit(span, extent, fresh, window, trial) else { continue }
      span = fit.span
      let heard = grid.widened(span, before: 0, after: 1)
      peaks = try decoder.peaks(in: heard, above: limit) { number in
        try fit.span.contains(number) ? fresh[number] ?? store.packet(number) : store.packet(number)
      }
      let left = peaks.map(\.level).max()
      if left ?? 0 < best?.result.left ?? job.highest {
        best = (Result(span: span, left: left, seamDB: fit.seamDB, dips: trial), fresh)
      }
      if left == nil { break }
    }
    guard let best else { return (nil, tries) }
    for number in best.result.span {
      if let packet = best.packets[number] { try store.replace(number, by: packet) }
    }
    return (best.result, tries)
  }

  private func extent(of job: PeakJob) -> ClosedRange<Int> {
    grid.widened(job.span, before: SpanRepair.slack, after: SpanRepair.slack)
  }

  /// The packet with which the encoder starts.
  private func first(of extent: ClosedRange<Int>) -> Int {
    let samples = SpanRepair.preRoll * Double(settings.format.sampleRate)
    let ahead = Int((samples / Double(grid.frame)).rounded(.up))
    return max(0, extent.lowerBound - ahead)
  }

  /// `dips` with `peaks` lowered to the limit; `nil` when one would have to be lowered too far.
  private func lower(_ peaks: [PeakLocator.Peak], in dips: GainDips, _ attempt: Int) -> GainDips? {
    var result = dips
    for peak in peaks {
      let depth =
        dips.depthDB(at: peak.position) + Decibels.level(Double(peak.level / limit))
        + SpanRepair.margin * Double(attempt)
      guard depth <= SpanRepair.maxDepth else { return nil }
      result.lower(at: peak.position, toDepth: depth)
    }
    return result
  }

  /// The packets of the sound in `range` by their numbers, from one before `extent` to one behind it.
  private func encode(
    _ range: Range<Int64>, _ extent: ClosedRange<Int>, _ window: SoundWindow, _ dips: GainDips
  ) throws -> [Int: EncodedPacket] {
    let encoder = try FrameEncoder(settings.coding, format: settings.format)
    var packets = try encoder.encode(window.sound(range, with: dips))
    if range.upperBound == settings.frames { packets += try encoder.finish() }
    let wanted = grid.widened(extent, before: 1, after: 1)
    return packets.reduce(into: [:]) { all, packet in
      let time = packet.time + range.lowerBound
      let number = Int(time + Int64(grid.padding)) / grid.frame
      guard wanted.contains(number) else { return }
      all[number] = EncodedPacket(data: packet.data, time: time, duration: packet.duration)
    }
  }

  /// `span`, grown until the new packets fit to the old ones at both ends; `nil` when they don't inside
  /// `extent`.
  private func fit(
    _ span: ClosedRange<Int>, _ extent: ClosedRange<Int>, _ fresh: [Int: EncodedPacket],
    _ window: SoundWindow, _ dips: GainDips
  ) throws -> Fit? {
    var span = span
    while true {
      let first = span.lowerBound
      let behind = span.upperBound + 1
      let early =
        try first == 0
        ? -200
        : seam(at: first, store.packet(first - 1), fresh[first], fresh, window, dips)
      let late =
        try behind == grid.packets
        ? -200
        : seam(at: behind, fresh[behind - 1], store.packet(behind), fresh, window, dips)
      guard let early, let late else { return nil }
      if max(early, late) <= SpanRepair.seamTolerance {
        return Fit(span: span, seamDB: max(early, late))
      }
      span =
        first - (early > SpanRepair.seamTolerance ? 1 : 0)...behind - 1
        + (late > SpanRepair.seamTolerance ? 1 : 0)
      guard contains(extent, span) else { return nil }
    }
  }

  /// dB by which the residual in the frame of packet `number`, of which `before` and `packet` come from
  /// two encodings, lies above that of each encoding alone; `nil` when a packet is missing.
  private func seam(
    at number: Int, _ before: EncodedPacket?, _ packet: EncodedPacket?,
    _ fresh: [Int: EncodedPacket], _ window: SoundWindow, _ dips: GainDips
  ) throws -> Double? {
    guard let before, let packet, let freshBefore = fresh[number - 1],
      let freshPacket = fresh[number]
    else { return nil }
    let start = grid.start(of: number)
    let sound = window.sound(start..<start + Int64(grid.frame), with: dips)
    let seam = try decoder.residual(before, packet, against: sound)
    let old = try decoder.residual(
      store.packet(number - 1), store.packet(number), against: sound)
    let new = try decoder.residual(freshBefore, freshPacket, against: sound)
    return seam.indices.map { channel in
      Decibels.boundedLevel(
        power: seam[channel], over: max(old[channel], new[channel], SpanRepair.inaudible))
    }.max()
  }

  private func union(_ one: ClosedRange<Int>, _ other: ClosedRange<Int>) -> ClosedRange<Int> {
    min(one.lowerBound, other.lowerBound)...max(one.upperBound, other.upperBound)
  }

  private func contains(_ extent: ClosedRange<Int>, _ span: ClosedRange<Int>) -> Bool {
    extent.lowerBound <= span.lowerBound && span.upperBound <= extent.upperBound
  }
}

/// Peaks above the limit that lie close together, so that they are lowered by one encoding of the sound
/// around them.
struct PeakJob {
  /// Frames between two peaks from which on each gets an encoding of its own.
  private static let gap = 12
  /// Frames that one job may reach over, so that its sound fits in memory.
  private static let length = 96

  /// In the order of their places; not empty.
  private(set) var peaks: [PeakLocator.Peak]
  /// The packets to be replaced at first.
  private(set) var span: ClosedRange<Int>

  /// The highest of the peaks, linear.
  var highest: Float { peaks.reduce(0) { max($0, $1.level) } }

  /// Jobs for `peaks`, which are in the order of their places; `reach` gives the samples that lowering a
  /// peak changes.
  static func jobs(
    for peaks: [PeakLocator.Peak], grid: PacketGrid, reach: (Int64) -> Range<Int64>
  ) -> [PeakJob] {
    var jobs: [PeakJob] = []
    for peak in peaks {
      let span = grid.packets(over: reach(peak.position))
      if let last = jobs.last, span.lowerBound - last.span.upperBound <= gap,
        span.upperBound - last.span.lowerBound < length
      {
        jobs[jobs.count - 1].peaks.append(peak)
        jobs[jobs.count - 1].span =
          last.span.lowerBound...max(last.span.upperBound, span.upperBound)
      } else {
        jobs.append(PeakJob(peaks: [peak], span: span))
      }
    }
    return jobs
  }
}

/// The stretch of a programme's sound that is at hand while the programme is replayed.
struct SoundWindow {
  private let held: AudioBuffer
  private var start: Int64 = 0

  /// An empty window at the beginning of a programme of `channels` channels.
  init(channels: Int) { held = AudioBuffer(channels: channels) }

  /// The sample behind the last one that came in.
  var end: Int64 { start + Int64(held.frames) }

  /// Takes the next block; samples before `wanted` aren't kept.
  mutating func append(_ block: AudioBuffer, from wanted: Int64) {
    held.append(block)
    let dropped = Int(min(max(0, wanted - start), Int64(held.frames)))
    held.removeFirst(dropped)
    start += Int64(dropped)
  }

  /// The samples of `range` with `dips` in them; silence outside the window.
  func sound(_ range: Range<Int64>, with dips: GainDips) -> AudioBuffer {
    let result = AudioBuffer(channels: held.channels, capacity: range.count)
    let inside = range.clamped(to: start..<end)
    guard !inside.isEmpty else {
      result.appendSilence(range.count)
      return result
    }
    result.appendSilence(Int(inside.lowerBound - range.lowerBound))
    result.append(held, range: Int(inside.lowerBound - start)..<Int(inside.upperBound - start))
    result.appendSilence(Int(range.upperBound - inside.upperBound))
    dips.apply(to: result, from: range.lowerBound)
    return result
  }
}
