// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Loudness
import MediaOut
import Signal

/// Encodes the sound around some peaks again with the peaks lowered, and puts the new packets in the place
/// of the old ones.
///
/// The encoder starts early, so that it has settled. The new packets are only taken where they fit to the old ones: windows of
/// packets that follow each other cancel each other's aliases only when both encodings chose windows of the same form, and
/// packets that are predicted from others need some that are nearly the same. The residual of the seams against the sound shows
/// whether they do. All other packets stay bit for bit.
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

  /// A span whose seams fit, and what is heard of it.
  private struct Fit {
    var span: ClosedRange<Int>
    var seamDB: Double
    var sound: SpanDecoder.Sound
  }

  /// Packets by which a span may grow on each side.
  private static let slack = 4
  /// Frames that the encoder gets after the last packet, because it looks ahead.
  private static let postRoll = 3
  private static let maxTries = 5
  /// Times the usual lead that the encoder gets after a try whose seams didn't fit.
  private static let longLead = 3
  /// dB by which peaks are lowered at most; a peak that needs more has another cause than the encoding.
  private static let maxDepth = 3.0
  /// dB below the limit to which a peak is lowered, so that it comes to lie below the ceiling.
  private static let lowering = HeldEncoding.allowance + 0.02
  /// dB by which the residual of a seam may lie above that of both encodings, so that the span isn't made longer for it.
  private static let goodSeam = 1.0
  /// Such dB where no longer span has a better seam: for one or two packets the noise is twice as strong.
  private static let tolerableSeam = 3.0
  /// Mean square below which a residual can't be heard: −100 dBFS.
  private static let inaudible = 1e-10

  let settings: SoundSettings
  let replacement: PacketReplacement
  let grid: PacketGrid
  /// Highest magnitude that may be left.
  let limit: Float
  let decoder: SpanDecoder
  let store: PacketStore

  /// The samples that must be at hand for `job`.
  func sound(for job: PeakJob) -> Range<Int64> {
    sound(for: job, lead: replacement.lead * SpanRepair.longLead)
  }

  private func sound(for job: PeakJob, lead: Int) -> Range<Int64> {
    let extent = extent(of: job)
    let last = extent.upperBound + 1 + replacement.settling + SpanRepair.postRoll
    let first = max(0, extent.lowerBound - replacement.settling - lead)
    return Int64(first * grid.frame)..<min(settings.frames, Int64(last * grid.frame))
  }

  /// Frames that an encoder gets in one try for `job`.
  func cost(of job: PeakJob) -> Int {
    sound(for: job, lead: replacement.lead).count / grid.frame
  }

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
    var lead = replacement.lead
    var best: (result: Result, packets: [Int: EncodedPacket])?
    let extent = extent(of: job)
    var tries = 0
    for attempt in 1...SpanRepair.maxTries {
      guard let lowered = lower(peaks, in: trial, attempt) else { break }
      let wanted = peaks.reduce(span) {
        union($0, grid.packets(over: lowered.reach(of: $1.position)))
      }
      guard contains(extent, wanted) else { break }
      let fresh = try encode(sound(for: job, lead: lead), extent, window, lowered)
      tries += lead / replacement.lead
      let found = try fit(wanted, extent, fresh, window, lowered)
      // A longer lead may help once; after that all encodings are nearly the same.
      if found?.seamDB ?? .infinity > SpanRepair.goodSeam, lead == replacement.lead {
        lead = replacement.lead * SpanRepair.longLead
        continue
      }
      guard let fit = found else { break }
      (trial, span) = (lowered, fit.span)
      peaks = decoder.peaks(in: fit.sound, from: span.lowerBound, above: limit)
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

  /// `dips` with `peaks` lowered to the limit; `nil` when one would have to be lowered too far.
  private func lower(_ peaks: [PeakLocator.Peak], in dips: GainDips, _ attempt: Int) -> GainDips? {
    var result = dips
    for peak in peaks {
      let depth =
        dips.depthDB(at: peak.position) + Decibels.level(Double(peak.level / limit))
        + SpanRepair.lowering + replacement.margin * Double(attempt * attempt)
      guard depth <= SpanRepair.maxDepth else { return nil }
      result.lower(at: peak.position, toDepth: depth)
    }
    return result
  }

  /// The packets of the sound in `range` by their numbers: those of `extent`, and as many on both sides as a decoder needs.
  private func encode(
    _ range: Range<Int64>, _ extent: ClosedRange<Int>, _ window: SoundWindow, _ dips: GainDips
  ) throws -> [Int: EncodedPacket] {
    let encoder = try FrameEncoder(settings.coding, format: settings.format)
    var packets = try encoder.encode(window.sound(range, with: dips))
    if range.upperBound == settings.frames { packets += try encoder.finish() }
    let wanted = grid.widened(
      extent, before: replacement.settling, after: replacement.settling)
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
    let reach = grid.widened(
      extent, before: replacement.settling, after: replacement.settling)
    guard reach.allSatisfy({ fresh[$0] != nil }) else { return nil }
    var best: Fit?
    let old = try decoder.sound(of: reach) { try store.packet($0) }
    let new = try decoder.sound(of: reach) { try fresh[$0] ?? store.packet($0) }
    while true {
      let around = grid.widened(
        span, before: replacement.settling, after: replacement.settling)
      let mixed = try decoder.sound(of: around) { number in
        try span.contains(number) ? fresh[number] ?? store.packet(number) : store.packet(number)
      }
      let sounds = [mixed, old, new]
      let early = seam(at: span.lowerBound, sounds, window, dips)
      let late = seam(at: span.upperBound + 1, sounds, window, dips)
      let worse = max(early, late)
      if worse < best?.seamDB ?? SpanRepair.tolerableSeam {
        best = Fit(span: span, seamDB: worse, sound: mixed)
      }
      if worse <= SpanRepair.goodSeam { return best }
      span =
        span.lowerBound - (early > SpanRepair.goodSeam ? 1 : 0)...span.upperBound
        + (late > SpanRepair.goodSeam ? 1 : 0)
      guard contains(extent, span) else { return best }
    }
  }

  /// dB by which the residual of the first of `sounds`, in which packets of two encodings meet before packet `number`, lies above
  /// that of the two others, which are of one encoding each, until a decoder has settled; −200 where nothing meets.
  private func seam(
    at number: Int, _ sounds: [SpanDecoder.Sound], _ window: SoundWindow, _ dips: GainDips
  ) -> Double {
    guard number > 0 else { return -200 }
    let frames = (number..<min(grid.packets, number + replacement.settling)).flatMap { number in
      let start = grid.start(of: number)
      let meant = window.sound(start..<start + Int64(grid.frame), with: dips)
      let found = sounds.map { $0.residual(against: meant, at: start) }
      guard let least = found.map(\.count).min() else { return [Double]() }
      return (0..<least).map { channel in
        return Decibels.boundedLevel(
          power: found[0][channel],
          over: max(found[1][channel], found[2][channel], SpanRepair.inaudible))
      }
    }
    return frames.max() ?? -200
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

  /// The sample after the last one that came in.
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
