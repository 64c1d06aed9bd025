/// Which samples of a programme the packets of an encoding stand for.
///
/// The window of a packet is two frames long: it decodes to its own frame together with the packet before
/// it, and to the next frame together with the packet behind it (AAC, ISO/IEC 14496-3, 4.6.11).
package struct PacketGrid: Sendable, Equatable {
  /// Samples of a frame.
  package let frame: Int
  /// Start-up samples before the programme.
  package let padding: Int
  /// Number of packets.
  package let packets: Int

  /// A grid of its values.
  package init(frame: Int, padding: Int, packets: Int) {
    self.frame = frame
    self.padding = padding
    self.packets = packets
  }

  /// The first sample that packet `number` decodes to; negative in the start-up samples.
  package func start(of number: Int) -> Int64 { Int64(number * frame - padding) }

  /// The packet that decodes to `sample`.
  package func packet(of sample: Int64) -> Int {
    clamped(Int((max(0, sample) + Int64(padding)) / Int64(frame)))
  }

  /// All packets whose windows reach into `range`, which isn't empty.
  package func packets(over range: Range<Int64>) -> ClosedRange<Int> {
    let first = clamped(packet(of: range.lowerBound) - 1)
    return first...max(first, packet(of: range.upperBound - 1))
  }

  /// `range` with `before` packets before it and `after` behind it, as far as there are.
  package func widened(_ range: ClosedRange<Int>, before: Int, after: Int) -> ClosedRange<Int> {
    clamped(range.lowerBound - before)...clamped(range.upperBound + after)
  }

  private func clamped(_ number: Int) -> Int { min(max(0, number), packets - 1) }
}
