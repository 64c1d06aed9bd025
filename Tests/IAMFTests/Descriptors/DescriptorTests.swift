// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import IAMF

/// The elements and mixes that can be played, and the parts that are dropped.
@Suite struct DescriptorTests {
  private typealias Sequence = SyntheticSequence

  /// A description of elements whose mix 1 has all of them.
  private func described(_ elements: [[UInt8]]) throws(IAMFError) -> SequenceDescription {
    var sequence = Sequence()
    sequence.elements = elements
    sequence.mixes = [Sequence.mix(1, elements.map { Int($0[0]) })]
    return try sequence.description()
  }

  /// Layers as layout, substreams and coupled ones, and how many of them can be played.
  private static let stacks: [(layers: String, count: Int)] = [
    ("0:1:0", 1), ("1:1:1", 1), ("2:4:2", 1), ("3:5:3", 1), ("4:6:4", 1), ("5:5:3", 1),
    ("6:6:4", 1), ("7:7:5", 1), ("8:4:2", 1), ("9:1:1", 1), ("1:1:1 8:3:1 3:1:1 7:2:2", 4),
    ("0:1:0 1:1:0 5:4:2", 3),
    // Reserved, binaural and expanded layouts in upper layers, and layers that add nothing.
    ("1:1:1 12:1:0", 1), ("1:1:1 9:1:1", 1), ("1:1:1 15:1:0", 1), ("2:4:2 1:1:1", 1),
    ("2:4:2 2:1:1", 1), ("6:6:4 4:1:1", 1), ("9:1:1 2:3:1", 1), ("1:1:1 12:1:0 7:6:4", 1),
    // Numbers of substreams that the layouts don't have.
    ("2:4:1", 0), ("2:3:2", 0), ("1:1:1 2:3:0", 0), ("1:2:0", 0), ("10:1:0", 0),
  ]

  @Test(
    "layers play up to the first that can't extend those below it, and wrong substream counts are refused",
    arguments: stacks)
  func layersThatCanBePlayed(stack: String, count: Int) throws {
    let layers = stack.split(separator: " ").map { $0.split(separator: ":").compactMap { Int($0) } }
    let bytes = layers.map { Sequence.layer($0[0], $0[1], $0[2]) }
    let substreams = Array(0..<layers.reduce(0) { $0 + $1[1] })
    let demixing = Sequence().demixing(5, mode: 0, weight: 0)
    let element = Sequence.element(3, substreams: substreams, layers: bytes, parameters: [demixing])
    guard count > 0 else {
      #expect(throws: IAMFError.self) { try described([element]) }
      return
    }
    let description = try described([element])
    let playable = try #require(description.playableElements[3])
    let layouts = layers.prefix(count).compactMap { LoudspeakerLayout(rawValue: $0[0]) }
    #expect(playable.layerChannels == layouts.map(\.channels))
    #expect(playable.substreamChannels.count == substreams.count)
    #expect(description.ignored.count == (count < layers.count ? 1 : 0))
  }

  /// Without demixing parameters only layers are played that don't need them.
  @Test(
    "without demixing parameters stereo and 3.1.2 play, and the 5.1.2 layer that needs them is ignored"
  )
  func layersWithoutDemixing() throws {
    let layers = [Sequence.layer(1, 1, 1), Sequence.layer(8, 3, 1), Sequence.layer(3, 1, 1)]
    let description = try described([
      Sequence.element(3, substreams: [0, 1, 2, 3, 4], layers: layers)
    ])
    #expect(description.playableElements[3]?.layerCount == 2)
    #expect(description.ignored.map(\.kind) == [.audioElement])
  }

  @Test(
    "every expanded layout plays with its channels, each in exactly one substream",
    arguments: ExpandedLayout.allCases)
  func expandedLayouts(layout: ExpandedLayout) throws {
    let substreams = ElementChannel.substreams(of: layout.channels)
    #expect(Set(substreams.flatMap { $0 }) == Set(layout.channels))
    #expect(substreams.joined().count == layout.channels.count)
    let layer =
      Sequence.layer(15, substreams.count, substreams.filter { $0.count == 2 }.count)
      + [UInt8(layout.rawValue)]
    let element = Sequence.element(3, substreams: Array(0..<substreams.count), layers: [layer])
    #expect(try described([element]).playableElements[3]?.layerChannels == [layout.channels])
  }

  @Test("an element with the reserved expanded layout 20 is refused")
  func reservedExpandedLayouts() {
    let element = Sequence.element(
      3, substreams: [0], layers: [Sequence.layer(15, 1, 0) + [20]])
    #expect(throws: IAMFError.self) { try described([element]) }
  }

