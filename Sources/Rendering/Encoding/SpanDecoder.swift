// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Loudness

/// Decodes stretches of packets, to see what a reader of the file will hear there.
final class SpanDecoder {
  /// Sound of a stretch of packets.
  struct Sound {
    fileprivate let samples: AudioBuffer
    /// The sample of the programme that it begins with.
    let start: Int64

    /// The samples of `range` of the programme; `nil` where they weren't decoded.
    func part(_ range: Range<Int64>) -> AudioBuffer? {
      let offset = Int(range.lowerBound - start)
      guard offset >= 0, offset + range.count <= samples.frames else { return nil }
      let part = AudioBuffer(channels: samples.channels, capacity: range.count)
      part.append(samples, range: offset..<offset + range.count)
      return part
    }

    /// Mean square, for each channel, of what is heard in the samples of `meant`, which begin at `place`, less `meant`.
    func residual(against meant: AudioBuffer, at place: Int64) -> [Double] {
      let offset = Int(place - start)
      guard offset >= 0, offset + meant.frames <= samples.frames else { return [] }
      return (0..<samples.channels).map { channel in
        let heard = samples.channel(channel)[offset..<offset + meant.frames]
        let sum = zip(heard, meant.channel(channel)).reduce(0.0) { sum, pair in
          let error = Double(pair.0) - Double(pair.1)
          return sum + error * error
        }
        return sum / Double(meant.frames)
      }
    }
  }

  /// Samples before a place with which the interpolator of the true peak is filled.
  private static let history = 32
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

  /// Decodes `packets`, one after the other.
  func decode(_ packets: [EncodedPacket]) throws -> AudioBuffer {
    let sound = AudioBuffer(
      channels: format.channels, capacity: packets.count * grid.frame)
    for packet in packets { try decoder.decode(packet, into: sound) }
    return sound
  }

  /// Decodes the packets of `span`, which `packet` hands out by their numbers. Its beginning depends on what was decoded
  /// before.
  func sound(
    of span: ClosedRange<Int>, _ packet: (Int) throws -> EncodedPacket
  ) throws -> Sound {
    let samples = try decode(span.map(packet))
    // A decoder may keep samples of its first packet back.
    return Sound(
      samples: samples, start: grid.start(of: span.upperBound + 1) - Int64(samples.frames))
  }

  /// The peaks above `limit` in `sound`, from the first sample of packet `number` on.
  func peaks(in sound: Sound, from number: Int, above limit: Float) -> [PeakLocator.Peak] {
    let first = max(0, grid.start(of: number))
    let skipped = min(
      sound.samples.frames, max(0, Int(first - sound.start) - SpanDecoder.history))
    let samples = AudioBuffer(channels: format.channels)
    samples.append(sound.samples, range: skipped..<sound.samples.frames)
    let found = PeakLocator(format: format, limit: limit)
      .find(in: samples, at: sound.start + Int64(skipped))
    return SpanDecoder.merged(found.filter { $0.position >= first })
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

/// The samples of a programme that the packets of an encoding stand for.
///
/// A packet decodes to its own frame together with the packet before it, and reaches into the next frame: by its window, which is
/// two frames long in AAC (ISO/IEC 14496-3, 4.6.11), by the overlap of granules in MP3, and by the overlap of 2.5 ms in Opus.
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

  /// `range` with `before` packets before it and `after` after it, as far as there are.
  package func widened(_ range: ClosedRange<Int>, before: Int, after: Int) -> ClosedRange<Int> {
    clamped(range.lowerBound - before)...clamped(range.upperBound + after)
  }

  private func clamped(_ number: Int) -> Int { min(max(0, number), packets - 1) }
}
