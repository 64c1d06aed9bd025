// SPDX-License-Identifier: Apache-2.0
import Foundation
import Signal
import TestSupport
import Testing

@testable import JOC

/// Objects against those of a model that shares nothing with the mixer but the syntax and formulas, and
/// against what the encoder was given.
@Suite(.tags(.media), .enabled(if: JOCOracle.isPresent, "../shared is missing"))
struct MixerTests {
  @Test("mixed objects are the model's") func objectsAreThoseOfTheModel() throws {
    let core = try JOCOracle.planes("sample.core.24bit.flac", channels: 6)
    let wanted =
      try JOCOracle.planes("sample.objects.00-07.24bit.flac", channels: 8)
      + JOCOracle.planes("sample.objects.08-14_lfe.24bit.flac", channels: 8)
    let found = try MixedStream.objects(try JOCOracle.frames("sample"), core)
    for (object, (one, other)) in zip(found, wanted).enumerated() {
      let ratio = Signals.ratio(one, other)
      #expect(ratio > 100, "object \(object): \(ratio) dB")
    }
  }

  @Test("mixed subbands are the model's") func subbandsAreThoseOfTheModel() throws {
    let core = try JOCOracle.planes("sample.core.24bit.flac", channels: 6)
    let planes = [0, 1, 2, 4, 5].map { core[$0] }
    let frames = try JOCOracle.frames("sample")
    let channels = Signals.floats(try JOCOracle.unpacked("sample.qmf.004-005.c64.gz"))
    let objects = Signals.floats(try JOCOracle.unpacked("sample.objqmf.004-005.c64.gz"))
    let stream = MixedStream(objects: 0)
    for index in 0...6 {
      stream.take(try stream.coefficients(frames[index]), planes, index)
      guard index >= 5 else { continue }
      // The mixer has the subbands of the frame before.
      let first = 24 * (index - 5)
      for object in 0..<15 {
        stream.mixer.mix(object)
        let (found, wanted) = pair(
          (stream.mixer.real, stream.mixer.imaginary), objects, first, object, of: 15)
        #expect(Signals.ratio(found, wanted) > 110, "object \(object), frame \(index - 1)")
      }
      for channel in 0..<5 {
        let (found, wanted) = pair(
          stream.mixer.downmix.subbands(channel), channels, first, channel, of: 5)
        #expect(Signals.ratio(found, wanted) > 110, "channel \(channel), frame \(index - 1)")
      }
    }
  }

  /// 24 slots of all subbands, found and wanted.
  private func pair(
    _ rows: (real: SlotRows, imaginary: SlotRows), _ model: [Float], _ first: Int, _ item: Int,
    of count: Int
  ) -> (found: [Float], wanted: [Float]) {
    var (found, wanted): ([Float], [Float]) = ([], [])
    for slot in 0..<24 {
      for band in 0..<64 {
        let place = 2 * (((first + slot) * count + item) * 64 + band)
        found += [rows.real.row(band)[slot], rows.imaginary.row(band)[slot]]
        wanted += [model[place], model[place + 1]]
      }
    }
    return (found, wanted)
  }

  /// The stream was made of one sine for each object at −10 dBFS. Levels of objects that no other object
  /// covers, and that nobody else's tone leaks into, must come out within the quantiser's step; the rest
  /// are those that the model found.
  @Test("each tone comes out of its object within 0.05 dB of its level")
  func eachToneComesOutOfItsObject() throws {
    let core = try JOCOracle.planes("sample.core.24bit.flac", channels: 6)
    let found = try MixedStream.objects(try JOCOracle.frames("sample"), core)
    let levels = [
      -9.99, -9.99, -9.99, -10.05, -10.05, -11.91, -9.99, -11.86, -15.88, -11.47, -10.01, -10.05,
      -10.05, -10.26, -10.26, -10.25,
    ]
    for (object, level) in levels.enumerated() {
      let frequency = object < 15 ? 500 * Double(object + 1) : 50
      let measured = Self.level(found[object], frequency, 14 * 1536..<14 * 1536 + 67_200)
      #expect(abs(measured - level) < 0.05, "object \(object): \(measured) dBFS")
    }
  }

  /// Level in dBFS of a tone that has whole periods in `range`.
  private static func level(_ samples: [Float], _ frequency: Double, _ range: Range<Int>) -> Double
  {
    var (cosine, sine) = (0.0, 0.0)
    for time in range {
      let phase = 2 * .pi * frequency * Double(time) / 48_000
      cosine += Double(samples[time]) * cos(phase)
      sine += Double(samples[time]) * sin(phase)
    }
    return 20 * log10(2 * (cosine * cosine + sine * sine).squareRoot() / Double(range.count))
  }

  /// All ways of coding, changing in each frame, and moving objects: levels by frame and object.
  @Test(
    "levels of each frame and object of made streams are the model's within 2e-6",
    arguments: [("made.coding", 15), ("made.moving", 6)])
  func levelsOfMadeStreamsAreThoseOfTheModel(name: String, count: Int) throws {
    let core = try JOCOracle.decoded(name)
    let found = try MixedStream.objects(try JOCOracle.frames(name), core, count: count)
    let data = try JOCOracle.unpacked("\(name).rms.json.gz")
    let wanted = try #require(try JSONSerialization.jsonObject(with: data) as? [[Double]])
    #expect(wanted.count > 20)
    for (frame, levels) in wanted.enumerated() {
      for (object, level) in levels.enumerated() {
        let part = found[object][1536 * frame..<1536 * (frame + 1)]
        let power = part.reduce(0) { $0 + Double($1) * Double($1) } / 1536
        #expect(abs(power.squareRoot() - level) < 2e-6, "\(name), frame \(frame), \(object)")
      }
    }
  }

