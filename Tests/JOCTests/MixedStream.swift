// SPDX-License-Identifier: Apache-2.0
import Signal
import TestSupport
import Testing

@testable import JOC

/// Runs a mixer over a stream.
final class MixedStream {
  let mixer: ObjectMixer
  private let reader: JOCUnitReader
  private let input = (0..<5).map { _ in Buffer<Float>(0, count: ObjectMixer.frame) }
  private let room: [Buffer<Float>]
  private(set) var objects: [[Float]]
  /// Gain of each sample of the downmix.
  private(set) var gains: [Float] = []

  init(objects count: Int, _ options: JOCOptions = JOCOptions()) {
    mixer = ObjectMixer(options)
    reader = JOCUnitReader(options)
    room = (0..<count).map { _ in Buffer<Float>(0, count: ObjectMixer.frame) }
    objects = Array(repeating: [], count: count)
  }

  /// Coefficients of the container in `bytes`.
  func coefficients(_ bytes: [UInt8]) throws -> CoefficientFrame {
    try bytes.withUnsafeBufferPointer { bytes in
      let container = try #require(MetadataScanner.container(in: bytes))
      try #require(try reader.readCoefficients(bytes, container))
    }
    return reader.coefficients
  }

  /// Takes frame number `index` of `planes`, L R C Ls Rs; silence behind their end.
  func take(_ coefficients: CoefficientFrame?, _ planes: [[Float]], _ index: Int) {
    for (plane, samples) in planes.enumerated() {
      for sample in 0..<ObjectMixer.frame {
        let time = ObjectMixer.frame * index + sample
        input[plane].base[sample] = time < samples.count ? samples[time] : 0
      }
    }
    mixer.process(
      input.map { UnsafePointer($0.base) }, coefficients, into: room.map(\.base))
    for (object, buffer) in room.enumerated() { objects[object] += buffer.values }
    gains += UnsafeBufferPointer(start: mixer.gains, count: ObjectMixer.frame)
  }

  /// The objects of a stream from its downmix FL FR FC LFE SL SR, on the downmix's clock; the LFE last.
  static func objects(
    _ frames: [[UInt8]], _ core: [[Float]], count: Int = 15,
    _ options: JOCOptions = JOCOptions()
  ) throws -> [[Float]] {
    let stream = MixedStream(objects: count, options)
    let planes = [0, 1, 2, 4, 5].map { core[$0] }
    for index in 0..<frames.count + 2 {
      let coefficients = index < frames.count ? try stream.coefficients(frames[index]) : nil
      stream.take(coefficients, planes, index)
    }
    let range = ObjectMixer.delay..<ObjectMixer.delay + core[0].count
    return stream.objects.map { Array($0[range]) } + [zip(core[3], stream.gains).map(*)]
  }

  /// The objects of made signals L R C Ls Rs: object 0 is the channel `channel`, nearly unchanged.
  /// - Returns: object 0 on the downmix's clock, divided by its coefficient.
  static func single(
    _ planes: [[Float]], channel: Int, configuration: Int = 0, _ options: JOCOptions = JOCOptions()
  ) -> [Float] {
    let stream = MixedStream(objects: 1, options)
    let frame = CoefficientFrame()
    frame.configuration = configuration
    frame.count = 1
    frame.headers[0] = CoefficientFrame.Header(
      isPresent: true, bands: 1, isFine: true, points: 1)
    for place in 0..<frame.channels {
      frame.codes(object: 0, point: 0, channel: place)[0] = place == channel ? 106 : 96
    }
    let frames = planes[0].count / ObjectMixer.frame
    for index in 0..<frames + 2 { stream.take(frame, planes, index) }
    let range = ObjectMixer.delay..<ObjectMixer.delay + frames * ObjectMixer.frame
    return stream.objects[0][range].map { $0 / (10 * 820.0 / 8192) }
  }
}
