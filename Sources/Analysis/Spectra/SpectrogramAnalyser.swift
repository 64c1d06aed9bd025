// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Power over time and frequency.
package struct Spectrogram: Sendable, Codable, Equatable {
  /// Samples per second of the sound.
  package let sampleRate: Int
  /// Length of the sound in samples.
  package let samples: Int64
  /// Length of a column in seconds; the last one may stand for less.
  package let columnSeconds: Double
  /// Lines of a column, from 0 Hz to half the rate, evenly spaced.
  package let lines: Int
  /// Mean powers, one column after the other; 1 is a sine at full scale in all channels.
  package let powers: [Float]

  /// Number of columns.
  package var columns: Int { lines > 0 ? powers.count / lines : 0 }
  /// Length of the sound in seconds.
  package var seconds: Double { Double(samples) / Double(sampleRate) }
  /// Distance of neighbouring lines in Hz.
  package var lineHz: Double { Double(sampleRate) / 2 / Double(max(1, lines - 1)) }

  /// Level of a line of a column in dB below a sine at full scale; `nil` for none.
  package func level(column: Int, line: Int) -> Double? {
    let power = Double(powers[column * lines + line])
    return power > 0 ? 10 * log10(power) : nil
  }
}

/// Makes a spectrogram of a bounded number of columns from sound of any length.
///
/// The frames are Hann's, 2048 samples long at 48 kHz and as many milliseconds at other rates. A column begins as
/// one frame, 1/32 of its length from the next. Whenever there are twice the wanted columns, each two become
/// one, their mean power, and the distance of the frames doubles; at half a frame it stays, and columns get more
/// frames instead. So short sounds are seen sharply, long ones completely, and the cost per hour has a bound.
package final class SpectrogramAnalyser: Analyser {
  /// The channels that are seen.
  package enum Selection: Sendable, Equatable {
    /// The mean power of all channels.
    case all
    /// One channel, by its index.
    case channel(Int)
  }

  private let format: AudioFormat
  private let wanted: Int
  private let frames: SpectralFrames
  private var state: State

  /// The state that changes with each frame.
  private struct State {
    /// Samples between the middles of neighbouring frames.
    var hop: Int
    /// Frames of a column.
    var width = 1
    /// Frames of the current column.
    var filled = 0
    /// Sums of the current column.
    var sums: [Double]
    var powers: [Float] = []
    var columns = 0
    /// Middle of the next frame.
    var middle: Int64
  }

  private var samples: Int64 = 0

  /// An analyser of sound in `format` that makes `columns` to twice as many columns, fewer only of sound that is shorter
  /// than a few seconds.
  /// - Throws: ``MediaError`` of kind `internal` for a channel that isn't there.
  package init(
    _ format: AudioFormat, selection: Selection = .all, columns: Int = 1000
  ) throws {
    self.format = format
    wanted = max(2, columns)
    let channels: [Int]
    switch selection {
    case .all: channels = Array(0..<format.channels)
    case .channel(let index): channels = [index]
    }
    guard channels.allSatisfy({ (0..<format.channels).contains($0) }) else {
      throw MediaError(.internal, "\(format.layout) has no channel \(channels)")
    }
    let length = min(16_384, SpectralFrames.length(2048, at: format.sampleRate))
    let hop = length / 32
    frames = SpectralFrames(
      format, channels: channels, length: length, lead: length / 2 - hop / 2)
    state = State(
      hop: hop, sums: Array(repeating: 0, count: frames.lines), middle: Int64(hop / 2))
  }

  /// Takes the next block.
  /// - Throws: ``MediaError`` of kind `internal` for another number of channels.
  package func add(_ block: AudioBuffer) throws {
    try check(block, format)
    samples += Int64(block.frames)
    frames.add(block, take)
  }

  /// Answers the spectrogram.
  package func finish() throws -> Spectrogram {
    // Silence follows until the middle of no frame lies in the sound any more.
    while state.middle < samples { frames.addSilence(state.hop, take) }
    if state.filled > 0 { closeColumn() }
    return Spectrogram(
      sampleRate: format.sampleRate, samples: samples,
      columnSeconds: Double(state.hop * state.width) / Double(format.sampleRate),
      lines: frames.lines, powers: state.powers)
  }

  private func take(_ power: UnsafePointer<Double>) -> Int {
    state.sums.withUnsafeMutableBufferPointer { sums in
      for line in 0..<sums.count { sums[line] += power[line] }
    }
    state.filled += 1
    let before = state.hop
    if state.filled == state.width {
      closeColumn()
      if state.columns == 2 * wanted { halve() }
    }
    // Middles lie half a hop behind the edges of columns.
    let step = (before + state.hop) / 2
    state.middle += Int64(step)
    return step
  }

  private func closeColumn() {
    let share = 1 / Double(state.filled)
    // Float32 is enough for what becomes a picture; at 192 kHz it saves 36 MB.
    state.powers.append(contentsOf: state.sums.lazy.map { Float($0 * share) })
    state.sums.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
    state.filled = 0
    state.columns += 1
  }

  private func halve() {
    let lines = frames.lines
    state.powers.withUnsafeMutableBufferPointer { powers in
      for column in 0..<wanted {
        for line in 0..<lines {
          let first = powers[2 * column * lines + line]
          let second = powers[(2 * column + 1) * lines + line]
          powers[column * lines + line] = (first + second) / 2
        }
      }
    }
    state.powers.removeLast(wanted * lines)
    state.columns = wanted
    if state.hop < frames.length / 2 { state.hop *= 2 } else { state.width *= 2 }
  }
}
