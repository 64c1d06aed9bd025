/// Cuts the sound into the blocks that a tap wants, counted from the first sample.
struct TapBlocks {
  private let size: Int
  private let fills: Bool
  private let pending: AudioBuffer
  private let block: AudioBuffer

  /// Blocks of `format` as `wanted`; `nil` where any block will do.
  init?(_ wanted: TapContract.Blocks, channels: Int) {
    switch wanted {
    case .any: return nil
    case .fixed(let size):
      self.size = size
      fills = true
    case .atMost(let size):
      self.size = size
      fills = false
    }
    pending = AudioBuffer(channels: channels)
    block = AudioBuffer(channels: channels)
  }

  /// Hands on `fresh` in whole blocks, and keeps the rest.
  func push(_ fresh: AudioBuffer, _ consume: (AudioBuffer) throws -> Void) rethrows {
    pending.append(fresh)
    var position = 0
    while pending.frames - position >= size {
      block.removeAll()
      block.append(pending, range: position..<(position + size))
      position += size
      try consume(block)
    }
    pending.removeFirst(position)
  }

  /// Hands on the rest.
  func flush(_ consume: (AudioBuffer) throws -> Void) rethrows {
    guard pending.frames > 0 else { return }
    if fills { pending.appendSilence(size - pending.frames) }
    try consume(pending)
    pending.removeAll()
  }
}
