// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import PlayQueue
import Rendering
import Report
import TestSupport
import Testing

/// Renders queues in a folder of its own.
struct QueueCase {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes planes of floats as `name` and returns its path.
  @discardableResult
  func write(_ name: String, _ planes: [[Float]], rate: Int = 48_000) throws -> String {
    try WAVBytes.float32(planes, rate: rate).write(to: folder.url(name))
    return folder.file(name)
  }

  /// Writes a text file and returns its path.
  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: folder.url(name))
    return folder.file(name)
  }

  /// An item of the file at `path`.
  static func item(_ path: String, _ range: Range<Int>? = nil) -> QueueItem {
    QueueItem(
      .file(
        path: path, track: nil,
        range: range.map {
          QueueRange(start: .samples(Int64($0.lowerBound)), end: .samples(Int64($0.upperBound)))
        } ?? QueueRange()))
  }

  /// A job that renders `input` to floats at its own level without an endpoint, into `output`.
  func job(_ input: MediaLocation, to output: String = "out.wav") -> RenderJob {
    var job = RenderJob(
      input: input, outputs: [.init(endpoint: .none, location: .file(folder.file(output)))])
    job.loudness = nil
    job.encoding = .float32
    return job
  }

  /// Samples that `input` is rendered to, and the report.
  func render(
    _ input: MediaLocation, to output: String = "out.wav",
    _ change: (inout RenderJob) -> Void = { _ in }
  ) async throws -> (planes: [[Float]], report: RenderReport) {
    var job = job(input, to: output)
    change(&job)
    let report = try await RenderPipeline().render(job)
    return (try Decoded(folder.file(output)).planes, report)
  }

  /// The failure of rendering `input`; nothing may be left behind.
  func failure(
    _ input: MediaLocation, by pipeline: RenderPipeline = RenderPipeline(),
    _ change: (inout RenderJob) -> Void = { _ in }
  ) async throws -> MediaError {
    var job = job(input, to: "refused.wav")
    change(&job)
    do {
      _ = try await pipeline.render(job)
    } catch let failure as RenderFailure {
      #expect(!folder.contents.contains { $0.contains("refused") })
      return failure.error
    }
    throw ToolFailure(text: "the queue was rendered")
  }

  /// Noise for `channels` channels.
  static func noise(_ channels: Int, _ frames: Int, seed: UInt64 = 1) -> [[Float]] {
    (0..<channels).map { channel in
      var noise = SeededNoise(seed: seed &* 31 &+ UInt64(channel))
      return noise.samples(frames, peak: 0.25)
    }
  }

  /// Level in dB of the difference of two signals against the second; −∞ for none.
  static func null(_ test: ArraySlice<Float>, _ reference: ArraySlice<Float>) -> Double {
    var (error, power) = (0.0, 0.0)
    for (left, right) in zip(test, reference) {
      error += pow(Double(left) - Double(right), 2)
      power += pow(Double(right), 2)
    }
    return 10 * log10(error / power)
  }
}
