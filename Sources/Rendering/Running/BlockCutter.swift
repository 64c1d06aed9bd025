import AudioCore

/// Cuts what a source delivers into blocks of one size; the last may be shorter.
struct BlockCutter {
  private let size: Int?
  private let pending: ProgrammeBlock
  private let block: ProgrammeBlock

  init(size: Int?, programme: Programme) {
    self.size = size
    pending = ProgrammeBlock(programme)
    block = ProgrammeBlock(programme)
  }

  /// Hands on `fresh` in whole blocks, keeping the rest.
  func push(_ fresh: ProgrammeBlock, _ consume: (ProgrammeBlock) throws -> Void) throws {
    guard let size else {
      if fresh.frames > 0 { try consume(fresh) }
      return
    }
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

  /// Hands on what is left.
  func flush(_ consume: (ProgrammeBlock) throws -> Void) throws {
    if pending.frames > 0 { try consume(pending) }
    pending.removeAll()
  }
}
