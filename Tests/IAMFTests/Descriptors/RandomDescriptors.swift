// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import IAMF

/// Descriptors and blocks with random values that the syntax allows.
struct RandomDescriptors {
  var noise: SeededNoise

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &noise) }

  /// A number of up to 32 bits, small ones as often as large ones.
  mutating func wide() -> Int { number(0...(1 << number(0...32)) - 1) }

  mutating func flag() -> Bool { Bool.random(using: &noise) }

  mutating func fixed() -> Double { Double(number(-32_768...32_767)) / 256 }

  mutating func bytes(_ range: ClosedRange<Int>) -> [UInt8] {
    (0..<number(range)).map { _ in UInt8(number(0...255)) }
  }

  mutating func text() -> String {
    let letters = ["a", "Z", "é", "語", "🎧", " "]
    return (0..<number(0...20)).map { _ in letters[number(0...5)] }.joined()
  }

  mutating func texts(_ count: Int) -> [String] { (0..<count).map { _ in text() } }

  mutating func timing() -> BlockTiming {
    let count = number(0...3)
    return BlockTiming(
      duration: wide(), constant: count == 0 ? number(1...5000) : 0,
      listed: (0..<count).map { _ in wide() })
  }

  mutating func definition() -> ParameterDefinition {
    ParameterDefinition(id: wide(), rate: wide(), timing: flag() ? timing() : nil)
  }

  mutating func gain() -> MixGainDefinition {
    MixGainDefinition(parameter: definition(), defaultGain: fixed())
  }

  mutating func element() -> AudioElement {
    var parameters: [AudioElement.Parameter] = []
    if flag() {
      parameters.append(
        .demixing(
          DemixingDefinition(
            parameter: definition(), defaultMode: number(0...7), defaultWeight: number(0...15))))
    }
    if flag() { parameters.append(.reconGain(definition())) }
    if flag() { parameters.append(.other(type: number(3...500), bytes(0...200))) }
    let (type, content) = self.content()
    return AudioElement(
      id: wide(), type: type, codecConfigID: wide(),
      substreamIDs: (0..<number(1...12)).map { _ in wide() }, parameters: parameters,
      content: content)
  }

  private mutating func content() -> (Int, AudioElement.Content) {
    switch number(0...3) {
    case 0: return (number(2...7), .other(bytes(0...20)))
    case 1: return (1, .scene(scene()))
    default:
      let count = number(1...6)
      return (0, .channels((0..<count).map { layer(isFirst: $0 == 0) }))
    }
  }

  private mutating func layer(isFirst: Bool) -> ChannelLayer {
    let number = self.number(0...15)
    let count = self.number(1...255)
    let gain = ChannelLayer.OutputGain(flags: self.number(0...63), gain: fixed())
    return ChannelLayer(
      layoutNumber: number, outputGain: flag() ? gain : nil, hasReconGain: flag(),
      substreamCount: count, coupledCount: self.number(0...count),
      expandedNumber: isFirst && number == 15 ? self.number(0...255) : nil)
  }

  private mutating func scene() -> AmbisonicsConfig {
    let order = number(0...5)
    let channels = (order + 1) * (order + 1)
    let count = number(1...channels)
    let indices = Array(0..<count) + [AmbisonicsConfig.silent]
    let coupled = number(0...count)
    let matrix = (0..<(count + coupled) * channels).map { _ in Int16(number(-32_768...32_767)) }
    let mono = (0..<channels).map { _ in indices[number(0...count)] }
    return AmbisonicsConfig(
      channelCount: channels, substreamCount: count,
      mapping: flag() ? .mono(mono) : .projection(coupledCount: coupled, matrix: matrix))
  }

  mutating func mix() -> MixPresentation {
    let labels = number(0...3)
    return MixPresentation(
      id: wide(), languages: texts(labels), annotations: texts(labels),
      subMixes: (0..<number(1...2)).map { _ in subMix(labels) },
      tags: flag() ? (0..<number(0...3)).map { _ in .init(name: text(), value: text()) } : nil)
  }

  private mutating func subMix(_ labels: Int) -> SubMix {
    let elements = (0..<number(1...3)).map { _ in
      SubMix.Element(
        id: wide(), annotations: texts(labels),
        rendering: RenderingConfig(
          headphonesMode: RenderingConfig.HeadphonesMode(rawValue: number(0...3)) ?? .stereo,
          reserved: number(0...63), extensionBytes: bytes(0...5)), gain: gain())
    }
    return SubMix(
      elements: elements, outputGain: gain(), loudness: (0..<number(0...3)).map { _ in loudness() })
  }

  private mutating func loudness() -> LayoutLoudness {
    let layouts: [LayoutLoudness.Layout] = [
      .loudspeakers(SoundSystem.allCases[number(0...14)]), .binaural,
      .reserved(type: 0, soundSystem: 0), .reserved(type: 1, soundSystem: 0),
      .reserved(type: 2, soundSystem: 15),
    ]
    let type = number(0...255)
    let anchors = (0..<number(0...3)).map { _ in
      LayoutLoudness.Anchor(element: number(0...255), loudness: fixed())
    }
    return LayoutLoudness(
      layout: layouts[number(0...4)], infoType: type, integrated: fixed(), digitalPeak: fixed(),
      truePeak: type & 1 != 0 ? fixed() : nil, anchors: type & 2 != 0 ? anchors : [],
      extensionBytes: type & 0xFC != 0 ? bytes(0...9) : nil)
  }

  /// A block and the rule that it is read by.
  mutating func block() -> (ParameterBlock, ParameterRule) {
    let count = number(1...4)
    let durations = (0..<count).map { _ in number(1...3000) }
    let sum = durations.reduce(0, +)
    let timing =
      flag()
      ? BlockTiming(duration: sum, constant: 0, listed: durations)
      : BlockTiming(duration: count * durations[0], constant: durations[0], listed: [])
    let isOwn = flag()
    // A subblock without a byte of its own isn't what files have.
    let layers = (0..<number(0...5)).map { _ in flag() } + [true]
    let kinds: [ParameterRule.Kind] = [.mixGain, .demixing, .reconGain(layers: layers)]
    let rule = ParameterRule(
      definition: ParameterDefinition(id: wide(), rate: wide(), timing: isOwn ? nil : timing),
      kind: kinds[number(0...2)])
    let subblocks = (0..<count).map { index in
      ParameterBlock.Subblock(duration: timing.subblock(index), value: value(rule.kind))
    }
    let block = ParameterBlock(
      id: rule.definition.id, rate: rule.definition.rate, timing: isOwn ? timing : nil,
      subblocks: subblocks)
    return (block, rule)
  }

  private mutating func value(_ kind: ParameterRule.Kind) -> ParameterBlock.Value {
    switch kind {
    case .mixGain:
      let animations: [ParameterBlock.Animation] = [
        .step(fixed()), .linear(start: fixed(), end: fixed()),
        .bezier(start: fixed(), end: fixed(), control: fixed(), time: number(0...255)),
      ]
      return .mixGain(animations[number(0...2)])
    case .demixing: return .demixing(mode: number(0...7))
    case .reconGain(let layers):
      return .reconGain(
        layers.map { hasGains in
          guard hasGains else { return nil }
          let flags = number(0...4095)
          let gains = (0..<flags.nonzeroBitCount).map { _ in UInt8(number(0...255)) }
          return ParameterBlock.LayerGains(flags: flags, gains: gains)
        })
    }
  }
}
