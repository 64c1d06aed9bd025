// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import IAMF

/// Whole sequences, written and read.
@Suite struct WrittenSequenceTests {
  private static let frame = 32

  private func bed(_ stack: [Int]) throws -> WrittenElement {
    try WrittenElement(.bed(WrittenProgramme.layouts(stack)))
  }

  /// `count` samples of noise in steps of 24 bits.
  private func source(_ channels: Int, _ count: Int, _ random: inout SeededNoise) -> AudioBuffer {
    let source = AudioBuffer(channels: channels)
    source.grow(by: count)
    for channel in 0..<channels {
      for place in 0..<count {
        source.channel(channel)[place] =
          Float(Int.random(in: -0x80_0000..<0x80_0000, using: &random)) * 0x1p-23
      }
    }
    return source
  }

  /// A file of the coded planes of each element, `frames` of them; samples in front and behind are trimmed.
  private func bytes(
    _ sequence: WrittenSequence, _ coded: [AudioBuffer], frames: Int, trim: OBU.Trim,
    hasDelimiter: Bool
  ) -> [UInt8] {
    var bytes = sequence.descriptors
    for index in 0..<frames {
      let range =
        index * WrittenSequenceTests.frame..<(index + 1) * WrittenSequenceTests.frame
      let frames = zip(sequence.elements, coded).flatMap {
        WrittenSequence.frames($1, $0.substreamChannels, range)
      }
      bytes += sequence.unit(
        frames,
        trim: OBU.Trim(start: index == 0 ? trim.start : 0, end: index == 4 ? trim.end : 0),
        reconGains: [], hasDelimiter: hasDelimiter)
    }
    return bytes
  }

  /// Beds of one layer and sound fields come back to the bit, in the Base-Enhanced profile more than 18 substreams.
  @Test(
    "beds of one layer and sound fields in 24-bit LPCM come back to the bit, trimmed",
    arguments: [false, true])
  func samplesComeBack(hasDelimiter: Bool) throws {
    var random = SeededNoise(seed: 61)
    let cases = [
      [try bed([1])], [try bed([9])], [try bed([7])],
      [try WrittenElement(.scene(channels: 16)), try bed([1])],
      [try bed([4]), try WrittenElement(.scene(channels: 9))],
      [try WrittenElement(.scene(channels: 25)), try bed([1])],
    ]
    for elements in cases {
      let sequence = try WrittenSequence(lpcm: elements, frame: WrittenSequenceTests.frame)
      let sources = elements.map { source($0.channelCount, 160, &random) }
      let coded = zip(elements, sources).map { element, source in
        let splitter = LayerSplitter(element)
        let planes = AudioBuffer(channels: splitter.codedCount)
        splitter.split(source, into: planes)
        return planes
      }
      let file = try MediaFile(
        raw: bytes(
          sequence, coded, frames: 5, trim: OBU.Trim(start: 5, end: 7), hasDelimiter: hasDelimiter))
      var wanted = UnitFindings()
      wanted.units = 5
      #expect(file.findings == wanted && file.description.ignored.isEmpty)
      for (index, source) in sources.enumerated() {
        let planes = try played(file, index + 1)
        for channel in planes.indices {
          #expect(planes[channel] == Array(source.channel(channel)[5..<153]), "\(channel)")
        }
      }
    }
  }

  /// The presented samples of an element.
  private func played(_ file: MediaFile, _ id: Int) throws -> [[Float]] {
    let playable = try #require(file.description.playableElements[id])
    let plain = try #require(PlainSamples(playable))
    let reconstructor = ElementReconstructor(playable)
    var planes = Array(repeating: [Float](), count: reconstructor.channelCount)
    var clock = TrimmingClock()
    let substreams = file.description.substreams(of: file.description.playableMixes[0])
    for unit in file.units {
      let decoded = AudioBuffer(channels: playable.decodedCount)
      plain.read(unit, count: WrittenSequenceTests.frame, into: decoded)
      let result = AudioBuffer(channels: planes.count)
      reconstructor.reconstruct(decoded, unit, into: result)
      let range = clock.range(WrittenSequenceTests.frame, unit.trim(substreams))
      for channel in planes.indices { planes[channel] += result.channel(channel)[range] }
    }
    return planes
  }

  /// Layers come back within the rounding to 24 bits, which demixing amplifies.
  @Test("stacks of layers in 24-bit LPCM come back within 3e-6")
  func layersComeBack() throws {
    var random = SeededNoise(seed: 62)
    for stack in [[1, 8, 3, 7], [0, 1, 2, 5], [3, 7], [8, 4]] {
      let programme = WrittenProgramme(stack, 160, &random, mode: 2, weight: 4)
      var element = try programme.element(mode: 2, weight: 4)
      var peaks = LayerPeaks(element)
      peaks.add(programme.planes)
      element.outputGains = peaks.outputGains
      let sequence = try WrittenSequence(lpcm: [element], frame: WrittenSequenceTests.frame)
      let splitter = LayerSplitter(element)
      let coded = AudioBuffer(channels: splitter.codedCount)
      splitter.split(programme.planes, into: coded)
      let file = try MediaFile(
        raw: bytes(sequence, [coded], frames: 5, trim: OBU.Trim(), hasDelimiter: false))
      let planes = try played(file, 1)
      for (channel, plane) in planes.enumerated() {
        for (place, sample) in plane.enumerated() {
          #expect(abs(sample - programme.planes.channel(channel)[place]) < 3e-6, "\(stack)")
        }
      }
    }
  }

