/// Samples that can be joined and cut.
package protocol SampleBlock: AnyObject {
  /// Number of samples.
  var frames: Int { get }

  /// Appends `range`, or all for `nil`, of another block with the same planes.
  func append(_ other: Self, range: Range<Int>?)

  /// Drops the first `count` samples.
  func removeFirst(_ count: Int)

  /// Drops all samples.
  func removeAll()
}

extension AudioBuffer: SampleBlock {}
extension ProgrammeBlock: SampleBlock {}

/// Cuts what comes in pieces of any size into blocks of one size, counted from the first sample.
package struct BlockCutter<Block: SampleBlock> {
  private let size: Int?
  private let pending: Block
  private let block: Block

  private init(size: Int?, pending: Block, block: Block) {
    precondition(size.map { $0 > 0 } ?? true, "blocks hold samples")
    self.size = size
    self.pending = pending
    self.block = block
  }

  /// Hands on `fresh` in whole blocks, and keeps the rest.
  /// - Throws: what `consume` throws.
  package func push(_ fresh: Block, _ consume: (Block) throws -> Void) throws {
    guard let size else {
      if fresh.frames > 0 { try consume(fresh) }
      return
    }
    pending.append(fresh, range: nil)
    var position = 0
    while pending.frames - position >= size {
      block.removeAll()
      block.append(pending, range: position..<(position + size))
      position += size
      try consume(block)
    }
    pending.removeFirst(position)
  }

  /// Hands on what is left, a shorter block.
  /// - Throws: what `consume` throws.
  package func flush(_ consume: (Block) throws -> Void) throws {
    if pending.frames > 0 { try consume(pending) }
    pending.removeAll()
  }
}

extension BlockCutter<ProgrammeBlock> {
  /// Cuts `programme` into blocks of `size` samples; `nil` leaves the pieces as they come.
  package init(size: Int?, programme: Programme) {
    self.init(size: size, pending: ProgrammeBlock(programme), block: ProgrammeBlock(programme))
  }
}

extension BlockCutter<AudioBuffer> {
  /// Cuts sound of so many channels into blocks of `size` samples; `nil` leaves the pieces as they come.
  package init(size: Int?, channels: Int) {
    self.init(
      size: size, pending: AudioBuffer(channels: channels), block: AudioBuffer(channels: channels))
  }
}
