// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaOut
import Platform

/// The place of a rendered track among those of one file, or of one presentation of HLS.
package struct TrackPart: Sendable, Hashable {
  /// Its place in the order of the file, from 0: every group has a rendition of the first track before the second track begins.
  package let place: Int
  /// Numbers of the input's tracks that are rendered for the file, in the same order; none where only one is.
  package let numbers: [Int]
  /// Groups of sound in HLS, each of which has a rendition of every track; 1 for other containers.
  package let groups: Int

  /// Tracks that are rendered for the file.
  package var count: Int { max(1, numbers.count) * groups }

  /// Whether the file is written with this track, after all others have been made.
  package var isLast: Bool { place == count - 1 }
}

extension RenderRequest {
  /// The request for the track at `place` of those with these `numbers`, which go into one file; `numbers` is empty for a single track.
  /// Outputs with the name of one presentation of HLS become its groups.
  func part(_ place: Int, of numbers: [Int]) -> RenderRequest {
    var request = self
    for (index, output) in outputs.enumerated() {
      let groups = outputs.indices.filter { outputs[$0].isGroup(besides: output) || $0 == index }
      guard let group = groups.firstIndex(of: index), groups.count > 1 || numbers.count > 1
      else { continue }
      // Names of one place may be spelled differently.
      request.outputs[index].location = outputs[groups[0]].location
      request.outputs[index].part = TrackPart(
        place: place * groups.count + group, numbers: numbers, groups: groups.count)
    }
    return request
  }
}

extension OutputRequest {
  /// Whether this output and `other` are groups of sound of one presentation of HLS.
  func isGroup(besides other: OutputRequest) -> Bool {
    guard case .file(let path) = location, case .file(let second) = other.location else {
      return false
    }
    return container?.kind.traits.output?.isSeveralFiles == true
      && container?.kind == other.container?.kind && FilePlace(path) == FilePlace(second)
  }
}
