// SPDX-License-Identifier: Apache-2.0

/// Something that happened to a stream while it was decoded, which its samples don't tell.
package struct TrueHDEvent: Equatable, Sendable {
  /// The kinds of what can happen.
  package enum Kind: Equatable, Sendable {
    /// Another clip begins, by its clock: `step` samples from where this clip's would be, −32768…32767. Nothing is lost.
    case seam(step: Int, outputTiming: Int)
    /// A clip begins with the very unit that the clip before ended with; the unit counts once.
    case duplicate
    /// The programme or a clip of it ends; so many samples of padding behind it are left out.
    case end(zeros: Int)
    /// A substream is lost up to its next restart header.
    case segmentLost(substream: Int, reason: TrueHDError)
    /// A unit is lost, and with it all substreams up to their next restart headers.
    case unitLost(reason: TrueHDError)
    /// Units follow that don't go on where those before ended: `step` samples lie between two, by their input timing. They are
    /// silent up to the next restart headers.
    case timingBreak(step: Int)
    /// Bytes that belong to no unit were passed over.
    case bytesSkipped(Int)
    /// Silence stands for units that are missing where bytes were passed over.
    case gap(samples: Int)
    /// How much is missing there isn't known; nothing stands for it.
    case gapUnknown(step: Int)
    /// The output up to here isn't bit for bit what the encoder had.
    case losslessMismatch(substream: Int)
    /// A sample had more than 24 bits, whose lowest are kept. Told once for a substream.
    case wide(substream: Int)
    /// A payload of metadata of objects can't be used; the objects go on as before.
    case metadataLost(reason: String)
  }

  /// Kind of the event.
  package let kind: Kind
  /// Number of the unit, from 0.
  package let unit: Int
  /// Sample of the output where it happened.
  package let sample: Int64
}

/// How often something happened while a presentation was decoded.
package struct TrueHDCounts: Equatable, Sendable {
  /// Lossless checks of the stream that agree with the output.
  package var rightChecks = 0
  /// Lossless checks that don't.
  package var wrongChecks = 0
  /// Samples of silence that stand for what was lost.
  package var concealed: Int64 = 0

  /// Counts of nothing.
  package init() {}
}
