// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Matroska

/// Outside readers and writers of Matroska.
enum MatroskaTools {
  /// Whether MKVToolNix and FFmpeg are there; tests are skipped without them.
  static let areInstalled =
    ["mkvmerge", "mkvinfo", "mkvextract", "ffmpeg", "ffprobe"].allSatisfy(Tool.isInstalled)

  /// A frame as mkvinfo lists it.
  struct ListedFrame: Equatable, CustomStringConvertible {
    let track: Int
    /// Nanoseconds of its block.
    let time: Int64
    let size: Int
    /// Adler-32 of its bytes.
    let sum: UInt32
    /// Whether no other frame is needed to decode it.
    let isKey: Bool

    var description: String { "track \(track) at \(time): \(size) bytes, \(sum)" }

    init(_ frame: MatroskaFrame, scale: Int64) {
      track = frame.track
      time = frame.ticks * scale
      size = frame.data.count
      sum = MatroskaTools.adler(frame.data)
      isKey = frame.isKey
    }

    /// A line such as `P frame, track 1, timestamp 00:00:00.021000000, duration …, size 2189, adler 0xb0362540`.
    init?(_ line: Substring) {
      let parts = line.split(separator: ",").map { $0.split(separator: " ") }
      guard parts.first?.last == "frame" else { return nil }
      func value(_ name: String) -> Substring? { parts.first { $0.first == name[...] }?.last }
      guard let track = value("track").flatMap({ Int($0) }),
        let size = value("size").flatMap({ Int($0) }),
        let sum = value("adler").flatMap({ UInt32($0.dropFirst(2), radix: 16) }),
        let clock = value("timestamp")?.split(whereSeparator: { ":.".contains($0) })
          .compactMap({ Int64($0) }), clock.count == 4
      else { return nil }
      self.track = track
      self.size = size
      self.sum = sum
      isKey = parts.first?.first == "I"
      time = ((clock[0] * 60 + clock[1]) * 60 + clock[2]) * 1_000_000_000 + clock[3]
    }
  }

  /// RFC 1950, 9.
  static func adler(_ bytes: [UInt8]) -> UInt32 {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return b << 16 | a
  }

  /// Runs a program of MKVToolNix, which ends with 1 after a warning.
  @discardableResult
  static func run(_ program: String, _ arguments: [String]) throws -> String {
    let result = try Tool.run(program, arguments, environment: ["LC_ALL": "C.UTF-8"])
    let output = String(decoding: result.output, as: UTF8.self)
    guard result.status == 0 else {
      throw ToolFailure(text: "\(program) \(arguments): \(output) \(result.errors)")
    }
    return output
  }

  /// All frames as they lie in the file, those of a lace one by one.
  static func frames(_ path: String) throws -> [ListedFrame] {
    try run("mkvinfo", ["-s", "-c", "-o", path]).split(separator: "\n")
      .compactMap { ListedFrame($0) }
  }

  /// Facts of a file by mkvmerge.
  static func facts(_ path: String) throws -> [String: Any] {
    let text = try run("mkvmerge", ["-J", path])
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try #require(value as? [String: Any])
  }

  /// The bytes that mkvextract makes of tracks, attachments, chapters and tags.
  static func extracted(_ path: String, tracks: Int, attachments: Int) throws -> [String: Data] {
    let folder = try TemporaryFolder()
    func pairs(_ name: String, _ numbers: Range<Int>, _ first: Int) -> [String] {
      numbers.map { "\($0 + first):\(folder.file("\(name)\($0)"))" }
    }
    try run(
      "mkvextract",
      [path, "tracks"] + pairs("track", 0..<tracks, 0) + ["chapters", folder.file("chapters")]
        + ["tags", folder.file("tags")]
        + (attachments > 0 ? ["attachments"] + pairs("attachment", 0..<attachments, 1) : []))
    return try Dictionary(
      uniqueKeysWithValues: folder.contents.map { ($0, try Data(contentsOf: folder.url($0))) })
  }

  /// Streams, times, lengths and sums of all packets by ffprobe.
  static func packets(_ path: String) throws -> [Substring] {
    try run(
      "ffprobe",
      [
        "-v", "error", "-show_packets", "-show_data_hash", "adler32", "-show_entries",
        "packet=stream_index,pts,dts,flags,data_hash", "-of", "csv=p=0", path,
      ]
    ).split(separator: "\n")
  }

  static func source(_ path: String) throws -> ByteSource {
    MatroskaBytes.source(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
  }

  /// A copy of a file: tracks, frames, chapters, tags and attachments as they are.
  static func copied(_ source: ByteSource) throws -> [UInt8] {
    let reader = try MatroskaReader(source)
    var info = MatroskaInfo(maker: "Pinna", timestampScale: reader.info.timestampScale)
    info.title = reader.info.title
    var segment = MatroskaSegment(reader.docType, info: info, tracks: reader.tracks)
    segment.chapters = reader.chapters.map { .verbatim($0) }
    segment.tags = reader.tags.map { .verbatim($0) }
    segment.attachments = reader.attachments.map { MatroskaAttachment($0, of: source) }
    let written = WrittenSegment()
    var builder = try written.builder(segment)
    try reader.forEachBlock(as: .stored) { frame in
      let track = reader.tracks.first { $0.number == frame.track }
      let delay = track?.codecDelay ?? .nanoseconds(0)
      var block = MatroskaBlock(
        track: frame.track, time: .nanoseconds(frame.time) + -delay, data: frame.data,
        duration: frame.duration.map { .nanoseconds($0) })
      block.statesDuration = frame.duration != nil
      block.isKey = frame.isKey
      block.isInvisible = frame.isInvisible
      block.isDiscardable = frame.isDiscardable
      block.references = frame.references.map { .nanoseconds($0) }
      block.additions = frame.additions
      if frame.discardPadding != 0 { block.discardPadding = .nanoseconds(frame.discardPadding) }
      try builder.add(block)
      return true
    }
    written.apply(try builder.finish())
    return written.bytes
  }
}
