// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Signal
import TestSupport

@testable import AC4

/// Decodes whole streams in the ways that tests need.
enum DecodedStream {
  /// Output of the public decoder: planes at the output's rate.
  static func finished(_ frames: [[UInt8]]) throws -> (format: AudioFormat, planes: [[Float]]) {
    let decoder = try AC4Decoder(rawFrame: frames[0])
    let output = AudioBuffer(channels: decoder.planes)
    for frame in frames { try decoder.decode(rawFrame: frame, into: output) }
    decoder.flush(into: output)
    return (decoder.format, (0..<output.channels).map { Array(output.channel($0)) })
  }

  /// Output of the substream decoder with its delay, at the coded rate.
  static func coded(
    _ frames: [[UInt8]], change: (inout FrameTiming) -> Void = { _ in }
  ) throws -> [[Float]] {
    let rate = try AC4TableOfContents(rawFrame: frames[0]).frameRate
    var timing = rate.timing
    change(&timing)
    let decoder = try SubstreamDecoder(
      .channels(.stereo, addsToSurrounds: false), rate, timing)
    let length = timing.length
    let samples = Buffer<Float>(0, count: 2 * length)
    var planes: [[Float]] = [[], []]
    for frame in frames {
      let toc = try AC4TableOfContents(rawFrame: frame)
      let substream = toc.groups[0].substreams[0]
      let range = toc.substreams[substream.index ?? 0]
      try frame.withUnsafeBufferPointer { buffer in
        var bits = try BitReader(buffer).part(at: range.lowerBound, count: range.count)
        try decoder.read(
          &bits,
          SubstreamInfo(
            isIFrame: substream.isIFrame[0], sequenceCounter: toc.sequenceCounter))
        decoder.stage()
        decoder.finish { samples.base + $0 * length }
      }
      for channel in 0..<2 {
        let start = samples.base + channel * length
        planes[channel] += UnsafeBufferPointer(start: start, count: length)
      }
    }
    return planes
  }

  /// The planes of a reference decode.
  static func reference(_ name: String) throws -> [[Float]] {
    let result = try Tool.run(
      "ffmpeg", ["-v", "error", "-i", Oracle.path(name), "-f", "f32le", "-"])
    let samples = Signals.floats(result.output)
    return (0..<2).map { channel in
      stride(from: channel, to: samples.count, by: 2).map { samples[$0] }
    }
  }

  /// Subbands 0 to `end` of a signal, all real and imaginary parts one after the other.
  static func subbands(_ samples: [Float], below end: Int) -> [Float] {
    let slots = 32
    let analysis = QMFAnalysis(FilterBank(slots: slots))
    let real = SlotRows(rows: 64, history: 0, slots: slots)
    let imaginary = SlotRows(rows: 64, history: 0, slots: slots)
    var found: [Float] = []
    samples.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for start in stride(from: 0, to: samples.count - slots * 64 + 1, by: slots * 64) {
        analysis.process(base + start, real: real, imaginary: imaginary, offset: 0)
        for band in 0..<end {
          found += UnsafeBufferPointer(start: real.row(band), count: slots)
          found += UnsafeBufferPointer(start: imaginary.row(band), count: slots)
        }
      }
    }
    return found
  }
}
