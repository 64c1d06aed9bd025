// SPDX-License-Identifier: Apache-2.0
import Signal

/// Mixes dialogue and associated audio into the main substream, subband by subband
/// (TS 103 190-1, 6.2.16; TS 103 190-2, 4.8.3.17, 4.8.3.18 and 4.8.4).
final class PresentationMixer {
  private let panner: MixPanner
  /// Channels of each substream.
  private let modes: [AC4ChannelMode]
  /// For each channel of each further substream the main channel of the same speaker.
  private let routes: [[Int?]]
  /// The gain in dB that the listener wants for dialogue.
  private let dialogueGain: Double
  private let slots: Int
  private let hasAssociated: Bool
  /// Gains of the frames that wait, the newest among them.
  private let frames: [MixGains]
  /// Frames whose gains have been set.
  private var count = 0

  /// Gains of main audio under associated audio, as last sent.
  private var scales = AC4MixScales()
  /// `sg_gain` of each group, as last sent; empty for none.
  private var groupGains: [Int] = []
  /// The most gain in dB that the listener may give to each substream's dialogue.
  private var limits: [Double]
  /// `pan_dialog` of each substream in steps of 1.5°; empty until it is sent.
  private var pans: [[Int]]

  /// A mixer of `sources`, the main one first.
  /// - Throws: ``AC4Error/unsupported(_:)`` for channels that the main substream lacks.
  init(
    _ sources: [SubstreamSource], _ timing: FrameTiming, _ options: AC4DecoderOptions
  ) throws(AC4Error) {
    let modes = sources.compactMap(\.layout.mode)
    guard modes.count == sources.count else { throw .unsupported("mixing with objects") }
    if let mode = modes.first(where: { $0.rawValue > 10 }) {
      throw .unsupported("mixing with \(mode.name)")
    }
    self.modes = modes
    let main = modes[0]
    panner = MixPanner(main)
    slots = timing.slots
    dialogueGain = options.dialogueGain
    hasAssociated = sources.contains { $0.role == .associated }
    limits = sources.map { _ in 0 }
    pans = sources.map { _ in [] }
    let speakers = main.codedSpeakers
    var routes: [[Int?]] = []
    for mode in modes.dropFirst() {
      let route = mode.codedSpeakers.map { speakers.firstIndex(of: $0) }
      guard mode == .mono || !route.contains(nil) else {
        throw .unsupported("mixing of \(mode.name) into \(main.name)")
      }
      routes.append(route)
    }
    self.routes = routes
    frames = (0...timing.controlDelay).map { _ in
      MixGains(channels: main.channels, others: modes.dropFirst().map(\.channels))
    }
  }

  /// Sets the gains of a frame from its metadata. Scales and pans hold until others are sent
  /// (TS 103 190-1, 6.2.16).
  func prepare(
    _ presentation: AC4PresentationMetadata?, _ substreams: (Int) -> AC4SubstreamMetadata?,
    _ sources: [SubstreamSource], part: Int
  ) {
    if let presentation {
      if let gains = presentation.groupGains {
        groupGains = gains
      } else if !presentation.keepsGroupGains {
        groupGains = []
      }
      if let newer = presentation.scales { scales = scales.updated(by: newer) }
    }
    for (index, source) in sources.enumerated() {
      guard let metadata = substreams(index) else { continue }
      if let newer = metadata.scales { scales = scales.updated(by: newer) }
      if !metadata.dialoguePans.isEmpty { pans[index] = metadata.dialoguePans }
      if let limit = metadata.dialogueLimit {
        limits[index] = limit
      } else if source.isIFrame(part) {
        // An I-frame without a limit allows no gain.
        limits[index] = 0
      }
    }
    fill(frames[count % frames.count], substreams, sources)
    count += 1
  }

  /// Repeats the last frame's gains for a frame that couldn't be read.
  func hold() {
    if count > 0 { frames[count % frames.count].copy(frames[(count - 1) % frames.count]) }
    count += 1
  }

