/// Mixes dialogue and associated audio into the main substream, subband by subband
/// (TS 103 190-1, 6.2.16; TS 103 190-2, 4.8.3.17, 4.8.3.18 and 4.8.4).
final class PresentationMixer {
  private let panner: MixPanner
  /// For each further substream the main channel of each of its channels.
  private let routes: [[Int?]]
  /// Wanted gain of dialogue in dB.
  private let dialogueGain: Double
  private let slots: Int
  private let hasAssociated: Bool
  /// Gains of the frames that wait, the newest among them.
  private let frames: [MixGains]
  private var count = 0

  private var scales = AC4MixScales()
  private var groupGains: [Int] = []
  /// Largest gain that each substream's dialogue may have, in dB.
  private var limits: [Double]
  /// Where each substream's dialogue comes from, in steps of 1.5°; empty when nothing was said.
  private var pans: [[Int]]

  /// A mixer of `sources`, the main one first.
  /// - Throws: ``AC4Error/unsupported(_:)`` for channels that the main substream lacks.
  init(
    _ sources: [SubstreamSource], _ timing: FrameTiming, _ options: AC4DecoderOptions
  ) throws(AC4Error) {
    let main = sources[0].mode
    panner = MixPanner(main)
    slots = timing.slots
    dialogueGain = options.dialogueGain
    hasAssociated = sources.contains { $0.role == .associated }
    limits = sources.map { _ in 0 }
    pans = sources.map { _ in [] }
    let speakers = main.codedSpeakers
    var routes: [[Int?]] = []
    for source in sources.dropFirst() {
      let route = source.mode.codedSpeakers.map { speakers.firstIndex(of: $0) }
      guard source.mode == .mono || !route.contains(nil) else {
        throw .unsupported("mixing of \(source.mode.name) into \(main.name)")
      }
      routes.append(route)
    }
    self.routes = routes
    frames = (0...timing.controlDelay).map { _ in
      MixGains(channels: main.channels, others: sources.dropFirst().map(\.mode.channels))
    }
  }

  /// Takes in what a frame says; scales and places hold until others are sent (TS 103 190-1, 6.2.16).
  func prepare(
    _ presentation: AC4PresentationMetadata?, _ substreams: (Int) -> AC4SubstreamMetadata?,
    _ now: [SubstreamSource], part: Int
  ) {
    if let presentation {
      if let gains = presentation.groupGains {
        groupGains = gains
      } else if !presentation.keepsGroupGains {
        groupGains = []
      }
      if let newer = presentation.scales { scales = scales.updated(by: newer) }
    }
    for (index, source) in now.enumerated() {
      guard let said = substreams(index) else { continue }
      if let newer = said.scales { scales = scales.updated(by: newer) }
      if !said.dialoguePans.isEmpty { pans[index] = said.dialoguePans }
      if let limit = said.dialogueLimit {
        limits[index] = limit
      } else if source.isIFrame(part) {
        limits[index] = 0
      }
    }
    fill(frames[count % frames.count], substreams, now)
    count += 1
  }

  /// Keeps to the last frame's gains.
  func hold() {
    if count > 0 { frames[count % frames.count].copy(frames[(count - 1) % frames.count]) }
    count += 1
  }

  /// Adds the subbands of the further substreams to those of the main one.
  func apply(_ main: [SubbandFrame], _ other: (Int) -> [SubbandFrame]) {
    // Before the first frame's turn its gains hold already.
    let gains = frames[count < frames.count ? 0 : count % frames.count]
    for (channel, frame) in main.enumerated() {
      let gain = gains.main.base[channel]
      if gain != 1 { frame.scale(by: gain) }
    }
    for (index, matrix) in gains.others.enumerated() {
      for (row, source) in other(index).enumerated() {
        for (channel, target) in main.enumerated() {
          let gain = matrix.base[row * main.count + channel]
          if gain != 0 { PresentationMixer.add(source, gain, to: target, slots) }
        }
      }
    }
  }

  /// Forgets earlier frames.
  func reset() {
    count = 0
    changeSource()
  }

  /// Forgets what was said, not the gains of frames that wait.
  func changeSource() {
    scales = AC4MixScales()
    groupGains = []
    for index in limits.indices {
      limits[index] = 0
      pans[index] = []
    }
  }

  // MARK: Gains

  private func fill(
    _ gains: MixGains, _ substreams: (Int) -> AC4SubstreamMetadata?, _ now: [SubstreamSource]
  ) {
    for (index, source) in now.enumerated() {
      let group = groupGain(source)
      guard index > 0 else {
        for (channel, speaker) in source.mode.codedSpeakers.enumerated() {
          gains.main.base[channel] = Float(group * scale(speaker))
        }
        continue
      }
      let matrix = gains.others[index - 1]
      matrix.fill(0)
      let own = group * level(index, now, substreams)
      for (channel, speaker) in source.mode.codedSpeakers.enumerated() {
        let gain = source.role == .associated ? own : own * scale(speaker)
        for (target, share) in shares(index, source, channel) {
          matrix.base[channel * gains.main.count + target] += Float(gain * share)
        }
      }
    }
  }

  /// `sg_gain`: steps of −0.25 dB, 63 is silence (TS 103 190-2, Table 70).
  private func groupGain(_ source: SubstreamSource) -> Double {
    guard let place = source.gainPlace, groupGains.indices.contains(place) else { return 1 }
    return groupGains[place] >= 63 ? 0 : Maths.decibels(-0.25 * Double(groupGains[place]))
  }

  /// How far a channel of main or dialogue steps back behind associated audio.
  private func scale(_ speaker: String) -> Double {
    guard hasAssociated else { return 1 }
    let all = AC4MixScales.gain(scales.main)
    switch speaker {
    case "FC": return all * AC4MixScales.gain(scales.centre)
    case "FL", "FR": return all * AC4MixScales.gain(scales.front)
    default: return all
    }
  }

  /// The listener's gain of dialogue; in streams whose substreams have levels of their own the one that
  /// brings associated audio to the level of the rest.
  private func level(
    _ index: Int, _ now: [SubstreamSource], _ substreams: (Int) -> AC4SubstreamMetadata?
  ) -> Double {
    switch now[index].role {
    case .dialogue: return Maths.decibels(min(dialogueGain, limits[index]))
    case .associated where now[index].syntaxVersion == 0:
      let leader = now.firstIndex { $0.role == .dialogue } ?? 0
      guard let own = substreams(index)?.dialnorm, let common = substreams(leader)?.dialnorm else {
        return 1
      }
      return Maths.power2((common - own) / 6)
    default: return 1
    }
  }

  private func shares(
    _ index: Int, _ source: SubstreamSource, _ channel: Int
  ) -> [(channel: Int, share: Double)] {
    let pans = pans[index]
    if source.role == .dialogue, source.mode.channels <= 2, pans.indices.contains(channel) {
      return panner.shares(pans[channel])
    }
    if source.mode == .mono {
      return panner.shares(source.role == .associated ? scales.pan ?? 0 : 0)
    }
    return routes[index - 1][channel].map { [($0, 1)] } ?? []
  }

  // MARK: Subbands

  private static func add(
    _ source: SubbandFrame, _ gain: Float, to target: SubbandFrame, _ slots: Int
  ) {
    for subband in 0..<QMF.bands {
      let (real, imaginary) = (source.real.row(subband), source.imaginary.row(subband))
      let (left, right) = (target.real.row(subband), target.imaginary.row(subband))
      for slot in 0..<slots {
        left[slot] += gain * real[slot]
        right[slot] += gain * imaginary[slot]
      }
    }
  }
}
