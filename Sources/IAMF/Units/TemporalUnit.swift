/// A frame of every substream with the parameters that hold for it.
package struct TemporalUnit: Sendable {
  /// A coded frame of one substream.
  package struct Frame: Equatable, Sendable {
    /// The substream's number.
    package var substream: Int
    /// Where its bytes lie in ``TemporalUnit/bytes``; empty where the file has none.
    package var bytes: Range<Int>
    /// Where its bytes lie in the file or sample.
    package var position: Int64
    /// Samples that the programme hasn't.
    package var trim: OBU.Trim
  }

  /// The bytes of its frames.
  package var bytes: [UInt8] = []
  /// Its units of the bitstream as a sample of MP4 holds them; empty unless the reader was asked to keep them.
  package var stored: [UInt8] = []
  /// One for each substream that has one.
  package private(set) var frames: [Frame] = []
  /// Its parameter blocks, in their order.
  package var blocks: [ParameterBlock] = []
  /// Number of its sequence, counted from 0.
  package var sequence = 0
  /// The place of each substream's frame. Damaged files may have very many.
  private var places: [Int: Int] = [:]

  /// A unit with nothing.
  package init() {}

  /// The frame of a substream; `nil` where it is missing.
  package func frame(of substream: Int) -> Frame? { places[substream].map { frames[$0] } }

  /// Adds the frame of a substream that has none yet.
  mutating func add(_ frame: Frame) {
    places[frame.substream] = frames.count
    frames.append(frame)
  }

  /// The trimming of a mix's samples: that of the first of its substreams which has a frame.
  package func trim(_ substreams: [Int]) -> OBU.Trim {
    for id in substreams {
      if let frame = frame(of: id) { return frame.trim }
    }
    return OBU.Trim()
  }
}
