// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

@testable import Spatial

/// The filters by which each channel of a bed at rest is heard, all of one length and time reference: with plain
/// convolution (``Render/direct(_:_:)``) a reference of the renderer, which equals it within −130 dB under each option. Laws of
/// filters are tested on it.
struct BedFilters: Sendable {
  /// channel × tap, to the left ear or loudspeaker.
  private(set) var left: [[Double]] = []
  /// channel × tap, to the right ear or loudspeaker.
  private(set) var right: [[Double]] = []
  /// Tap of the frontal direction's onset.
  let latency: Int
  /// Taps of every filter.
  let length: Int
  /// Taps before the frontal onset that a main channel's filter needs; the ones before are 0.
  let lead: Int
  /// Taps from there that a main channel's filter needs; the ones after are 0.
  let mainLength: Int
  /// Channels that aren't LFE.
  let mainChannels: [Int]
  /// LFE channels.
  let bassChannels: [Int]
  /// The filter of LFE channels, the same to both ears, its centre tap at ``latency``; `nil` when
  /// the layout has no LFE channel or LFE is dropped.
  let lowPass: [Double]?
  /// The late part of a room with the gains by which each of ``mainChannels`` feeds it; `nil` without one. ``length`` reaches
  /// to its end.
  let late: (room: LateRoom, gains: [SIMD4<Double>])?

  /// Filters for the channels of `format`, for headphones or for the loudspeakers of `options`.
  /// - Throws: ``MediaError`` of kind `usage` for positions of channels that the layout lacks and
  ///   angles of the head out of range.
  init(
    _ hrtf: HRTFSet, _ format: AudioFormat, _ options: SceneOptions = SceneOptions()
  ) throws {
    let layout = format.layout
    let rate = format.sampleRate
    let directions = try options.positions.directions(in: layout)
    try options.pose.check()
    let designer = HRIRDesigner(hrtf, rate: rate)
    let canceller = options.span.map { span in
      CrosstalkCanceller(designer, span: span, rate: rate, bandwidth: Double(hrtf.sourceRate) / 2)
    }
    bassChannels = layout.speakers.indices.filter { layout.speakers[$0].isLFE }
    mainChannels = layout.speakers.indices.filter { !layout.speakers[$0].isLFE }
    let gain = bassChannels.isEmpty ? nil : options.lfeGainDB
    let half = gain == nil ? 0 : LFEFilter.half(rate: rate)
    let delay = canceller?.delay ?? 0
    let lead = designer.lead + delay
    let latency = max(lead, half)
    lowPass = gain.map { decibels in
      // The LFE gain is relative to a main channel, so it includes the frontal response's bass.
      let gain = pow(10, decibels / 20) * designer.frontalGain(at: 60)
      return [Double](repeating: 0, count: latency - half)
        + LFEFilter.taps(rate: rate).map { $0 * gain * (canceller?.bassGain ?? 1) }
    }
    self.lead = lead
    self.latency = latency
    let room = options.room.map {
      RoomFilters($0.shoebox, designer, rate: rate, pose: options.pose)
    }
    let pairs = directions.map { direction in
      let pair = designer.pair(at: options.pose.place(of: direction))
      return room?.adding(to: pair, direction) ?? pair
    }
    let tail = pairs.reduce(designer.tail) { max($0, $1.left.count - designer.lead - 1) }
    mainLength = lead + delay + tail + 1
    let mains = mainChannels
    late = (options.roomTail ? options.room : nil).map { model in
      let room = LateRoom(model, designer, rate: rate)
      return (room, mains.map { room.gains(from: UnitVector.of(directions[$0])) })
    }
    let lateTail = late.map { $0.room.taps - lead - 1 } ?? 0
    length = latency + max(delay + tail, half, lateTail) + 1
    let combiner = canceller.map { FilterCombiner($0, pairLength: designer.lead + tail + 1) }
    for (index, speaker) in layout.speakers.enumerated() {
      if speaker.isLFE {
        left.append(place(lowPass ?? [], from: 0))
        right.append(left[index])
      } else {
        let pair = combiner?.speakers(for: pairs[index]) ?? pairs[index]
        left.append(place(pair.left, from: latency - lead))
        right.append(place(pair.right, from: latency - lead))
      }
    }
  }

  private func place(_ taps: [Double], from start: Int) -> [Double] {
    var placed = [Double](repeating: 0, count: length)
    for (index, tap) in taps.enumerated() { placed[start + index] = tap }
    return placed
  }
}
