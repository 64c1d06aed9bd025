import AudioCore
import Loudness
import Verify

/// Measures a programme and every channel alone.
final class LevelMeters {
  private let programme: LoudnessMeter
  private let channels: [LoudnessMeter]
  private let mono: AudioBuffer

  /// Meters for `format`; `nil` where loudness can't be measured.
  init?(format: AudioFormat) throws {
    guard LoudnessMeter.obstacle(format) == nil else { return nil }
    programme = try LoudnessMeter(format: format)
    let single = AudioFormat(sampleRate: format.sampleRate, layout: .mono)
    channels = try (0..<format.channels).map { _ in
      try LoudnessMeter(format: single, measuresTruePeak: false)
    }
    mono = AudioBuffer(channels: 1, capacity: 8192)
  }

  func add(_ block: AudioBuffer) throws {
    try programme.add(block)
    for (channel, meter) in channels.enumerated() {
      mono.removeAll()
      mono.grow(by: block.frames)
      let plane = block.channel(channel)
      guard let base = plane.baseAddress else { continue }
      mono.channel(0).baseAddress?.update(from: base, count: plane.count)
      try meter.add(mono)
    }
  }

  /// The figures; ends the measurement.
  func figures() -> LevelFigures {
    let all = programme.measurement()
    return LevelFigures(
      integrated: all.integrated, truePeak: all.truePeak,
      channelLoudness: channels.map { $0.measurement().integrated },
      channelTruePeaks: all.channelTruePeaks)
  }
}