  /// Another unit isn't the header that a sequence begins with, whatever it holds.
  @Test(
    "descriptors that begin with another OBU than the sequence header are refused",
    arguments: [0, 1, 2, 4, 24])
  func aSequenceBeginsWithItsHeader(type: Int) throws {
    var bytes = SyntheticSequence.twoElements.descriptors
    #expect(throws: Never.self) { try SequenceDescription(configOBUs: bytes) }
    bytes[0] = UInt8(type << 3)
    #expect(throws: IAMFError.self) { try SequenceDescription(configOBUs: bytes) }
  }

  @Test(
    "of two elements or mixes with one number, and of two elements with one substream, the first plays"
  )
  func theLaterOfTwoIsDropped() throws {
    var sequence = SyntheticSequence.twoElements
    let mono = Sequence.layer(0, 1, 0)
    sequence.elements += [
      Sequence.element(1, substreams: [9], layers: [mono]),
      Sequence.element(3, substreams: [40], layers: [mono]),
    ]
    sequence.mixes += [Sequence.mix(7, [2]), Sequence.mix(9, [3])]
    let description = try sequence.description()
    #expect(description.playableElements.keys.sorted() == [1, 2])
    #expect(description.playableMixes.map { $0.presentation?.id } == [7, 8])
    #expect(
      description.ignored.map(\.kind) == [
        .audioElement, .mixPresentation, .audioElement, .mixPresentation,
      ])
    // Neither a copy nor the same bytes again change anything.
    let copies = sequence.mixes.flatMap { SyntheticUnit.obu(2, $0, isRedundant: true) }
    let again = try SequenceDescription(configOBUs: sequence.descriptors + copies)
    #expect(again.ignored == description.ignored)
  }

  /// A mix of an element that can't be played is left out, and so is one that mixes an element twice.
  @Test(
    "mixes of a missing element, of an element twice or with rendering mode 3 are ignored, others play"
  )
  func mixesThatCantBePlayed() throws {
    var sequence = SyntheticSequence.twoElements
    sequence.mixes += [
      Sequence.mix(9, [6]), Sequence.mix(10, [1, 1]), Sequence.mix(11, [1], mode: 3),
      Sequence.mix(12, [1], mode: 2),
    ]
    let description = try sequence.description()
    #expect(description.playableMixes.map { $0.presentation?.id } == [7, 8, 12])
    #expect(description.ignored.map(\.id) == [9, 10, 11])
    #expect(description.neededSubstreams == [0, 40])
  }

  /// One number can't have two meanings; a second definition that is the same is fine.
  @Test("a mix that gives parameter 91 another rate is ignored, because 91 has two meanings then")
  func parametersWithTwoMeanings() throws {
    var sequence = SyntheticSequence.twoElements
    var other = Sequence.mix(9, [1])
    let rate = SyntheticUnit.leb128(48_000)
    let places = other.indices.filter { other[$0...].starts(with: rate) }
    // Another rate of the first gain, which still fits the frames.
    other.replaceSubrange(places[0]..<places[0] + rate.count, with: SyntheticUnit.leb128(3000))
    sequence.mixes.append(other)
    let description = try sequence.description()
    #expect(description.playableMixes.count == 2)
    #expect(
      description.ignored == [
        SequenceDescription.Ignored(
          kind: .mixPresentation, id: 9,
          error: .malformed("parameter 91, which has two meanings"))
      ])
  }

  /// Ticks of a frame must be a whole number above 0; blocks aren't read otherwise, and defaults hold.
  @Test(
    "a gain whose rate gives no whole number of ticks per frame is ignored, and its mix still plays",
    arguments: [(48_000, true), (3000, true), (0, false), (44_100, false), (24_001, false)])
  func ratesOfParameters(rate: Int, fits: Bool) throws {
    var sequence = Sequence()
    sequence.elements = [
      Sequence.element(1, substreams: [0], layers: [Sequence.layer(0, 1, 0)])
    ]
    let gain = Sequence.gain(91, rate: rate)
    sequence.mixes = [
      [1, 0, 1, 1, 1, 0x40, 0] + gain + Sequence.gain(89) + [1, 0x80, 0, 0, 0, 0, 0]
    ]
    let description = try sequence.description()
    #expect(description.playableMixes.count == 1)
    #expect((description.parameters[91] != nil) == fits)
    #expect(description.ignored.isEmpty == fits)
  }

  /// A sound field of every order, with and without silent channels.
  @Test(
    "sound fields of orders 0 to 14 with silent channels play, and a missing substream is refused",
    arguments: 0...14)
  func soundFields(order: Int) throws {
    let count = (order + 1) * (order + 1)
    let scene =
      [1, 0x20, 0, 1, 0, 0, 0, UInt8(count), 1]
      + (0..<count).map { UInt8($0 % 2 == 0 ? 0 : AmbisonicsConfig.silent) }
    let description = try described([scene])
    let element = try #require(description.playableElements[1])
    #expect(ElementReconstructor(element).output == .scene(channels: count))
    // A channel of a second substream that isn't there.
    let wrong = Array(scene.dropLast()) + [1]
    #expect(throws: IAMFError.self) { try described([wrong]) }
  }

  @Test(
    "a mix with 30 coded channels is ignored as unsupported, and one of its elements alone plays")
  func moreChannelsThanAnyProfileHas() throws {
    let wide = ExpandedLayout.surround10293.channels
    let substreams = ElementChannel.substreams(of: wide)
    let layer = Sequence.layer(15, substreams.count, substreams.filter { $0.count == 2 }.count)
    let first = Sequence.element(
      1, substreams: Array(0..<substreams.count), layers: [layer + [13]])
    let second = Sequence.element(
      2, substreams: [30, 31, 32, 33], layers: [Sequence.layer(2, 4, 2)])
    var sequence = Sequence()
    sequence.elements = [first, second]
    sequence.mixes = [Sequence.mix(1, [1, 2]), Sequence.mix(2, [1])]
    let description = try sequence.description()
    #expect(description.playableMixes.map { $0.presentation?.id } == [2])
    #expect(description.ignored.first?.error == .unsupported("30 coded channels"))
  }

  /// Tags and what stands behind them never make a mix fail.
  @Test(
    "a mix plays whatever bytes follow it, and its content language is that of complete tags only")
  func whatFollowsAMix() throws {
    let tag = Array("content_language".utf8) + [0] + Array("eng".utf8) + [0]
    let cases: [([UInt8], String?)] = [
      ([], nil), ([1] + tag, "eng"), ([1] + tag + [1, 2, 3], "eng"), ([2] + tag, nil), ([200], nil),
    ]
    for (tail, language) in cases {
      var sequence = SyntheticSequence.twoElements
      sequence.mixes = [Sequence.mix(7, [1, 2], tail: tail)]
      let description = try sequence.description()
      #expect(description.mixes[0].contentLanguage == language, "\(tail)")
      #expect(description.playableMixes.count == 1)
    }
  }

  /// The draft of version 2 has profiles whose mixes may have two parts.
  @Test(
    "a mix of two sub-mixes plays with profiles 3 and 5, and is dropped with profiles 0 to 2",
    arguments: [(0, 1), (1, 1), (2, 1), (3, 2), (5, 2)])
  func partsOfAMix(profile: Int, most: Int) throws {
    var sequence = SyntheticSequence.twoElements
    sequence.profiles = [UInt8(profile), UInt8(profile)]
    let one = Sequence.mix(1, [1])
    let two = Sequence.mix(1, [2])
    sequence.mixes = [[1, 0, 2] + one.dropFirst(3) + two.dropFirst(3), Sequence.mix(2, [1])]
    let mixes = try sequence.description().playableMixes
    #expect(mixes.count == most && mixes[0].parts.count == most)
  }

  /// More descriptors than any sequence has are dropped or refused, whatever their bytes say.
  @Test(
    "256 of 399 elements are kept, of 263 others 256 are listed, 6 MB of elements are refused, and 6 MB of reserved units aren't"
  )
  func veryManyDescriptors() throws {
    var sequence = SyntheticSequence.twoElements
    let mono = Sequence.layer(0, 1, 0)
    sequence.elements += (3..<400).map { id in
      Sequence.element(id, substreams: [100 + id], layers: [mono])
    }
    let description = try sequence.description()
    #expect(description.elements.count == 256 && description.playableMixes.count == 2)
    #expect(description.ignored.count == 143)
    // Of those that are left out, 256 are listed.
    var longer = sequence
    longer.elements += (400..<520).map {
      Sequence.element($0, substreams: [100 + $0], layers: [mono])
    }
    #expect(try longer.description().ignored.count == 256)
    sequence.elements.append(Array(repeating: 0, count: 2_000_000))
    #expect(try sequence.description().elements.count == 256)
    sequence.elements += Array(repeating: Array(repeating: 0, count: 2_000_000), count: 2)
    #expect(throws: IAMFError.self) { try sequence.description() }
    // Units of reserved types aren't kept.
    let reserved = SyntheticUnit.obu(26, Array(repeating: 0, count: 2_000_000))
    let many = SyntheticSequence.twoElements.descriptors + reserved + reserved + reserved
    #expect(try SequenceDescription(configOBUs: many).reservedUnits == 3)
  }

  @Test("an element with 1531 substreams is refused, and 16 of 40 unknown parameters are kept")
  func veryManyParts() throws {
    let substreams = Array(0..<1531)
    let element = Sequence.element(1, substreams: substreams, layers: [Sequence.layer(0, 1, 0)])
    #expect(throws: IAMFError.self) { try described([element]) }
    let unknown = Array(repeating: [UInt8(9), 0], count: 40)
    let other = Sequence.element(
      1, substreams: [0], layers: [Sequence.layer(0, 1, 0)], parameters: unknown)
    #expect(try described([other]).elements[0].parameters.count == 16)
  }
}