  @Test(
    "a sequence gets profile 0, 1 or 2 by its elements, and no element or 29 channels are refused")
  func profilesAndTheirLimits() throws {
    let scene = try WrittenElement(.scene(channels: 16))
    let cases: [([WrittenElement], Int?)] = [
      ([try bed([7])], 0), ([try bed([1, 7])], 0), ([scene], 0), ([scene, try bed([1])], 1),
      ([try bed([1]), try bed([1, 3])], 1), ([try WrittenElement(.scene(channels: 25))], 2),
      ([scene, try bed([7])], 2), ([try bed([1, 3]), try bed([1, 2])], 2),
      ([scene, try WrittenElement(.scene(channels: 1))], 2),
      ([try bed([0]), try bed([0]), try bed([0])], 2),
      ([scene, try bed([7]), try bed([0])], nil), ([], nil),
    ]
    for (elements, profile) in cases {
      guard let profile else {
        #expect(throws: IAMFError.self) { try WrittenSequence(lpcm: elements) }
        continue
      }
      let sequence = try WrittenSequence(lpcm: elements)
      #expect(sequence.profile == profile, "\(elements)")
      let header = sequence.description.header
      #expect(header.primaryProfile == profile && header.additionalProfile == profile)
      #expect(sequence.codecsText == "iamf.00\(profile).00\(profile).ipcm")
    }
  }

  /// The standard says where definitions must and mustn't stand (3.6), with loss and without it.
  @Test(
    "demixing and recon gain definitions stand where the standard demands them, recon gain only for Opus"
  )
  func parametersOfElements() throws {
    let opus = try CodecConfig(opusPreSkip: 312, samplesPerFrame: 960)
    let plain = try CodecConfig(lpcmBits: 16, sampleRate: 44_100, samplesPerFrame: 1024)
    let cases: [([Int], demixing: Bool, recon: Bool, flags: [Bool])] = [
      ([7], false, false, [false]), ([1], false, false, [false]),
      ([0, 1], false, true, [false, true]), ([1, 8], false, true, [false, true]),
      ([1, 8, 3, 7], true, true, [false, true, true, true]),
      // Nothing is demixed, but the definitions must stand there.
      ([2, 3], true, true, [false, false]), ([5, 7], true, true, [false, false]),
      // Channels that are demixed in the second layer are so in the third, too.
      ([1, 5, 7], true, true, [false, true, true]),
    ]
    for (stack, demixing, recon, flags) in cases {
      for codec in [opus, plain] {
        let sequence = try WrittenSequence(
          elements: [try bed(stack)], codec: codec, title: nil, language: nil, loudness: [])
        let element = sequence.description.elements[0]
        #expect((element.demixing != nil) == demixing, "\(stack)")
        let isLossy = codec == opus
        #expect((element.reconGain != nil) == (recon && isLossy), "\(stack)")
        guard case .channels(let layers) = element.content else { throw IAMFError.unreadable }
        #expect(layers.map(\.hasReconGain) == flags.map { $0 && isLossy }, "\(stack)")
        for definition in [element.demixing?.parameter, element.reconGain].compactMap({ $0 }) {
          let frame = codec.samplesPerFrame
          #expect(definition.rate == codec.sampleRate)
          #expect(definition.timing == BlockTiming(duration: frame, constant: frame, listed: []))
        }
        #expect(sequence.playable(0)?.layerCount == stack.count)
      }
    }
  }

  @Test(
    "a mix holds the given title, language and loudness, and parameters with five different numbers"
  )
  func theMixSaysWhatItIsTold() throws {
    let loudness = [
      LayoutLoudness(
        .loudspeakers(.a), integrated: -16.25, digitalPeak: -1.5, truePeak: -1.25),
      LayoutLoudness(.binaural, integrated: -18, digitalPeak: -3, truePeak: nil),
    ]
    let elements = [try bed([1, 8, 3]), try WrittenElement(.scene(channels: 4))]
    let codec = try CodecConfig(opusPreSkip: 312, samplesPerFrame: 960)
    for (title, language, label, tag) in [
      ("Film", "eng", "eng", "eng"), ("Фильм", nil, "und", nil), (nil, "fra", nil, "fra"),
      ("Film", "en-GB", "en-GB", nil), (nil, nil, nil, nil),
    ] as [(String?, String?, String?, String?)] {
      let sequence = try WrittenSequence(
        elements: elements, codec: codec, title: title, language: language, loudness: loudness)
      let mix = sequence.description.mixes[0]
      #expect(mix.annotations == [title].compactMap { $0 })
      #expect(mix.languages == [label].compactMap { $0 } && mix.contentLanguage == tag)
      #expect(mix.subMixes.count == 1 && mix.subMixes[0].loudness == loudness)
      let played = sequence.description.playableMixes[0]
      #expect(played.elements.map(\.id) == [1, 2])
      #expect(played.elements.allSatisfy { $0.headphonesMode == .binaural })
      let gains = played.elements.map(\.gain) + [played.parts[0].outputGain]
      #expect(gains.allSatisfy { $0.defaultGain == 0 })
      let element = sequence.description.elements[0]
      let numbers =
        gains.map(\.parameterID) + [element.demixing?.parameter.id, element.reconGain?.id]
      #expect(Set(numbers.compactMap { $0 }).count == 5)
    }
  }

