/// Whether frames follow each other without a gap (`sequence_counter`, TS 103 190-1, 4.3.3.2.2).
struct FrameContinuity {
  /// How a frame relates to the last one that was decoded or concealed.
  enum Step {
    /// It is the next one.
    case next
    /// It is an I-frame that doesn't follow: another source begins.
    case newSource
  }

  /// The counter runs from 1 to this, then from 1 again.
  private static let last = 1020

  /// Whether a frame has been decoded since the start or a seek.
  private(set) var isStarted = false
  /// `sequence_counter` of the last frame; `nil` before the first.
  private var counter: Int?

  /// The relation of a frame with this table of contents to the last one.
  /// - Throws: ``AC4Error/needsIFrame(_:)`` for a frame that can't be decoded without the missing ones.
  func step(to toc: AC4TableOfContents) throws(AC4Error) -> Step {
    let isNext = follows(toc.sequenceCounter)
    if toc.isIFrame { return isStarted && !isNext ? .newSource : .next }
    guard isStarted else { throw .needsIFrame("audio") }
    guard isNext else { throw .needsIFrame("audio after a gap") }
    return .next
  }

  /// Records that a frame with this table of contents was decoded.
  mutating func decoded(_ toc: AC4TableOfContents) {
    isStarted = true
    counter = toc.sequenceCounter
  }

  /// Records that a frame was made up in place of the next one.
  mutating func concealed() {
    if let counter { self.counter = FrameContinuity.successor(counter) }
  }

  /// A counter of 0 marks a splice, which may stand anywhere and be followed by any counter.
  private func follows(_ next: Int) -> Bool {
    guard let counter, counter != 0, next != 0 else { return true }
    return next == FrameContinuity.successor(counter)
  }

  private static func successor(_ counter: Int) -> Int { counter >= last ? 1 : counter + 1 }
}
