import AudioCore
import Glibc
import MediaOut

/// Holds a rendered programme between the passes: in memory up to a cap, then in an unlinked
/// temporary file, so that memory stays flat for any length.
final class Spool {
  static let chunkFrames = 16384

  let channels: Int
  private(set) var frames: Int64 = 0
  private let memoryLimit: Int
  private var chunks: [AudioBuffer] = []
  private var current: AudioBuffer
  private var descriptor: Int32 = -1
  private var storedChunks = 0
  private var path = ""

  init(channels: Int, memoryLimit: Int) {
    self.channels = channels
    self.memoryLimit = memoryLimit
    current = AudioBuffer(channels: channels, capacity: Spool.chunkFrames)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

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

  private var chunkBytes: Int { channels * Spool.chunkFrames * MemoryLayout<Float>.stride }

  private func store() throws {
    if descriptor < 0, (chunks.count + 1) * chunkBytes <= memoryLimit {
      chunks.append(current)
      current = AudioBuffer(channels: channels, capacity: Spool.chunkFrames)
      return
    }
    if descriptor < 0 {
      try openFile()
      for chunk in chunks { try write(chunk) }
      chunks = []
    }
    try write(current)
    current.removeAll()
  }

  private func openFile() throws {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
    path = folder + "/pinna-spool-XXXXXX"
    var name = Array(path.utf8CString)
    descriptor = name.withUnsafeMutableBufferPointer { $0.baseAddress.map { mkstemp($0) } ?? -1 }
    guard descriptor >= 0 else { throw OutputFailure.error(errno, "temporary file in \(folder)") }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = name.withUnsafeBufferPointer { $0.baseAddress.map { unlink($0) } }
  }

  private func write(_ chunk: AudioBuffer) throws {
    let planeBytes = Spool.chunkFrames * MemoryLayout<Float>.stride
    for channel in 0..<channels {
      let base = Int64(storedChunks * chunkBytes + channel * planeBytes)
      guard let plane = chunk.channel(channel).baseAddress else { continue }
      try transfer(planeBytes) { done in
        pwrite(descriptor, UnsafeRawPointer(plane) + done, planeBytes - done, off_t(base) + done)
      }
    }
    storedChunks += 1
  }

  private func load(_ index: Int, into target: AudioBuffer) throws {
    target.removeAll()
    target.grow(by: Spool.chunkFrames)
    let planeBytes = Spool.chunkFrames * MemoryLayout<Float>.stride
    for channel in 0..<channels {
      let base = Int64(index * chunkBytes + channel * planeBytes)
      guard let plane = target.channel(channel).baseAddress else { continue }
      try transfer(planeBytes) { done in
        pread(
          descriptor, UnsafeMutableRawPointer(plane) + done, planeBytes - done, off_t(base) + done)
      }
    }
  }

  private func transfer(_ bytes: Int, _ step: (Int) -> Int) throws {
    var done = 0
    while done < bytes {
      let moved = step(done)
      if moved < 0, errno == EINTR { continue }
      guard moved > 0 else {
        throw OutputFailure.error(moved == 0 ? ENOSPC : errno, "temporary file \(path)")
      }
      done += moved
    }
  }
}
