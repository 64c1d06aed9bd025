// SPDX-License-Identifier: Apache-2.0
import Foundation
import ISOBMFF
import Platform
import TestSupport

@testable import MediaOut

/// A fragmented file written by the product, in a folder of its own.
struct WrittenMovie {
  let folder: TemporaryFolder
  let path: String
  let fragments: [FragmentRecord]
  let initializationSize: Int64

  /// Writes tracks with their samples, interleaved by time.
  init(
    _ tracks: [(track: MovieTrack, samples: [MediaSample])], settings: FragmentedMP4Settings
  ) throws {
    folder = try TemporaryFolder()
    path = folder.file("out.mp4")
    let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    let sink = DescriptorSink(descriptor: descriptor, name: path)
    let writer = try FragmentedMP4Writer(
      sink: sink, tracks: tracks.map(\.track), settings: settings)
    let all = tracks.enumerated().flatMap { index, pair in
      pair.samples.map {
        (
          Double(pair.track.facts.startOffset + $0.decodeTime) / Double(pair.track.facts.timescale),
          index, $0
        )
      }
    }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
    for (_, index, sample) in all { try writer.add(sample, track: index) }
    try writer.finish()
    try sink.finish()
    fragments = writer.fragments
    initializationSize = writer.initializationSize
  }

  /// Writes one stream in fragments of `seconds`.
  init(_ stream: CodedStream, seconds: Double = 2) throws {
    var settings = FragmentedMP4Settings(
      movieTimescale: CodedStream.rate, fragmentDuration: Int64(seconds * 48_000))
    settings.tags.items = [MovieItem("©nam", .text("Impulses"))]
    settings.tags.encoder = "Pinna test"
    try self.init([(try stream.track(), stream.packets)], settings: settings)
  }

  /// The whole file.
  func bytes() throws -> [UInt8] {
    try withExtendedLifetime(folder) { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
  }

  /// The audio as ffmpeg decodes it: channels interleaved, 1.0 for full scale.
  func decoded() throws -> [Float] {
    let result = try withExtendedLifetime(folder) {
      try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a:0", "-f", "f32le", "-"])
    }
    guard result.status == 0, result.errors.isEmpty else { throw ToolFailure(text: result.errors) }
    return result.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }
}

extension MovieTrack {
  /// A track whose sample entry a test has made, so that its coding doesn't count.
  init(
    kind: OutputTrackFacts.Kind, timescale: Int, sampleEntry: [UInt8], language: String = "",
    mediaTime: Int64 = 0, validDuration: Int64, startOffset: Int64 = 0, rollDistance: Int? = nil,
    width: Int = 0, height: Int = 0
  ) {
    var facts = OutputTrackFacts(
      kind, .titles, timescale: timescale, priming: mediaTime, length: validDuration,
      startOffset: startOffset)
    facts.language = language
    facts.rollDistance = rollDistance
    if width > 0 { facts.picture = OutputTrackFacts.Picture(width: width, height: height) }
    self.init(facts, sampleEntry: sampleEntry)
  }
}
