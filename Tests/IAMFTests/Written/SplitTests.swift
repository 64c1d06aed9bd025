// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import TestSupport
import Testing

@testable import IAMF

/// An encoder's work on a programme, against its steps in plain words.
@Suite struct SplitTests {
  private static let count = 48

  /// The largest difference of planes from wanted samples.
  private func difference(_ planes: AudioBuffer, _ wanted: [[Double]]) -> Double {
    var worst = 0.0
    for (place, samples) in wanted.enumerated() {
      for (channel, sample) in samples.enumerated() {
        worst = max(worst, abs(Double(planes.channel(channel)[place]) - sample))
      }
    }
    return worst
  }

  @Test("downmixes of every stack of two layers are within 3e-7 of the formulas in plain words")
  func everyDownmix() throws {
    var random = SeededNoise(seed: 31)
    for stack in SlowDownmix.stacks where stack.count == 2 {
      for mode in [0, 1, 2, 6] {
        let weight = Int.random(in: 0...10, using: &random)
        let programme = WrittenProgramme(stack, 16, &random, mode: mode, weight: weight)
        let layouts = WrittenProgramme.layouts(stack)
        let mixer = try LayerDownmixer(from: layouts[1], to: layouts[0])
        let values = try #require(DemixingValues(mode: mode, weight: weight))
        let result = AudioBuffer(channels: mixer.channelCount)
        mixer.mix(programme.planes, range: 3..<16, values, into: result)
        #expect(result.frames == 13)
        let wanted = programme.mixes[3...].map { $0.channels(stack[0]) }
        let worst = difference(result, wanted)
        #expect(worst < 3e-7, "\(stack), mode \(mode): \(worst)")
      }
    }
  }

  @Test(
    "a layout downmixes to itself and to layouts that may stack below it, and others are refused")
  func downmixesThatLayersAllow() throws {
    for from in LoudspeakerLayout.allCases {
      for to in LoudspeakerLayout.allCases {
        let isStack = SlowDownmix.stacks.contains([to.rawValue, from.rawValue])
        let isSame = to == from && from != .binaural && from != .expanded
        let reaches = LayerDownmixer.reaches(to, from: from)
        #expect(reaches == (isStack || isSame), "\(from) to \(to)")
        if !reaches {
          #expect(throws: IAMFError.self) { try LayerDownmixer(from: from, to: to) }
        }
      }
    }
  }

  /// Coded planes are the steps' mixes, divided by the output gain, and a reader makes every layer of them.
  @Test(
    "coded planes of every stack are within 4e-7 of the plain steps, and layers read back within 1e-5"
  )
  func everyStackOfLayers() throws {
    var random = SeededNoise(seed: 32)
    var attenuated = 0
    for stack in SlowDownmix.stacks {
      let mode = Int.random(in: 0...2, using: &random)
      let weight = Int.random(in: 0...10, using: &random)
      let programme = WrittenProgramme(
        stack, SplitTests.count, &random, mode: mode, weight: weight)
      var element = try programme.element(mode: mode, weight: weight)
      var peaks = LayerPeaks(element)
      peaks.add(programme.planes)
      element.outputGains = peaks.outputGains
      attenuated += element.outputGains.count { $0 != nil }
      let splitter = LayerSplitter(element)
      #expect(splitter.codedCount == programme.planes.channels)
      let coded = AudioBuffer(channels: splitter.codedCount)
      splitter.split(programme.planes, into: coded)
      let scales = programme.coded.map { name, layer in
        let gain = element.outputGains[layer]
        let isMixed = name.hasSuffix("2") || name.hasSuffix("3") || name == "M"
        let isSurround = (name == "Ls" || name == "Rs") && stack[stack.count - 1] >= 5
        let isSource = programme.stack.count == 1 || SplitTests.isSource(name, stack)
        return gain != nil && (isMixed || isSurround) && !isSource
          ? pow(10, -(gain?.gain ?? 0) / 20) : 1
      }
      let wanted = programme.mixes.map { mix in
        zip(programme.coded, scales).map { (mix.versions[$0.name] ?? 0) * $1 }
      }
      let worst = difference(coded, wanted)
      #expect(worst < 4e-7, "\(stack): \(worst)")
      try expectLayers(programme, element, coded)
    }
    #expect(attenuated > 50)
  }

  /// Whether a version of a channel is one of the programme, though a digit stands behind its name.
  private static func isSource(_ name: String, _ stack: [Int]) -> Bool {
    let (_, surround, top) = SlowDownmix.layouts[stack[stack.count - 1]]
    if name == "L2" || name == "R2" { return surround == 2 }
    if name == "L3" || name == "R3" { return surround == 3 }
    if name == "M" { return surround == 1 }
    if name.hasSuffix("tf3") { return surround == 3 }
    if name.hasSuffix("tf2") { return top == 2 }
    return name != "Ls" && name != "Rs" || surround == 5
  }

