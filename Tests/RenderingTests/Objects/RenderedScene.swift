// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import MediaIn
import Spatial

@testable import Rendering

/// Files with objects as loudspeakers get them, without loudness or limiter.
enum RenderedScene {
  private static func reader(_ path: String, _ options: InputOptions) throws -> any TrackReader {
    let media = try MediaFile(path: path, options: options)
    let opener = TrackOpener(media)
    let log = DiagnosticLog()
    return try opener.open(opener.select(.automatic, log: log), options: options, log: log)
  }

  /// The tracks of a file, as they lie.
  static func tracks(_ path: String) throws -> [[Float]] {
    let reader = try reader(path, InputOptions())
    let block = ProgrammeBlock(reader.programme)
    while try reader.read(into: block) != nil {}
    return (0..<block.audio.channels).map { Array(block.audio.channel($0)) }
  }

  /// Programme of a file.
  static func programme(_ path: String) throws -> Programme {
    try reader(path, InputOptions()).programme
  }

  /// The channels that the file comes to in `layout`.
  static func planes(
    _ path: String, _ options: InputOptions = InputOptions(), to layout: ChannelLayout
  ) throws -> [[Float]] {
    let reader = try reader(path, options)
    let renderer = LoudspeakerRenderer(layout: layout)
    let format = try renderer.prepare(reader.programme)
    let output = AudioBuffer(channels: format.channels)
    let block = ProgrammeBlock(reader.programme)
    var frames = 0
    while try reader.read(into: block) != nil {
      frames += block.frames
      try renderer.process(block, into: output)
      block.removeAll()
    }
    try renderer.finish(into: output)
    output.removeFirst(renderer.latency)
    output.truncate(to: frames)
    return (0..<output.channels).map { Array(output.channel($0)) }
  }

  /// Everything that `source` delivers.
  static func channels(_ source: ChannelSource) throws -> [[Float]] {
    let buffer = AudioBuffer(channels: source.format.channels)
    while try source.read(into: buffer) {}
    return (0..<buffer.channels).map { Array(buffer.channel($0)) }
  }
}
