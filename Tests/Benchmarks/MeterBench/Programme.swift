// SPDX-License-Identifier: Apache-2.0
import AudioCore

import Platform

/// Audio to measure, cut into planar blocks and interleaved.
struct Programme {
  let format: AudioFormat
  let buffers: [AudioBuffer]
  let interleaved: [Float]

  /// Chords that swell, syllables with pauses and percussion, different in each channel, at about
  /// −24 LUFS with peaks some 15 dB higher.
  static func broadcast(format: AudioFormat, seconds: Int) -> Programme {
    var noise = Noise()
    return Programme(format: format, seconds: seconds) { channel, time in
      let shift = Double(channel) / 6
      let pitch = 2 * Double.pi * (110 + 5 * Double(channel)) * time
      let swell = 0.5 + 0.45 * sin(2 * .pi * (time / 12 + shift))
      let chord = sin(2 * pitch) + sin(3 * pitch) + sin(2.5 * pitch)
      let pulse = max(0, sin(2 * .pi * (1.9 * time + shift)))
      let speaks = fmod(time + 3 * Double(channel), 10) > 3
      let voice = sin(pitch) + sin(2 * pitch) / 2 + sin(5 * pitch) / 5 + sin(8 * pitch) / 8
      let beat = fmod(time + 0.125 * Double(channel), 0.75)
      let drum = exp(-35 * beat) * (sin(2 * .pi * 85 * beat) + 0.6 * noise.next())
      let accent = fmod(time + 4 * Double(channel), 30) < 0.75 ? 0.28 : 0.08
      return 0.045 * swell * chord + (speaks ? 0.11 * pulse * pulse * voice : 0) + accent * drum
    }
  }

  /// A steady tone in each channel, of 16 samples or less a period: every stretch could hold the
  /// highest true peak, so none can be skipped.
  static func tones(format: AudioFormat, seconds: Int) -> Programme {
    Programme(format: format, seconds: seconds) { channel, time in
      0.2 * sin(2 * .pi * (3100 + 170 * Double(channel)) * time)
    }
  }

  private init(format: AudioFormat, seconds: Int, _ signal: (Int, Double) -> Double) {
    let channels = format.channels
    let frames = seconds * format.sampleRate
    var buffers: [AudioBuffer] = []
    var interleaved = [Float](repeating: 0, count: frames * channels)
    for start in stride(from: 0, to: frames, by: MeterBench.block) {
      let buffer = AudioBuffer(channels: channels, capacity: MeterBench.block)
      buffer.grow(by: min(MeterBench.block, frames - start))
      for channel in 0..<channels {
        let plane = buffer.channel(channel)
        for frame in 0..<buffer.frames {
          let time = Double(start + frame) / Double(format.sampleRate)
          let sample = Float(signal(channel, time))
          plane[frame] = sample
          interleaved[(start + frame) * channels + channel] = sample
        }
      }
      buffers.append(buffer)
    }
    self.format = format
    self.buffers = buffers
    self.interleaved = interleaved
  }
}
