// SPDX-License-Identifier: Apache-2.0

/// A frame of every substream with the parameters that hold for it.
package struct TemporalUnit: Sendable {
  /// A coded frame of one substream.
  package struct Frame: Equatable, Sendable {
    /// The substream's number.
    package var substream: Int
    /// Range of its bytes in ``TemporalUnit/bytes``; empty where the file has none.
    package var bytes: Range<Int>
    /// Offset of its bytes in the file or sample.
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

extension SequenceDescription {
  /// Samples of a unit of `mix`; `nil` where only the decoder knows, because the last frame of FLAC may be
  /// shorter than the others.
  package func samples(of unit: TemporalUnit, _ mix: PlayableMix) -> Int? {
    for entry in mix.elements {
      guard let element = playableElements[entry.id] else { continue }
      switch element.codec.decoder {
      case .flac, .unknown: return nil
      case .opus, .aac: return element.codec.samplesPerFrame
      case .lpcm(let config):
        guard element.codec.samplesPerFrame == 0 else { return element.codec.samplesPerFrame }
        // The first frame that there is says how long all are.
        for (index, id) in element.element.substreamIDs.enumerated() {
          guard let frame = unit.frame(of: id) else { continue }
          return frame.bytes.count / (config.sampleBytes * element.substreamChannels[index])
        }
      }
    }
    return 0
  }
}

/// Counts the samples of units, and says which of them are presented.
///
/// Frames are trimmed behind the gains, whose clock counts all samples.
package struct TrimmingClock: Equatable, Sendable {
  /// Samples of all units.
  package private(set) var decoded: Int64 = 0
  /// Samples in front that aren't presented.
  package private(set) var trimmedStart: Int64 = 0
  /// Samples behind that aren't presented.
  package private(set) var trimmedEnd: Int64 = 0
  /// Units whose trimming is longer than they are; as much as they have is trimmed.
  package private(set) var clampedUnits = 0
  /// Units that are trimmed at the start after presented samples, or presented after an end; exactly the
  /// samples that they name are cut out. Sequences that were joined without a header between look so.
  package private(set) var misplacedUnits = 0

  /// A clock at the first unit.
  package init() {}

  /// Samples that are presented.
  package var presented: Int64 { decoded - trimmedStart - trimmedEnd }

  /// Counts a unit of `count` samples, and answers which of them are presented.
  package mutating func range(_ count: Int, _ trim: OBU.Trim) -> Range<Int> {
    let start = min(trim.start, count)
    let end = min(trim.end, count - start)
    if start < trim.start || end < trim.end { clampedUnits += 1 }
    if start > 0 && presented > 0 || trimmedEnd > 0 && start + end < count { misplacedUnits += 1 }
    decoded += Int64(count)
    trimmedStart += Int64(start)
    trimmedEnd += Int64(end)
    return start..<count - end
  }
}