  private func expectLayers(
    _ programme: WrittenProgramme, _ element: WrittenElement, _ coded: AudioBuffer
  ) throws {
    let sequence = try WrittenSequence(lpcm: [element], frame: SplitTests.count)
    let playable = try #require(sequence.playable(0))
    #expect(playable.layerCount == programme.stack.count && playable.layerLimit == nil)
    #expect(playable.substreamChannels == element.substreamChannels)
    for (layer, layout) in programme.stack.enumerated() {
      let reconstructor = ElementReconstructor(playable, layer: layer)
      let result = AudioBuffer(channels: reconstructor.channelCount)
      reconstructor.reconstruct(coded, TemporalUnit(), into: result)
      let worst = difference(result, programme.mixes.map { $0.channels(layout) })
      #expect(worst < 1e-5, "\(programme.stack), layer \(layer): \(worst)")
    }
  }

  /// Blocks of any size give the same bits, and factors may change between them.
  @Test("blocks of 1 to 1200 samples split to the same bits, and factors may change between blocks")
  func blocksDontChangeSamples() throws {
    var random = SeededNoise(seed: 33)
    let programme = WrittenProgramme([1, 8, 3, 7], 1200, &random)
    var element = try programme.element(mode: 2, weight: 7)
    var peaks = LayerPeaks(element)
    peaks.add(programme.planes)
    element.outputGains = peaks.outputGains
    let results = [1200, 256, 255, 100, 7, 1].map { size in
      let splitter = LayerSplitter(element)
      let coded = AudioBuffer(channels: splitter.codedCount)
      for start in stride(from: 0, to: 1200, by: size) {
        let part = AudioBuffer(channels: 12)
        part.append(programme.planes, range: start..<min(1200, start + size))
        splitter.split(part, into: coded)
      }
      return (0..<coded.channels).map { Array(coded.channel($0)) }
    }
    #expect(results.allSatisfy { $0 == results[0] })
    let mixer = try LayerDownmixer(from: .surround714, to: .stereo)
    let mixed = AudioBuffer(channels: 2)
    for (index, mode) in [0, 1, 0].enumerated() {
      let values = try #require(DemixingValues(mode: mode, weight: 0))
      mixer.mix(programme.planes, range: index * 400..<(index + 1) * 400, values, into: mixed)
    }
    for (index, mode) in [0, 1, 0].enumerated() {
      let whole = AudioBuffer(channels: 2)
      let values = try #require(DemixingValues(mode: mode, weight: 0))
      try LayerDownmixer(from: .surround714, to: .stereo)
        .mix(programme.planes, range: 0..<1200, values, into: whole)
      let range = index * 400..<(index + 1) * 400
      #expect(Array(whole.channel(1)[range]) == Array(mixed.channel(1)[range]), "\(index)")
    }
  }

  @Test("a sound field of 9 channels passes the splitter to the bit")
  func soundFieldsPassThrough() throws {
    let splitter = LayerSplitter(try WrittenElement(.scene(channels: 9)))
    var random = SeededNoise(seed: 34)
    let source = AudioBuffer(channels: 9)
    source.grow(by: 20)
    for channel in 0..<9 {
      _ = source.channel(channel).update(fromContentsOf: random.samples(20))
    }
    let coded = AudioBuffer(channels: splitter.codedCount)
    splitter.split(source, into: coded)
    #expect((0..<9).allSatisfy { Array(coded.channel($0)) == Array(source.channel($0)) })
  }

  @Test("beds of layers that can't stack, and scenes of 0, 2, 36 or 225 channels, are refused")
  func elementsThatDontGrow() throws {
    let wrong: [[Int]] = [
      [], [2, 1], [1, 1], [1, 9], [9, 1], [15], [1, 15], [8, 2], [4, 6], [6, 4],
      [0, 1, 8, 3, 6, 7, 7],
    ]
    for stack in wrong {
      #expect(throws: IAMFError.self, "\(stack)") {
        try WrittenElement(.bed(WrittenProgramme.layouts(stack)))
      }
    }
    for stack in [[9], [0], [7], [0, 1, 8, 3, 6, 7]] {
      let element = try WrittenElement(.bed(WrittenProgramme.layouts(stack)))
      #expect(element.channels == element.layout?.channels)
    }
    for channels in [0, 2, 36, 225] {
      #expect(throws: IAMFError.self) { try WrittenElement(.scene(channels: channels)) }
    }
  }
}
