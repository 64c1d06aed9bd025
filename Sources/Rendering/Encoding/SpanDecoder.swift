import AudioCore
import LibAV
import Loudness

/// Decodes single spans of an encoding, to see what a reader of the file will hear there.
final class SpanDecoder {
  /// Packets decoded ahead, so that the overlap of the windows is complete.
  private static let warmUp = 2
  /// Samples before a span with which the interpolator of the true peak is filled.
  private static let history = 32
  /// Decodings of a span. Where an encoder leaves noise to the decoder, each one has other noise, as the
  /// same packets have it in another decoder or behind other packets.
  private static let turns = 8
  /// Peaks that lie nearer to each other than these samples are kept as one.
  private static let neighbourhood: Int64 = 32

  private let decoder: PacketDecoder
  private let format: AudioFormat
  private let grid: PacketGrid

  /// A decoder for what `encoder` gives from sound of `format`.
  init(of encoder: EncoderContext, format: AudioFormat, grid: PacketGrid) throws {
    decoder = try PacketDecoder(of: encoder)
    self.format = format
    self.grid = grid
  }

  /// What `packets` decode to, one behind the other.
  func decode(_ packets: [EncodedPacket]) throws -> AudioBuffer {
    let sound = AudioBuffer(
      channels: format.channels, capacity: packets.count * grid.frame)
    for packet in packets { try decoder.decode(packet, into: sound) }
    return sound
  }

  /// The peaks above `limit` in the frames of the packets `span`, the highest that several decodings
  /// give; `packet` hands out packets by their numbers.
  func peaks(
    in span: ClosedRange<Int>, above limit: Float, _ packet: (Int) throws -> EncodedPacket
  ) throws -> [PeakLocator.Peak] {
    let ahead = min(SpanDecoder.warmUp, span.lowerBound)
    let packets = try (span.lowerBound - ahead...span.upperBound).map(packet)
    let skipped = max(0, ahead * grid.frame - SpanDecoder.history)
    let start = grid.start(of: span.lowerBound - ahead) + Int64(skipped)
    let first = max(0, grid.start(of: span.lowerBound))
    var found: [PeakLocator.Peak] = []
    var before: AudioBuffer?
    for _ in 0..<SpanDecoder.turns {
      let sound = try decode(packets)
      sound.removeFirst(min(skipped, sound.frames))
      if let before, SpanDecoder.areEqual(before, sound) { break }
      found += PeakLocator(format: format, limit: limit).find(in: sound, at: start)
        .filter { $0.position >= first }
      before = sound
    }
    return SpanDecoder.merged(found)
  }

  /// Mean square, for each channel, of what `before` and `packet` decode to in the frame of `packet`,
  /// less `sound`, which is as long as a frame.
  func residual(
    _ before: EncodedPacket, _ packet: EncodedPacket, against sound: AudioBuffer
  ) throws -> [Double] {
    let decoded = try decode([before, packet])
    decoded.removeFirst(max(0, decoded.frames - grid.frame))
    return (0..<format.channels).map { channel in
      var sum = 0.0
      for (got, meant) in zip(decoded.channel(channel), sound.channel(channel)) {
        let error = Double(got) - Double(meant)
        sum += error * error
      }
      return sum / Double(grid.frame)
    }
  }

  private static func areEqual(_ one: AudioBuffer, _ other: AudioBuffer) -> Bool {
    (0..<one.channels).allSatisfy { one.channel($0).elementsEqual(other.channel($0)) }
  }

  /// `peaks` in the order of their places, the highest of each neighbourhood.
  static func merged(_ peaks: [PeakLocator.Peak]) -> [PeakLocator.Peak] {
    var kept: [PeakLocator.Peak] = []
    for peak in peaks.sorted(by: { $0.position < $1.position }) {
      guard let last = kept.last, peak.position - last.position < neighbourhood else {
        kept.append(peak)
        continue
      }
      if peak.level > last.level { kept[kept.count - 1] = peak }
    }
    return kept
  }
}

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
