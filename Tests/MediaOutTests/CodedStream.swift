// SPDX-License-Identifier: Apache-2.0
import Foundation
import ISOBMFF
import TestSupport

@testable import MediaOut

/// The impulse signal coded by ffmpeg: packets, configuration and what a muxer has to know of them.
struct CodedStream: Sendable {
  enum Coding: String, CaseIterable, Sendable {
    case flac, alac, aac
    case opus = "libopus"
  }

  let packets: [MediaSample]
  let configuration: [UInt8]
  let coding: Coding

  static let rate = 48_000
  static let valid = Int64(ImpulseSignal.frames)

  /// Samples in front of the valid ones.
  var priming: Int64 {
    switch coding {
    case .flac, .alac: return 0
    case .aac: return 1024
    case .opus: return Int64(configuration[10]) | Int64(configuration[11]) << 8
    }
  }

  /// Codes the signal.
  init(_ coding: Coding, planes: [[Int16]] = ImpulseSignal.planes(), rate: Int = rate) throws {
    let folder = try TemporaryFolder()
    try WAVBytes.pcm16(planes, rate: rate).write(to: folder.url("in.wav"))
    try FixtureStore.ffmpeg([
      "-i", folder.file("in.wav"), "-c:a", coding.rawValue, "-strict", "-2", "-flags", "+bitexact",
      folder.file("a.mp4"),
    ])
    self.coding = coding
    packets = try CodedStream.packets(of: folder.file("a.mp4"), stream: "a:0")
    let bytes = Array(try Data(contentsOf: folder.url("a.mp4")))
    if coding == .opus {
      try FixtureStore.ffmpeg(["-i", folder.file("a.mp4"), "-c", "copy", folder.file("a.ogg")])
    }
    let ogg = coding == .opus ? Array(try Data(contentsOf: folder.url("a.ogg"))) : []
    configuration = try CodedStream.configuration(coding, bytes, ogg)
  }

  /// The sample entry of the stream.
  func entry() throws -> [UInt8] {
    switch coding {
    case .flac: return try FLACSampleEntry(streamInfo: configuration).encoded
    case .alac: return try ALACSampleEntry(cookie: configuration).encoded
    case .opus: return try OpusSampleEntry(head: configuration).encoded
    case .aac:
      return try AACSampleEntry(
        configuration: configuration, channels: 2, sampleRate: CodedStream.rate,
        averageBitRate: 128_000
      ).encoded
    }
  }

  /// The stream as a track.
  func track(startOffset: Int64 = 0) throws -> MovieTrack {
    MovieTrack(
      kind: .sound, timescale: CodedStream.rate, sampleEntry: try entry(), language: "eng",
      mediaTime: priming, validDuration: CodedStream.valid, startOffset: startOffset,
      rollDistance: coding == .aac ? -1 : coding == .opus ? -4 : nil)
  }

  /// Packets of a file whose samples lie in it as they are.
  static func packets(of path: String, stream: String) throws -> [MediaSample] {
    let result = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-ignore_editlist", "1", "-select_streams", stream, "-show_entries",
        "packet=pts,dts,duration,size,pos,flags", "-of", "compact=p=0", path,
      ])
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    var first: Int64?
    return String(decoding: result.output, as: UTF8.self).split(separator: "\n").compactMap {
      line in
      var fields: [String: String] = [:]
      for field in line.split(separator: "|") {
        let parts = field.split(separator: "=").map(String.init)
        if parts.count == 2 { fields[parts[0]] = parts[1] }
      }
      guard let size = fields["size"].flatMap({ Int($0) }),
        let place = fields["pos"].flatMap({ Int($0) }), place + size <= bytes.count,
        let dts = fields["dts"].flatMap({ Int64($0) }),
        let pts = fields["pts"].flatMap({ Int64($0) }),
        let duration = fields["duration"].flatMap({ Int64($0) })
      else { return nil }
      first = first ?? dts
      return MediaSample(
        data: Array(bytes[place..<place + size]), decodeTime: dts - (first ?? 0),
        duration: duration, compositionOffset: pts - dts,
        isSync: fields["flags"]?.contains("K") ?? false)
    }
  }

  private static func configuration(_ coding: Coding, _ file: [UInt8], _ ogg: [UInt8]) throws
    -> [UInt8]
  {
    switch coding {
    case .flac: return try following("dfLa", in: file, skip: 8, count: 34)
    case .alac:
      // The box inside the entry of the same name.
      guard let outer = find("alac", in: file[...]) else { throw ToolFailure(text: "no alac") }
      guard let inner = find("alac", in: file[(outer + 4)...]) else {
        throw ToolFailure(text: "no cookie")
      }
      return Array(file[(inner + 8)..<(inner + 32)])
    case .opus: return Array("OpusHead".utf8) + (try following("OpusHead", in: ogg, count: 11))
    case .aac:
      // The decoder's configuration is the descriptor with tag 5.
      guard let box = find("esds", in: file[...]),
        let tag = file[(box + 20)...].firstIndex(of: 5)
      else { throw ToolFailure(text: "no esds") }
      let length = Int(file[tag + 4])
      return Array(file[(tag + 5)..<(tag + 5 + length)])
    }
  }

  private static func following(
    _ text: String, in bytes: [UInt8], skip: Int = 0, count: Int
  ) throws -> [UInt8] {
    guard let place = find(text, in: bytes[...]) else { throw ToolFailure(text: "no \(text)") }
    let start = place + text.utf8.count + skip
    return Array(bytes[start..<(start + count)])
  }

  private static func find(_ text: String, in bytes: ArraySlice<UInt8>) -> Int? {
    let pattern = Array(text.utf8)
    return bytes.indices.first {
      $0 + pattern.count <= bytes.endIndex && bytes[$0] == pattern[0]
        && bytes[$0..<($0 + pattern.count)].elementsEqual(pattern)
    }
  }
}
