// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Dialogue
import MediaOut
import Platform
import Signal

/// Holds a rendered programme between the passes: in memory up to a cap, then in the output's own
/// temporary file, so that memory stays flat for any length and no second file is needed.
///
/// The spool lies ``base`` bytes into that file. Pass 2 writes the finished file over it from the
/// front: a stored sample takes at most as many bytes as it has in the spool, so the writer never
/// catches up with the reader as long as header and tags fit below ``base``.
///
/// New pages are most of what a spool costs. If the output's samples take three bytes or fewer, chunks lie
/// packed to 24 bits, as long as those hold every sample exactly: a programme of integers keeps them while
/// nothing is rendered.
final class Spool {
  /// Samples per channel of a chunk, in memory and in the file.
  static let chunkFrames = 32768
  /// Offset of the first stored sample in the file.
  static let base: Int64 = 1 << 20
  /// Bytes of the file that are reserved at a time.
  private static let reserve: Int64 = 32 << 20

  let channels: Int
  private(set) var frames: Int64 = 0
  private let memoryLimit: Int
  private var chunks: [AudioBuffer] = []
  private var current: AudioBuffer
  private let descriptor: Int32
  private let name: String
  private var storedChunks = 0
  /// End of what is reserved in the file.
  private var reserved: Int64 = 0
  /// Chunks at the beginning of the file that are packed.
  private var packedChunks = 0
  /// Whether the next chunk may be packed.
  private var isPacking: Bool
  private var bytes: [UInt8] = []
  /// Gain over time that everything which is read back gets.
  private var curve: LevelGain?

  /// A spool of `channels` planes that overflows into `descriptor`, which stays open; `name`
  /// appears in messages. With `packs`, samples may take three bytes instead of four.
  init(channels: Int, memoryLimit: Int, descriptor: Int32, name: String, packs: Bool = false) {
    self.channels = channels
    self.memoryLimit = memoryLimit
    self.descriptor = descriptor
    self.name = name
    isPacking = packs
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
    try replay(from: 0) {
      try consume($1)
      return true
    }
  }

  /// Hands chunks of ``chunkFrames`` samples to `consume`, each with the number of its first sample, from the
  /// one that holds sample `first` on, until `consume` answers `false`.
  func replay(from first: Int64, _ consume: (Int64, AudioBuffer) throws -> Bool) throws {
    let scratch = AudioBuffer(channels: channels, capacity: Spool.chunkFrames)
    var index = Int(first / Int64(Spool.chunkFrames))
    while Int64(index * Spool.chunkFrames) < frames {
      let chunk = try levelled(chunk(index, scratch), index, scratch)
      guard try consume(Int64(index * Spool.chunkFrames), chunk) else { return }
      index += 1
    }
  }

  /// Lets everything that is read back from now on have the gain of `curve`.
  func level(by curve: LevelGain) { self.curve = curve }

  /// Chunk number `index` with the gain of the curve; one that lies in memory stays as it is.
  private func levelled(
    _ chunk: AudioBuffer, _ index: Int, _ scratch: AudioBuffer
  ) throws -> AudioBuffer {
    guard let curve else { return chunk }
    if chunk !== scratch {
      scratch.removeAll()
      scratch.append(chunk)
    }
    curve.apply(to: scratch, from: Int64(index * Spool.chunkFrames))
    return scratch
  }

  private func chunk(_ index: Int, _ scratch: AudioBuffer) throws -> AudioBuffer {
    if index < storedChunks {
      try load(index, into: scratch)
      return scratch
    }
    let place = index - storedChunks
    return place < chunks.count ? chunks[place] : current
  }

  private var planeBytes: Int { Spool.chunkFrames * MemoryLayout<Float>.stride }
  private var packedBytes: Int { Spool.chunkFrames * channels * SampleFormat.integer24.bytes }

  private func store() throws {
    if storedChunks == 0 {
      if (chunks.count + 1) * channels * planeBytes <= memoryLimit {
        chunks.append(current)
        current = AudioBuffer(channels: channels, capacity: Spool.chunkFrames)
        return
      }
      for chunk in chunks { try write(chunk) }
      chunks = []
      // Chunks that lie in the file aren't held in memory as well.
      ProcessMemory.giveBack()
    }
    try write(current)
    current.removeAll()
  }

  private func write(_ chunk: AudioBuffer) throws {
    isPacking = isPacking && chunk.fits(bits: 24)
    let offset = position(storedChunks)
    if isPacking {
      try withPackedBytes { bytes in
        chunk.pack(0..<chunk.frames, as: .integer24, into: bytes)
        try put(bytes, packedBytes, at: offset)
      }
      packedChunks += 1
    } else {
      for channel in 0..<channels {
        guard let plane = chunk.channel(channel).baseAddress else { continue }
        try put(plane, planeBytes, at: offset + Int64(channel * planeBytes))
      }
    }
    storedChunks += 1
  }

  private func load(_ index: Int, into target: AudioBuffer) throws {
    target.removeAll()
    target.grow(by: Spool.chunkFrames)
    let offset = position(index)
    if index < packedChunks {
      return try withPackedBytes { bytes in
        try get(bytes, packedBytes, at: offset)
        target.unpack(bytes, count: Spool.chunkFrames, as: .integer24, at: 0)
      }
    }
    for channel in 0..<channels {
      guard let plane = target.channel(channel).baseAddress else { continue }
      try get(plane, planeBytes, at: offset + Int64(channel * planeBytes))
    }
  }

  private func withPackedBytes(_ body: (UnsafeMutableRawPointer) throws -> Void) rethrows {
    if bytes.isEmpty { bytes = [UInt8](repeating: 0, count: packedBytes) }
    try bytes.withUnsafeMutableBytes { bytes in
      if let base = bytes.baseAddress { try body(base) }
    }
  }

  private func position(_ chunk: Int) -> Int64 {
    let packed = min(chunk, packedChunks)
    return Spool.base + Int64(packed * packedBytes + (chunk - packed) * channels * planeBytes)
  }

  private func put(_ bytes: UnsafeRawPointer, _ count: Int, at offset: Int64) throws {
    if offset + Int64(count) > reserved {
      reserved = max(reserved, offset) + Spool.reserve
      Descriptor.reserve(descriptor, at: reserved - Spool.reserve, count: Spool.reserve)
    }
    let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
    try OutputFailure.check(Descriptor.writeAll(bytes, to: descriptor, at: offset), name)
  }

  private func get(_ bytes: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) throws {
    let got = Descriptor.readAll(descriptor, into: bytes, count: count, at: offset)
    // The file was cut by someone else.
    guard got == count else { throw OutputFailure.error(got < 0 ? Int32(-got) : ENOSPC, name) }
  }
}
