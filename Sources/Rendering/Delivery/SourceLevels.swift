import AudioCore
import Loudness

/// Loudness and spectrum of all that a source delivers.
struct SourceLevels {
  let statistics: LoudnessStatistics
  /// Levels of ``LongTermSpectrum/frequencies``, dB.
  let spectrum: [Double?]

  /// Reads `channels` to their end.
  /// - Throws: ``MediaError`` from the source.
  init(_ channels: ChannelSource, isDualMono: Bool) throws {
    let meter = try LoudnessMeter(format: channels.format, dualMono: isDualMono)
    let spectrum = try LongTermSpectrum(format: channels.format)
    let buffer = AudioBuffer(channels: channels.format.channels)
    var isDone = false
    while !isDone {
      buffer.removeAll()
      isDone = try !channels.read(into: buffer)
      guard buffer.frames > 0 else { continue }
      try meter.add(buffer)
      spectrum.add(buffer)
    }
    statistics = meter.statistics()
    self.spectrum = spectrum.levels
  }
}
