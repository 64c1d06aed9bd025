import AudioCore

/// Sums rendered elements with the gains of a mix.
package final class PresentationMixer {
  private let mix: PlayableMix
  private var elementGains: [GainTrack]
  private var outputGains: [GainTrack]
  private let gainLine: AudioBuffer
  private let sum: AudioBuffer

  /// A mixer of elements that were rendered to `channels` channels.
  package init(_ mix: PlayableMix, channels: Int) {
    self.mix = mix
    elementGains = mix.elements.map { GainTrack($0.gain, sampleRate: mix.sampleRate) }
    outputGains = mix.parts.map { GainTrack($0.outputGain, sampleRate: mix.sampleRate) }
    gainLine = AudioBuffer(channels: 1, capacity: mix.samplesPerFrame)
    sum = AudioBuffer(channels: channels, capacity: mix.samplesPerFrame)
  }

  /// Appends the mix of a unit to `output`.
  /// - Parameter rendered: the unit's samples of each element, in the order of ``PlayableMix/elements``; all of
  ///   the same length, with as many planes as `output`.
  package func mix(_ rendered: [AudioBuffer], _ unit: TemporalUnit, into output: AudioBuffer) {
    guard let count = rendered.first?.frames, count > 0 else { return }
    let start = output.frames
    output.appendSilence(count)
    gainLine.removeAll()
    gainLine.grow(by: count)
    let gains = gainLine.channel(0)
    var index = 0
    for (number, part) in mix.parts.enumerated() {
      sum.removeAll()
      sum.appendSilence(count)
      for _ in part.elements {
        elementGains[index].write(unit, to: gains)
        for channel in 0..<sum.channels {
          PresentationMixer.add(
            rendered[index].channel(channel), gains, to: sum.channel(channel))
        }
        index += 1
      }
      outputGains[number].write(unit, to: gains)
      for channel in 0..<sum.channels {
        let line = UnsafeMutableBufferPointer(rebasing: output.channel(channel)[start...])
        PresentationMixer.add(sum.channel(channel), gains, to: line)
      }
    }
  }

  private static func add(
    _ source: UnsafeMutableBufferPointer<Float>, _ gains: UnsafeMutableBufferPointer<Float>,
    to target: UnsafeMutableBufferPointer<Float>
  ) {
    for index in gains.indices { target[index] += source[index] * gains[index] }
  }
}
