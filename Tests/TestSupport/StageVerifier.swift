// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Runs a stage with several block sizes and checks that all give the same bits.
package enum StageVerifier {
  /// Block sizes with which every stage must give the same bits; 0 means the whole signal at once.
  package static let blockSizes = [1, 7, 64, 480, 0]

  /// Output planes of a fresh stage fed `signal` in blocks of `blockSize` frames (0: whole).
  package static func run(
    _ stage: any AudioStage, format: AudioFormat, signal: [[Float]], blockSize: Int
  ) throws -> [[Float]] {
    let host = Hosted(stage, name: "under test")
    let outputFormat = try host.prepare(format)
    let frames = signal.first?.count ?? 0
    let output = AudioBuffer(channels: outputFormat.channels)
    var position = 0
    while position < frames {
      let count = min(blockSize == 0 ? frames : blockSize, frames - position)
      let block = AudioBuffer(channels: format.channels, capacity: count)
      block.grow(by: count)
      for (index, plane) in signal.enumerated() {
        let target = block.channel(index)
        for frame in 0..<count { target[frame] = plane[position + frame] }
      }
      try host.process(block, into: output)
      position += count
    }
    try host.finish(into: output)
    return (0..<output.channels).map { Array(output.channel($0)) }
  }

  /// The first block size whose output differs in any bit from that of the whole signal at once; `nil`
  /// when none does.
  package static func firstDifference(
    format: AudioFormat, signal: [[Float]], make: () throws -> any AudioStage
  ) throws -> Int? {
    let reference = try run(make(), format: format, signal: signal, blockSize: 0)
    for size in blockSizes where size != 0 {
      let other = try run(make(), format: format, signal: signal, blockSize: size)
      let same = zip(reference, other).allSatisfy { left, right in
        left.count == right.count
          && zip(left, right).allSatisfy { $0.bitPattern == $1.bitPattern }
      }
      if !same || other.count != reference.count { return size }
    }
    return nil
  }
}
