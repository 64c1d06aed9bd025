// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import IAMF

/// Layers of every stack give back what an encoder mixed down, whose words share nothing with the code.
@Suite struct ScalableTests {
  private static let frame = 16
  private static let frames = 30

  /// A programme in the highest layout of a stack, and its downmixes frame by frame.
  private struct Case {
    let stack: [Int]
    var modes: [Int] = []
    /// Downmixes of each sample.
    var mixes: [SlowDownmix] = []

    init(_ stack: [Int], _ random: inout SeededNoise) {
      self.stack = stack
      let top = stack[stack.count - 1]
      let labels = SlowDownmix.layouts[top].labels.split(separator: " ").map(String.init)
      var weight = 0
      for frame in 0..<ScalableTests.frames {
        // Runs of rising and falling weights reach both ends.
        let rises = frame / 12 % 2 == 0
        let mode = Int.random(in: 0..<3, using: &random) + (rises ? 4 : 0)
        modes.append(mode)
        if frame > 0 { weight = min(10, max(0, weight + (rises ? 1 : -1))) }
        for _ in 0..<ScalableTests.frame {
          var sample: [String: Double] = [:]
          for label in labels { sample[label] = Double(Float.random(in: -1...1, using: &random)) }
          mixes.append(SlowDownmix(sample, layout: top, mode: mode, weight: weight))
        }
      }
    }
  }

  /// The playable element of a stack, and the names that its substreams hold.
  private func element(
    _ stack: [Int], gain: (flags: Int, steps: Int)?
  ) throws -> (SequenceDescription, [String]) {
    var sequence = SyntheticSequence()
    sequence.frame = ScalableTests.frame
    var layers: [[UInt8]] = []
    var names: [String] = []
    var substreams = 0
    for (index, layout) in stack.enumerated() {
      let coded = SlowDownmix.coded(layout, above: index == 0 ? nil : stack[index - 1])
      names += coded.pairs.flatMap { $0 } + coded.singles
      let count = coded.pairs.count + coded.singles.count
      layers.append(SyntheticSequence.layer(layout, count, coded.pairs.count, gain: gain))
      substreams += count
    }
    let demixing = sequence.demixing(5, mode: 1, weight: 3)
    sequence.elements = [
      SyntheticSequence.element(
        1, substreams: Array(0..<substreams), layers: layers, parameters: [demixing])
    ]
    return (try sequence.description(), names)
  }

  /// The unit with a demixing block.
  private func unit(_ mode: Int, _ description: SequenceDescription) throws -> TemporalUnit {
    var unit = TemporalUnit()
    let rule = try #require(description.parameters[5])
    unit.blocks = [
      try [UInt8(mode << 5)].reading { bits throws(IAMFError) in try ParameterBlock(&bits, rule) }
    ]
    return unit
  }

  @Test("every layer of every stack is reconstructed within 2e-5 of the encoder's downmix")
  func everyStackOfLayers() throws {
    var random = SeededNoise(seed: 21)
    let stacks = SlowDownmix.stacks
    #expect(stacks.count > 60)
    for stack in stacks {
      // 6 dB on all channels that may have a gain, and on none.
      for gain in [nil, (flags: 0b111111, steps: 1536)] {
        let item = Case(stack, &random)
        let (description, names) = try element(stack, gain: gain)
        let playable = try #require(description.playableElements[1], "\(stack)")
        #expect(playable.layerCount == stack.count, "\(stack)")
        for layer in stack.indices {
          let worst = try difference(item, description, names, layer, gain)
          #expect(worst < 2e-5, "\(stack), layer \(layer): \(worst)")
        }
      }
    }
  }

  /// The largest difference of a layer's channels from the encoder's downmix.
  private func difference(
    _ item: Case, _ description: SequenceDescription, _ names: [String], _ layer: Int,
    _ gain: (flags: Int, steps: Int)?
  ) throws -> Double {
    let playable = try #require(description.playableElements[1])
    let reconstructor = ElementReconstructor(playable, layer: layer)
    let isAttenuated = item.stack.count > 1 && gain != nil
    let gained = ["L1", "M", "L2", "R2", "L3", "R3", "Ls", "Rs"]
    let decoded = AudioBuffer(channels: names.count)
    let result = AudioBuffer(channels: reconstructor.channelCount)
    var worst = 0.0
    for (frame, mode) in item.modes.enumerated() {
      let part = item.mixes[frame * ScalableTests.frame..<(frame + 1) * ScalableTests.frame]
      decoded.removeAll()
      decoded.grow(by: part.count)
      result.removeAll()
      for (channel, name) in names.enumerated() {
        let hasGain = isAttenuated && (gained.contains(name) || name.contains("tf"))
        for (index, mix) in part.enumerated() {
          let value = mix.versions[name] ?? 0
          decoded.channel(channel)[index] = Float(hasGain ? value * 0.501187233627 : value)
        }
      }
      reconstructor.reconstruct(decoded, try unit(mode, description), into: result)
      for (index, mix) in part.enumerated() {
        for (channel, wanted) in mix.channels(item.stack[layer]).enumerated() {
          worst = max(worst, abs(Double(result.channel(channel)[index]) - wanted))
        }
      }
    }
    return worst
  }

