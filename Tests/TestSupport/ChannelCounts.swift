// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Sends sound of 1 to 24 channels through stages that treat each channel as if it were alone.
package enum ChannelCounts {
  /// All numbers of channels that a known layout has.
  package static let all = 1...24

  /// The first `count` channels of 22.2.
  package static func layout(_ count: Int) -> ChannelLayout {
    count == 1
      ? .mono : ChannelLayout(Array((ChannelLayout(name: "22.2") ?? .mono).speakers.prefix(count)))
  }

  /// Noise for `count` channels; that of a channel doesn't depend on how many there are.
  package static func noise(_ count: Int, _ frames: Int) -> [[Float]] {
    (0..<count).map { channel in
      var source = SeededNoise(seed: UInt64(channel) + 101)
      return source.samples(frames, peak: 0.2)
    }
  }

  /// The first channel whose samples a stage makes differ from those of the same channel alone, by more than `tolerance`, such as
  /// `channel 3 of 5`; `nil` where there is none.
  package static func firstThatDiffers(
    by tolerance: Double = 0, rate: Int = 48_000, frames: Int = 3000,
    make: (AudioFormat) throws -> any AudioStage
  ) throws -> String? {
    func run(_ planes: [[Float]]) throws -> [[Float]] {
      let format = AudioFormat(sampleRate: rate, layout: layout(planes.count))
      return try StageVerifier.run(
        make(format), format: format, signal: planes, blockSize: 480)
    }
    let signal = noise(all.upperBound, frames)
    let alone = try signal.map { try run([$0])[0] }
    for count in all {
      let together = try run(Array(signal.prefix(count)))
      guard together.count == count else { return "\(together.count) channels of \(count)" }
      for (channel, plane) in together.enumerated()
      where !(Signals.greatestDifference(plane, alone[channel]) <= tolerance) {
        return "channel \(channel + 1) of \(count)"
      }
    }
    return nil
  }
}