  /// A parameter has a block in every unit: layers whose gains are missing have one without channels.
  @Test(
    "every unit has a recon gain block, and layers whose gains are missing have no channels in it")
  func blocksOfReconGains() throws {
    let elements = [
      try bed([1, 8, 3]), try WrittenElement(.scene(channels: 4)),
    ]
    let codec = try CodecConfig(opusPreSkip: 312, samplesPerFrame: 960)
    let sequence = try WrittenSequence(
      elements: elements, codec: codec, title: nil, language: nil, loudness: [])
    let gains = ParameterBlock.LayerGains(flags: 0b101, gains: [200, 17])
    let none = ParameterBlock.LayerGains(flags: 0, gains: [])
    let count = elements.reduce(0) { $0 + $1.substreamChannels.count }
    let cases: [([[ParameterBlock.LayerGains?]?], [ParameterBlock.LayerGains?])] = [
      ([[nil, gains, gains], nil], [nil, gains, gains]),
      ([[nil, gains, nil]], [nil, gains, none]),
      ([nil, nil], [nil, none, none]), ([], [nil, none, none]),
    ]
    for (given, wanted) in cases {
      let unit = sequence.unit(
        (0..<count).map { [UInt8($0)] }, trim: OBU.Trim(start: 312), reconGains: given,
        hasDelimiter: false)
      var reader = SampleUnitReader(sequence.description)
      let next = reader.unit(unit)
      let read = try #require(next)
      #expect(reader.findings.unreadableBlocks + reader.findings.unknownBlocks == 0)
      #expect(read.blocks.map(\.subblocks) == [[.init(duration: 960, value: .reconGain(wanted))]])
      #expect(read.frames.map(\.substream) == Array(0..<count))
      #expect(read.frames.allSatisfy { $0.trim == OBU.Trim(start: 312, end: 0) })
    }
  }

  @Test(
    "Opus, FLAC and LPCM configurations are written as the expected bytes, and wrong settings are refused"
  )
  func codecs() throws {
    let opus = try CodecConfig(opusPreSkip: 312, samplesPerFrame: 960)
    #expect(opus.decoderBytes == SyntheticUnit.bytes(hex: "010201380000bb80000000"))
    #expect(opus.rollDistance == -4)
    #expect(try CodecConfig(opusPreSkip: 0, samplesPerFrame: 2880).rollDistance == -2)
    let info = "1000100000000e0010d20ac440f0" + "00012345" + String(repeating: "7f", count: 16)
    let flac = try CodecConfig(
      flacStreamInfo: SyntheticUnit.bytes(hex: info), samplesPerFrame: 1024)
    // Block sizes, no frame sizes, 44.1 kHz, 2 channels, 16 bits, samples, no MD5.
    let wanted =
      "80000022" + "04000400" + "000000000000" + "0ac442f0" + "00012345"
      + String(repeating: "0", count: 32)
    #expect(flac.decoderBytes == SyntheticUnit.bytes(hex: wanted))
    #expect(flac.rollDistance == 0 && flac.sampleRate == 44_100)
    let plain = try CodecConfig(lpcmBits: 24, sampleRate: 96_000, samplesPerFrame: 2048)
    #expect(plain.decoderBytes == SyntheticUnit.bytes(hex: "011800017700"))
    #expect(plain.rollDistance == 0 && plain.codecID == "ipcm" && plain.samplesPerFrame == 2048)
    #expect(throws: IAMFError.self) { try CodecConfig(opusPreSkip: 70_000, samplesPerFrame: 960) }
    #expect(throws: IAMFError.self) { try CodecConfig(opusPreSkip: 312, samplesPerFrame: 0) }
    #expect(throws: IAMFError.self) { try CodecConfig(flacStreamInfo: [1], samplesPerFrame: 16) }
    for (bits, rate, frame) in [(20, 48_000, 16), (16, 22_050, 16), (16, 48_000, 0)] {
      #expect(throws: IAMFError.self) {
        try CodecConfig(lpcmBits: bits, sampleRate: rate, samplesPerFrame: frame)
      }
    }
  }
}
