import AudioCore
import MediaOut
import Platform

/// Holds a rendered programme between the passes: in memory up to a cap, then in the output's own
/// temporary file, so that memory stays flat for any length and no second file is needed.
///
/// The spool lies ``base`` bytes into that file. Pass 2 writes the finished file over it from the
/// front: a stored sample takes at most the four bytes it has in the spool, so the writer never
/// catches up with the reader as long as header and tags fit below ``base``.
final class Spool {
  /// Samples per channel of a chunk, in memory and in the file.
  static let chunkFrames = 32768
  /// Offset of the first stored sample in the file.
  static let base: Int64 = 1 << 20

  let channels: Int
  private(set) var frames: Int64 = 0
  private let memoryLimit: Int
  private var chunks: [AudioBuffer] = []
  private var current: AudioBuffer
  private let descriptor: Int32
  private let name: String
  private var storedChunks = 0

  /// A spool of `channels` planes that overflows into `descriptor`, which stays open; `name`
  /// appears in messages.
  init(channels: Int, memoryLimit: Int, descriptor: Int32, name: String) {
    self.channels = channels
    self.memoryLimit = memoryLimit
    self.descriptor = descriptor
    self.name = name
    current = AudioBuffer(channels: channels, capacity: Spool.chunkFrames)
  }

  /// Appends all of `buffer`.
  func append(_ buffer: AudioBuffer) throws {
    var position = 0
    while position < buffer.frames {
      let count = min(buffer.frames - position, Spool.chunkFrames - current.frames)
      current.append(buffer, range: position..<(position + count))
      position += count
      if current.frames == Spool.chunkFrames { try store() }
    }
    frames += Int64(buffer.frames)
  }

  /// Hands the whole programme to `consume`, chunk by chunk, in order.
  func replay(_ consume: (AudioBuffer) throws -> Void) throws {
    let scratch = AudioBuffer(channels: channels, capacity: Spool.chunkFrames)
    for index in 0..<storedChunks {
      try load(index, into: scratch)
      try consume(scratch)
    }
    for chunk in chunks { try consume(chunk) }
    if current.frames > 0 { try consume(current) }
  }

  private var planeBytes: Int { Spool.chunkFrames * MemoryLayout<Float>.stride }
  private var chunkBytes: Int { channels * planeBytes }

  private func store() throws {
    if storedChunks == 0 {
      if (chunks.count + 1) * chunkBytes <= memoryLimit {
        chunks.append(current)
        current = AudioBuffer(channels: channels, capacity: Spool.chunkFrames)
        return
      }
      for chunk in chunks { try write(chunk) }
      chunks = []
    }
    try write(current)
    current.removeAll()
  }

  private func write(_ chunk: AudioBuffer) throws {
    for channel in 0..<channels {
      guard let plane = chunk.channel(channel).baseAddress else { continue }
      let offset = off_t(position(storedChunks, channel))
      try transfer { done in
        pwrite(descriptor, UnsafeRawPointer(plane) + done, planeBytes - done, offset + done)
      }
    }
    storedChunks += 1
  }

  private func load(_ index: Int, into target: AudioBuffer) throws {
    target.removeAll()
    target.grow(by: Spool.chunkFrames)
    for channel in 0..<channels {
      guard let plane = target.channel(channel).baseAddress else { continue }
      let offset = off_t(position(index, channel))
      try transfer { done in
        pread(descriptor, UnsafeMutableRawPointer(plane) + done, planeBytes - done, offset + done)
      }
    }
  }

  private func position(_ chunk: Int, _ channel: Int) -> Int64 {
    Spool.base + Int64(chunk * chunkBytes + channel * planeBytes)
  }

  private func transfer(_ step: (Int) -> Int) throws {
    var done = 0
    while done < planeBytes {
      let moved = step(done)
      if moved < 0, errno == EINTR { continue }
      guard moved > 0 else { throw OutputFailure.error(moved == 0 ? ENOSPC : errno, name) }
      done += moved
    }
  }
}