  /// The centre object of the stream's onset, where coefficients switch at once, is the downmix's centre
  /// only with the right alignment. The figures in dB are those of the model.
  @Test(
    "the centre object equals the downmix's centre with the model's ratio for each alignment",
    arguments: [(10, true, 58.9), (6, true, 56.0), (6, false, 48.0), (0, true, 15.0)])
  func theOnsetShowsTheAlignment(slots: Int, isEarly: Bool, decibels: Double) throws {
    let core = try JOCOracle.planes("sample.core.24bit.flac", channels: 6)
    var options = JOCOptions()
    options.alignment = slots
    options.isSteepEarly = isEarly
    let frames = Array(try JOCOracle.frames("sample").prefix(6))
    let stream = MixedStream(objects: 3, options)
    for (index, bytes) in frames.enumerated() {
      stream.take(try stream.coefficients(bytes), [0, 1, 2, 4, 5].map { core[$0] }, index)
    }
    let object = Array(stream.objects[2][ObjectMixer.delay..<ObjectMixer.delay + 6000])
    let center = zip(core[2], stream.gains).prefix(6000).map(*)
    let ratio = Signals.ratio(object, center)
    #expect(abs(ratio - decibels) < 1, "\(ratio) dB")
  }
}

/// The bank and the rotation with signals that tests make.
@Suite struct MixerPropertyTests {
  @Test("a channel passes the mixer within −77.5 dB")
  func aChannelPassesUnchanged() {
    var noise = SeededNoise(seed: 5)
    let planes = (0..<5).map { _ in noise.samples(24 * 1536, peak: 0.5) }
    let found = MixedStream.single(planes, channel: 1)
    // The first frame fades in.
    let ratio = Signals.ratio(Array(found[3072...]), Array(planes[1][3072...]))
    #expect(ratio > 77.5, "\(ratio) dB")
  }

  /// Tones that are a quarter of a period ahead in left surround come out in phase. By ranges of
  /// frequencies; the two bounds in dB are for the filtered and the flat rotation.
  @Test(
    "a quarter turn of left surround is undone by both rotations and kept without them",
    arguments: [
      (50.0..<100, 22.0, 11.0), (100..<141, 46, 22), (141..<200, 48, 38), (200..<375, 55, 66),
      (750..<20_000, 75, 66),
    ])
  func aQuarterTurnIsUndone(range: Range<Double>, corrected: Double, flat: Double) {
    let count = 40 * 1536
    var random = SeededNoise(seed: 9)
    var plain: [Double] = Array(repeating: 0, count: count)
    var shifted = plain
    for _ in 0..<100 {
      let step = 2 * .pi * Double.random(in: range, using: &random) / 48_000
      let phase = Double.random(in: 0..<2 * .pi, using: &random)
      for time in 0..<count {
        plain[time] += cos(step * Double(time) + phase) / 100
        shifted[time] += cos(step * Double(time) + phase + .pi / 2) / 100
      }
    }
    var planes: [[Float]] = Array(repeating: Array(repeating: 0, count: count), count: 5)
    planes[3] = shifted.map(Float.init)
    let wanted = plain.map(Float.init)
    for (rotation, bound) in [(JOCOptions.Rotation.corrected, corrected), (.flat, flat)] {
      var options = JOCOptions()
      options.rotation = rotation
      let found = MixedStream.single(planes, channel: 3, configuration: 3, options)
      let ratio = Signals.ratio(Array(found[6144..<55_000]), Array(wanted[6144..<55_000]))
      #expect(ratio > bound, "\(rotation), \(range): \(ratio) dB")
    }
    // Without the rotation nothing is right, and other configurations have none.
    for (rotation, configuration) in [(JOCOptions.Rotation.none, 3), (.corrected, 0)] {
      var options = JOCOptions()
      options.rotation = rotation
      let found = MixedStream.single(planes, channel: 3, configuration: configuration, options)
      #expect(Signals.ratio(Array(found[6144..<55_000]), Array(planes[3][6144..<55_000])) > 70)
    }
  }

  /// A sequence that begins in the middle doesn't fade in; one that begins with 0 does, and so does a splice.
  @Test("sequences that begin with 0 and splices fade in, and one entered in its middle doesn't")
  func onlyAStreamThatBeginsFadesIn() {
    let frame = CoefficientFrame()
    frame.count = 1
    frame.headers[0] = CoefficientFrame.Header(isPresent: true, bands: 1, isFine: true, points: 1)
    for channel in 0..<5 { frame.codes(object: 0, point: 0, channel: channel)[0] = 106 }
    let first: Float = 1.0 / 24
    let cases: [(sequences: [Int], wanted: [Float])] = [
      ([0], [first]), ([7], [1]), ([0, 0], [first, 1]), ([0, 1, 0], [first, 1, first]),
      ([5, 9], [1, 1]),
    ]
    for (sequences, wanted) in cases {
      var options = JOCOptions()
      options.alignment = 0
      var matrices = MatrixSequence(options)
      let line = Buffer<Float>(0, count: MatrixFrame.slots)
      var found: [Float] = []
      for sequence in sequences {
        frame.sequence = sequence
        matrices.take(frame)
        _ = matrices.write(0, 2, band: 7, to: line.base)
        found.append(line.base[0])
      }
      matrices.take(nil)
      _ = matrices.write(0, 2, band: 7, to: line.base)
      found.append(line.base[0])
      // The matrices of a frame come out one frame later.
      for (value, part) in zip(found.dropFirst(), wanted) {
        #expect(abs(value - part * 8200 / 8192) < 1e-6, "\(sequences)")
      }
    }
  }
}
