import AudioCore
import Glibc

/// The filters of every channel of a layout at a rate, all of one length and time reference.
struct BinauralFilterBank: Sendable {
  /// channel × tap, to the left ear.
  private(set) var left: [[Double]] = []
  /// channel × tap, to the right ear.
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
  /// The filter of LFE channels, the same to both ears; `nil` when there are none or no wish.
  let lowPass: [Double]?

  /// Filters for the channels of `format`.
  init(_ hrtf: HRTFSet, _ format: AudioFormat, _ options: BinauralOptions) {
    let layout = format.layout
    let rate = format.sampleRate
    let designer = HRIRDesigner(hrtf, rate: rate)
    bassChannels = layout.speakers.indices.filter { layout.speakers[$0].isLFE }
    mainChannels = layout.speakers.indices.filter { !layout.speakers[$0].isLFE }
    let gain = bassChannels.isEmpty ? nil : options.lfeGainDB
    lowPass = gain.map { decibels in
      let gain = pow(10, decibels / 20) * designer.frontalGain(at: 60)
      return LFEFilter.taps(rate: rate).map { $0 * gain }
    }
    let half = lowPass == nil ? 0 : LFEFilter.half(rate: rate)
    lead = designer.lead
    mainLength = designer.lead + designer.tail + 1
    latency = max(lead, half)
    length = latency + max(designer.tail, half) + 1
    for (index, speaker) in layout.speakers.enumerated() {
      if speaker.isLFE {
        left.append(place(lowPass ?? [], from: latency - half))
        right.append(left[index])
      } else {
        let pair = designer.pair(for: layout.direction(at: index))
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
