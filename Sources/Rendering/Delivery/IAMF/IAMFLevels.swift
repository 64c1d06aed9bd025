// SPDX-License-Identifier: Apache-2.0
import AudioCore
import IAMF
import Loudness
import Spatial

/// Measures what a mix is on some layouts, as an IAMF renderer makes it of the file: layers as they are, other
/// layouts by the factors of the layers, and else by ITU-R BS.2127.
final class IAMFLevels {
  /// A layout, and how the mix gets there.
  private enum Way {
    /// The planes as they are.
    case whole
    /// The encoder's own downmix.
    case layers(LayerDownmixer, DemixingValues, order: [Int])
    /// A renderer of the programme.
    case renderer(Compensated<ProgrammeBlock>)
  }

  /// A measurement under way.
  private struct Place {
    let system: SoundSystem
    let way: Way
    let meter: LoudnessMeter
    let scratch: AudioBuffer
    /// Channels in the order of IAMF.
    let made: AudioBuffer
  }

  private let contents: IAMFContents
  private let places: [Place]
  /// The channels of a bed in the order of IAMF; `nil` of other programmes.
  private let source: AudioBuffer?

  /// The measurement of a mix in stereo, in each layer and as a whole.
  /// - Throws: ``MediaError`` when a layout can't be made.
  init(_ contents: IAMFContents) throws {
    self.contents = contents
    let rate = contents.programme.sampleRate
    source = contents.bed.map { AudioBuffer(channels: $0.layout.count) }
    var systems: [SoundSystem] = [.a]
    if let bed = contents.bed {
      systems += bed.layers.compactMap(\.soundSystem)
    } else {
      systems.append(.d)
    }
    var known = Set<SoundSystem>()
    places = try systems.filter { known.insert($0).inserted }.map { system in
      let layout = system.layout
      return Place(
        system: system, way: try IAMFLevels.way(contents, system),
        // The loudness that is stated of one channel is that of one loudspeaker, whatever the target counts it as.
        meter: try LoudnessMeter(format: AudioFormat(sampleRate: rate, layout: layout)),
        scratch: AudioBuffer(channels: layout.count), made: AudioBuffer(channels: layout.count))
    }
  }

  /// Takes the next samples.
  func add(_ buffer: AudioBuffer) throws {
    if let source { contents.elements.first?.gather(buffer, into: source) }
    for place in places {
      place.scratch.removeAll()
      switch place.way {
      case .whole: place.scratch.append(buffer)
      case .renderer(let renderer):
        try renderer.process(
          ProgrammeBlock(contents.programme, audio: buffer), into: place.scratch)
      case .layers(let downmixer, let values, let order):
        guard let source else { break }
        place.made.removeAll()
        downmixer.mix(source, range: 0..<source.frames, values, into: place.made)
        place.scratch.grow(by: place.made.frames)
        for (channel, plane) in order.enumerated() {
          _ = place.scratch.channel(plane).update(fromContentsOf: place.made.channel(channel))
        }
      }
      try place.meter.add(place.scratch)
    }
  }

  /// Loudness of each layout, as the mix states it. Call once.
  func finish() throws -> [LayoutLoudness] {
    try places.map { place in
      if case .renderer(let renderer) = place.way {
        place.scratch.removeAll()
        try renderer.finish(into: place.scratch)
        try place.meter.add(place.scratch)
      }
      let measured = place.meter.statistics().measurement
      return LayoutLoudness(
        .loudspeakers(place.system),
        integrated: IAMFLevels.stated(measured.integrated),
        digitalPeak: IAMFLevels.stated(measured.samplePeak),
        truePeak: IAMFLevels.stated(measured.truePeak))
    }
  }

  private static func way(_ contents: IAMFContents, _ system: SoundSystem) throws -> Way {
    let layout = system.layout
    if let bed = contents.bed, let whole = bed.layers.last {
      if whole.soundSystem == system { return .whole }
      if let target = LoudspeakerLayout(layout), bed.layers.count > 1,
        LayerDownmixer.reaches(target, from: whole)
      {
        guard
          let values = contents.elements[0].written.demixing ?? DemixingValues(mode: 0, weight: 0)
        else { throw MediaError(.internal, "IAMF: no demixing mode 0") }
        let order = target.channels.compactMap { $0.speaker.flatMap(layout.speakers.firstIndex) }
        do throws(IAMFError) {
          return .layers(
            try LayerDownmixer(from: whole, to: target), values, order: order)
        } catch {
          throw MediaError(.internal, "IAMF: \(error.reason)")
        }
      }
    }
    return .renderer(
      try Compensated(
        LoudspeakerRenderer(layout: layout), name: "the renderer", input: contents.programme))
  }

  /// A level as the file can state it, in 1/256 dB: silence is −128 dB, the least there is.
  private static func stated(_ level: Double?) -> Double {
    let level = level.map { $0.isFinite ? $0 : -128 } ?? -128
    return (min(max(level, -128), 127) * 256).rounded() / 256
  }
}

extension LoudspeakerLayout {
  /// The sound system for which the loudness of the layout is stated; `nil` for parts of layouts.
  var soundSystem: SoundSystem? {
    switch self {
    case .mono: return .mono
    case .stereo, .binaural: return .a
    case .surround51: return .b
    case .surround512: return .c
    case .surround514: return .d
    case .surround71: return .i
    case .surround712: return .surround712
    case .surround714: return .j
    case .surround312: return .surround312
    case .expanded: return nil
    }
  }
}

extension SoundSystem {
  /// Its loudspeakers, for those systems that layers have.
  fileprivate var layout: ChannelLayout {
    LoudspeakerLayout.allCases.first { $0.soundSystem == self }?.layout ?? .stereo
  }
}
