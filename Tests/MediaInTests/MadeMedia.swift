// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import LibAV
import MediaIn
import TestSupport

@testable import MediaIn

/// A media file made by ffmpeg or by hand, in a folder of its own.
struct MadeMedia {
  let folder: TemporaryFolder
  let path: String

  /// Two seconds of stereo noise at 48 kHz, encoded with `arguments`.
  init(_ name: String, _ arguments: [String], seconds: Int = 2) throws {
    folder = try TemporaryFolder()
    path = folder.file(name)
    let noise = "anoisesrc=d=\(seconds):a=0.3:seed=3:r=48000"
    try FixtureStore.ffmpeg(["-f", "lavfi", "-i", noise, "-ac", "2"] + arguments + [path])
  }

  /// A file of these bytes.
  init(_ name: String, bytes: Data) throws {
    folder = try TemporaryFolder()
    path = folder.file(name)
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  /// The whole file.
  func bytes() throws -> Data {
    try withExtendedLifetime(folder) { try Data(contentsOf: URL(fileURLWithPath: path)) }
  }

  /// A copy whose bytes are changed by `change`.
  func altered(_ change: (inout Data) throws -> Void) throws -> MadeMedia {
    var data = try bytes()
    try change(&data)
    return try MadeMedia((path as NSString).lastPathComponent, bytes: data)
  }

  /// A copy with `count` bytes of noise at `share` of its length.
  func damaged(at share: Double = 0.5, count: Int) throws -> MadeMedia {
    try altered { data in
      var noise = SeededNoise(seed: 77)
      let start = Int(Double(data.count) * share)
      for index in start..<min(data.count, start + count) {
        data[index] = UInt8.random(in: 0...255, using: &noise)
      }
    }
  }

  /// A copy with noise inside the payload of `count` packets (all the rest for `nil`), their headers
  /// left intact.
  func damagedPackets(
    at share: Double = 0.5, count: Int? = 1, intact: Int = 60
  ) throws -> MadeMedia {
    let probe = try withExtendedLifetime(folder) {
      try Tool.run(
        "ffprobe", ["-v", "error", "-show_entries", "packet=pos,size", "-of", "csv=p=0", path])
    }
    let packets = String(decoding: probe.output, as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: ",").compactMap { Int($0) }
    }
    let first = Int(Double(packets.count) * share)
    return try altered { data in
      var noise = SeededNoise(seed: 78)
      let end = count.map { first + $0 } ?? packets.count
      for packet in packets[first..<end] where packet.count == 2 {
        let (size, start) = (packet[0], packet[1])
        for index in start + min(intact, size / 3)..<start + max(size - 8, size / 2) {
          data[index] = UInt8.random(in: 0...255, using: &noise)
        }
      }
    }
  }

  /// A copy cut off at `share` of its length.
  func cut(at share: Double) throws -> MadeMedia {
    try altered { $0 = $0.prefix(Int(Double($0.count) * share)) }
  }

  /// Decodes the chosen track.
  func decode(_ options: InputOptions = InputOptions()) throws -> DecodedTrack {
    try withExtendedLifetime(folder) { try DecodedTrack(path: path, options) }
  }

  /// The error that decoding ends with, if any.
  func failure(_ options: InputOptions = InputOptions()) -> MediaError? {
    withExtendedLifetime(folder) { DecodedTrack.failure(path: path, options) }
  }
}

/// Everything a decode gave, after trimming.
struct DecodedTrack {
  let planes: [[Float]]
  let format: AudioFormat
  let stream: StreamInfo
  /// Facts of the programme.
  let facts: ProgrammeFacts
  /// Samples that the container declares; `nil` when it declares none.
  let declared: Int64?
  let summary: TimelineSummary
  let degradations: [Diagnostic]
  let decisions: [Decision]

  /// Kinds of the degradations, each once.
  var kinds: Set<String> { Set(degradations.map(\.code.rawValue)) }
  /// Samples per channel.
  var count: Int { planes.first?.count ?? 0 }

  init(path: String, _ options: InputOptions = InputOptions()) throws {
    LibAVLog.install()
    let log = DiagnosticLog()
    let media = try MediaFile(path: path, options: options)
    let opener = TrackOpener(media)
    stream = try opener.select(options.track, log: log)
    let reader = try opener.open(stream, options: options, log: log)
    let source = try TrimmedSource(
      source: reader, facts: media.gaplessFacts(of: stream), log: log)
    let bed = try BedSource(source, for: "this test")
    format = bed.format
    let buffer = AudioBuffer(channels: format.channels)
    while try bed.read(into: buffer) {
      // Guards the test run against a source that never ends.
      guard buffer.frames < 100_000_000 else { throw ToolFailure(text: "endless decode") }
    }
    planes = (0..<buffer.channels).map { Array(buffer.channel($0)) }
    facts = reader.programme.facts
    declared = reader.track.declaredSamples
    summary = source.summary
    degradations = log.degradations
    decisions = log.decisions
  }

  /// The error that decoding ends with, if any.
  static func failure(path: String, _ options: InputOptions = InputOptions()) -> MediaError? {
    do {
      _ = try DecodedTrack(path: path, options)
      return nil
    } catch { return error as? MediaError ?? MediaError(.internal, "foreign error: \(error)") }
  }
}
