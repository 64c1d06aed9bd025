import AudioCore

/// Cuts what a source delivers into blocks of one size; the last may be shorter.
struct BlockCutter {
  private let size: Int?
  private let pending: AudioBuffer
  private let block: AudioBuffer

  init(size: Int?, channels: Int) {
    self.size = size
    pending = AudioBuffer(channels: channels)
    block = AudioBuffer(channels: channels)
  }

  /// Hands on `buffer` in whole blocks, keeping the rest.
  func push(_ buffer: AudioBuffer, _ consume: (AudioBuffer) throws -> Void) throws {
    guard let size else {
      if buffer.frames > 0 { try consume(buffer) }
      return
    }
    pending.append(buffer)
    var position = 0
    while pending.frames - position >= size {
      block.removeAll()
      block.append(pending, range: position..<(position + size))
      position += size
      try consume(block)
    }
    pending.removeFirst(position)
  }

  /// Hands on what is left.
  func flush(_ consume: (AudioBuffer) throws -> Void) throws {
    if pending.frames > 0 { try consume(pending) }
    pending.removeAll()
  }
}
