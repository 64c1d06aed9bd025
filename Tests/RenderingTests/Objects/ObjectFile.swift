// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import MediaIn
import MediaOut

@testable import Rendering

/// Small files with objects, and what is known of their movements.
enum ObjectFile {
  /// Writes `planes` of `programme`, whose objects rest, as floats.
  static func write(_ planes: [[Float]], _ programme: Programme, to path: String) throws {
    let descriptor = open(path, O_CREAT | O_RDWR | O_TRUNC, 0o600)
    defer { close(descriptor) }
    let metadata = try ObjectMetadata(
      name: "Test", programme: programme, updates: [], length: Int64(planes[0].count), bitDepth: nil
    )
    let writer = try BW64Writer(
      descriptor: descriptor, name: path,
      settings: SoundSettings(
        format: AudioFormat(
          sampleRate: programme.sampleRate, layout: ChannelLayout(unnamed: planes.count)),
        coding: OutputCoding(.pcm, encoding: .float32), frames: Int64(planes[0].count)),
      leading: [metadata.tracks])
    writer.trailing = [metadata.document]
    let buffer = AudioBuffer(channels: planes.count)
    buffer.grow(by: planes[0].count)
    for (index, plane) in planes.enumerated() { _ = buffer.channel(index).update(from: plane) }
    try writer.write(buffer)
    try writer.close()
  }

  /// Motions of a file's objects, each update changed by `change`.
  static func kept(
    _ path: String, _ change: (inout ObjectUpdate) -> Void
  ) throws -> KeptProgramme {
    let source = try TrackSource(
      input: MediaInput(path: path, log: DiagnosticLog()), decoding: InputOptions(),
      log: DiagnosticLog())
    let kept = KeptProgramme(source.programme)
    let block = ProgrammeBlock(source.programme)
    var isDone = false
    while !isDone {
      block.removeAll()
      isDone = try !source.read(into: block)
      let changed = ProgrammeBlock(source.programme, start: block.start)
      changed.appendSilence(block.frames)
      for var update in block.updates {
        change(&update)
        if update.at < changed.end { changed.add(update) }
      }
      kept.add(changed)
    }
    return kept
  }
}