  /// Adds the subbands of the further substreams to those of the main one.
  func apply(_ main: [SubbandFrame], _ other: (Int) -> [SubbandFrame]) {
    // While the first frames wait for their control data, the gains of the very first hold.
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

  /// Forgets the values that hold until others are sent, not the gains of frames that wait.
  func changeSource() {
    scales = AC4MixScales()
    groupGains = []
    for index in limits.indices {
      limits[index] = 0
      pans[index] = []
    }
  }

  // MARK: Gains

  /// Computes the gains of a frame from the values in force.
  private func fill(
    _ gains: MixGains, _ substreams: (Int) -> AC4SubstreamMetadata?, _ sources: [SubstreamSource]
  ) {
    for (index, source) in sources.enumerated() {
      let group = groupGain(source)
      guard index > 0 else {
        for (channel, speaker) in modes[index].codedSpeakers.enumerated() {
          gains.main.base[channel] = Float(group * scale(speaker))
        }
        continue
      }
      let matrix = gains.others[index - 1]
      matrix.fill(0)
      let own = group * level(index, sources, substreams)
      for (channel, speaker) in modes[index].codedSpeakers.enumerated() {
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

  /// The gain of a channel of main or dialogue audio under associated audio: `scale_main`,
  /// `scale_main_centre` and `scale_main_front`.
  private func scale(_ speaker: String) -> Double {
    guard hasAssociated else { return 1 }
    let all = AC4MixScales.gain(scales.main)
    switch speaker {
    case "FC": return all * AC4MixScales.gain(scales.centre)
    case "FL", "FR": return all * AC4MixScales.gain(scales.front)
    default: return all
    }
  }

  /// The level of a further substream: for dialogue the listener's gain, for associated audio of old streams,
  /// whose substreams have a `dialnorm` each, the gain that brings it to the level of the rest.
  private func level(
    _ index: Int, _ sources: [SubstreamSource], _ substreams: (Int) -> AC4SubstreamMetadata?
  ) -> Double {
    switch sources[index].role {
    case .dialogue: return Maths.decibels(min(dialogueGain, limits[index]))
    case .associated where sources[index].syntaxVersion == 0:
      let leader = sources.firstIndex { $0.role == .dialogue } ?? 0
      guard let own = substreams(index)?.dialnorm, let common = substreams(leader)?.dialnorm else {
        return 1
      }
      // dB2: 6 double the amplitude.
      return Maths.power2((common - own) / 6)
    default: return 1
    }
  }

  /// The main channels that a channel of a further substream goes to, and its shares in them.
  private func shares(
    _ index: Int, _ source: SubstreamSource, _ channel: Int
  ) -> [(channel: Int, share: Double)] {
    let pans = pans[index]
    if source.role == .dialogue, modes[index].channels <= 2, pans.indices.contains(channel) {
      return panner.shares(pans[channel])
    }
    if modes[index] == .mono {
      // Without `pan_associated` a mono signal comes from the front.
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

/// The mix gains of one frame, which wait as long as its control data.
final class MixGains {
  /// Gain of each channel of the main substream.
  let main: Buffer<Float>
  /// For each further substream the gains from its channels (rows) to those of the main one (columns).
  let others: [Buffer<Float>]

  /// Gains of 0.
  /// - Parameters:
  ///   - channels: channels of the main substream.
  ///   - others: channels of each further substream.
  init(channels: Int, others: [Int]) {
    main = Buffer(0, count: channels)
    self.others = others.map { Buffer(0, count: $0 * channels) }
  }

  /// Takes over the gains of `other`.
  func copy(_ other: MixGains) {
    main.base.update(from: other.main.base, count: main.count)
    for (own, theirs) in zip(others, other.others) {
      own.base.update(from: theirs.base, count: own.count)
    }
  }
}
