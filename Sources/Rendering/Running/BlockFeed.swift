import AudioCore

/// Delivers the sound of a source in pieces that are large enough to be worth a call.
protocol BlockFeed: AnyObject {
  /// The next piece, valid until the next call; `nil` at the end.
  /// - Throws: what the source throws.
  func next() throws -> ProgrammeBlock?

  /// Ends the reading; the source may be used by others then.
  func stop()
}

/// Reads a source when a piece is asked for.
final class DirectFeed: BlockFeed {
  /// Samples gathered before they are passed on: calls for every small packet would cost time.
  private static let gathered = 4096

  private let source: any ProgrammeSource
  private let block: ProgrammeBlock
  private var isAtEnd = false

  /// A feed from `source`.
  init(_ source: any ProgrammeSource) {
    self.source = source
    block = ProgrammeBlock(source.programme, capacity: 2 * DirectFeed.gathered)
  }

  func next() throws -> ProgrammeBlock? {
    guard !isAtEnd else { return nil }
    block.removeAll()
    isAtEnd = try !source.fill(block, DirectFeed.gathered)
    return block
  }

  func stop() {}
}

extension ProgrammeSource {
  /// Appends pieces to `block` until it has `count` samples or more; `false` at the end.
  /// - Throws: what the source throws.
  func fill(_ block: ProgrammeBlock, _ count: Int) throws -> Bool {
    while block.frames < count {
      guard try read(into: block) else { return false }
    }
    return true
  }
}
