// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Short synthetic programmes that behave like real ones.
package enum TestProgramme {
  /// Planes of `seconds` of modulated tones and noise at about −24 LUFS with a few loud peaks.
  package static func planes(channels: Int, seconds: Double, rate: Int = 48_000, level: Float = 0.1)
    -> [[Float]]
  {
    let count = Int(seconds * Double(rate))
    return (0..<channels).map { channel in
      var noise = SeededNoise(seed: UInt64(77 + channel))
      let pitch = 180.0 * (1 + 0.37 * Double(channel))
      var smooth: Float = 0
      return (0..<count).map { index in
        let time = Double(index) / Double(rate)
        let swell = 0.55 + 0.45 * sin(2 * .pi * 0.7 * time + Double(channel))
        let tone = sin(2 * .pi * pitch * time) + 0.4 * sin(2 * .pi * pitch * 5.1 * time)
        smooth += 0.3 * (Float.random(in: -1...1, using: &noise) - smooth)
        let hit = index % (rate * 2) < 40 ? Float(4 * sin(2 * .pi * 3000 * time)) : 0
        return level * (Float(swell * tone) + 0.5 * smooth + hit)
      }
    }
  }

  /// A float WAV file of such a programme.
  package static func wav(
    channels: Int, seconds: Double, rate: Int = 48_000, level: Float = 0.1, mask: UInt32? = nil
  ) -> Data {
    WAVBytes.float32(
      planes(channels: channels, seconds: seconds, rate: rate, level: level), rate: rate,
      mask: mask)
  }
}