  /// Modes as they are sent, and the weights that result; `nil` is a unit without a block.
  @Test(
    "demixing modes step the weight up or down, and a unit without a block has the default mode and weight"
  )
  func weightsFollowTheModes() throws {
    let definition = try [UInt8]([5, 16, 0, 16, 16, 1 << 5, 4 << 4]).reading {
      bits throws(IAMFError) in try DemixingDefinition(&bits)
    }
    var track = DemixingTrack(definition)
    let sent: [Int?] = [6, 6, 4, 1, nil, 0, 2, 2, 5, 3, 7, nil]
    let weights = [0, 1, 2, 1, 4, 0, 0, 0, 1, 2, 3, 4].map { SlowDownmix.weights[$0] }
    let modes = [6, 6, 4, 1, 1, 0, 2, 2, 5, 5, 5, 1]
    for (index, mode) in sent.enumerated() {
      let next = track.next(mode)
      let values = try #require(next)
      #expect(values.weight == weights[index], "unit \(index)")
      let factors = [values.alpha, values.beta, values.gamma, values.delta]
      #expect(factors == SlowDownmix.factors[modes[index]], "unit \(index)")
    }
    // Reserved indices are the largest one, and a reserved default mode is the first one.
    let reserved = try [UInt8]([5, 16, 0, 16, 16, 7 << 5, 15 << 4]).reading {
      bits throws(IAMFError) in try DemixingDefinition(&bits)
    }
    track = DemixingTrack(reserved)
    let values = track.next(nil)
    #expect(values == DemixingValues(mode: 0, weight: 10))
  }

  /// Samples of a unit come out the same in any split of the frame's clock: a longer frame is two units.
  @Test("units of 64, 32, 5 or 1 samples reconstruct 64 samples to the same bits")
  func nothingIsKeptBetweenPlainUnits() throws {
    var random = SeededNoise(seed: 3)
    let (description, names) = try element([1, 3, 7], gain: nil)
    let playable = try #require(description.playableElements[1])
    let whole = AudioBuffer(channels: names.count)
    whole.grow(by: 64)
    for channel in names.indices {
      for (index, value) in random.samples(64).enumerated() {
        whole.channel(channel)[index] = value
      }
    }
    let results = [64, 32, 5, 1].map { size in
      let reconstructor = ElementReconstructor(playable)
      let result = AudioBuffer(channels: 12)
      for start in stride(from: 0, to: 64, by: size) {
        let part = AudioBuffer(channels: names.count)
        part.append(whole, range: start..<min(64, start + size))
        reconstructor.reconstruct(part, TemporalUnit(), into: result)
      }
      return (0..<12).map { Array(result.channel($0)) }
    }
    #expect(results.allSatisfy { $0 == results[0] })
    #expect(try unit(0, description).demixingMode(5) == 0)
  }
  /// No sample was mixed down with what a unit without samples states, so its mode moves no weight.
  @Test(
    "units without samples between others change no bit of a layer or a downmix",
    arguments: [ElementForm.layer(1), .downmix(.surround512)])
  func unitsWithoutSamplesChangeNothing(form: ElementForm) throws {
    var random = SeededNoise(seed: 4)
    let (description, names) = try element([8, 7], gain: nil)
    let playable = try #require(description.playableElements[1])
    let decoded = AudioBuffer(channels: names.count)
    let nothing = AudioBuffer(channels: names.count)
    decoded.grow(by: ScalableTests.frame)
    for channel in names.indices {
      _ = decoded.channel(channel).update(
        fromContentsOf: random.samples(ScalableTests.frame))
    }
    let results = try [false, true].map { hasEmptyUnits in
      let reconstructor = ElementReconstructor(playable, form: form)
      let result = AudioBuffer(channels: reconstructor.channelCount)
      for mode in [0, 6, 5, 2, 4] {
        let unit = try unit(mode, description)
        if hasEmptyUnits { reconstructor.reconstruct(nothing, unit, into: result) }
        reconstructor.reconstruct(decoded, unit, into: result)
      }
      return (0..<result.channels).map { Array(result.channel($0)) }
    }
    let isSame = results[0] == results[1]
    #expect(isSame)
    #expect(results[1].allSatisfy { $0.count == 5 * ScalableTests.frame })
  }
}
