// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import MediaIn

/// A file whose container, codec or both say something odd about time, with the sound that is right by the standards.
struct TimeCase: CustomTestStringConvertible, Sendable {
  /// A file's bytes, and all samples that are right.
  struct Sound {
    let name: String
    let bytes: Data
    let planes: [[Float]]

    /// A file of these bytes, and what each channel is to hold.
    init(_ name: String, _ bytes: Data, _ planes: [[Float]]) {
      (self.name, self.bytes, self.planes) = (name, bytes, planes)
    }

    /// A file of these bytes, and another one of the same frames, whose sound is right without what lies before and after.
    init(
      _ name: String, _ bytes: Data, as judge: MadeMedia, from start: Int = 0, cut: Int = 0
    ) throws {
      let planes = try judge.decode().planes
      self.init(name, bytes, planes.map { Array($0.dropFirst(start).dropLast(cut)) })
    }
  }

  /// Description of the file.
  let testDescription: String
  /// Clause that makes the values right.
  let clause: String
  /// Samples of each channel; `nil` where their number depends on the encoder.
  let samples: Int?
  /// Start-up samples that are left out; `nil` where the decoder may leave them out itself.
  let startUp: Int64?
  /// Place of the first sample, in samples on the file's own timeline; `nil` where a bare stream has none.
  let place: Int64?
  /// Kinds of degradations.
  let kinds: Set<String>
  /// Makes the file.
  let make: @Sendable () throws -> Sound

  /// A case whose sound is `samples` long, right by `clause`.
  init(
    _ name: String, _ clause: String, samples: Int?, startUp: Int64? = 0, place: Int64? = 0,
    kinds: Set<String> = [], _ make: @escaping @Sendable () throws -> Sound
  ) {
    (testDescription, self.clause, self.samples) = (name, clause, samples)
    (self.startUp, self.place, self.kinds, self.make) = (startUp, place, kinds, make)
  }
}

extension TimeCase {
  /// All cases.
  static let all = plain + pages + frames + containers
}
