import AudioCore
import Samples

/// Finds where the true peak of a stream (ITU-R BS.1770-5, Annex 2) lies above a limit.
///
/// It reads what ``LoudnessMeter`` reads. Not thread-safe; one owner at a time.
package final class PeakLocator {
  /// The highest place of a stretch of 64 samples in any channel.
  package struct Peak: Sendable, Equatable {
    /// The sample of the programme at or right before it.
    package let position: Int64
    /// Its magnitude; full scale is 1.
    package let level: Float

    /// A peak of magnitude `level` at sample `position`.
    package init(position: Int64, level: Float) {
      self.position = position
      self.level = level
    }
  }

  private static let stretch = 64
  /// Samples before the newest one between which the interpolator's output begins.
  private static let lag = 6

  private let limit: Float
  private let sampleRate: Int
  private let line: AudioBuffer
  private let between: UnsafeMutablePointer<Float>

  /// A locator for audio of `format` that reports peaks above the magnitude `limit`.
  package init(format: AudioFormat, limit: Float) {
    self.limit = limit
    sampleRate = format.sampleRate
    line = AudioBuffer(channels: format.channels)
    line.appendSilence(AnnexTwoInterpolator.history)
    between = .allocate(capacity: PeakLocator.stretch)
    between.initialize(repeating: 0, count: PeakLocator.stretch)
  }

  deinit { between.deallocate() }

  /// The peaks above the limit in the next block, whose first sample is number `position`. A peak in
  /// the last six samples of a block is found in the next one.
  package func find(in block: AudioBuffer, at position: Int64) -> [Peak] {
    line.append(block)
    // The interpolator reads up to the next multiple of 16.
    line.reserve(line.frames + 16)
    var found: [Peak] = []
    for offset in stride(from: 0, to: block.frames, by: PeakLocator.stretch) {
      let count = min(PeakLocator.stretch, block.frames - offset)
      guard let highest = highest(at: offset, count: count) else { continue }
      found.append(
        Peak(
          position: position + Int64(offset + highest.index - PeakLocator.lag),
          level: highest.level))
    }
    line.removeFirst(block.frames)
    return found
  }

  /// The highest of `count` samples from `offset` on and of what lies between them; `nil` when none is
  /// above the limit.
  private func highest(at offset: Int, count: Int) -> (index: Int, level: Float)? {
    let history = AnnexTwoInterpolator.history
    var best: (index: Int, level: Float)?
    for channel in 0..<line.channels {
      guard let base = line.channel(channel).baseAddress else { continue }
      let newest = UnsafePointer(base + history + offset)
      let peak = SampleScan.greatestMagnitude(newest - history, count: count + history)
      guard peak * AnnexTwoInterpolator.largestNorm > limit else { continue }
      interpolate(newest, count)
      for index in 0..<count {
        let level = max(between[index], newest[index - PeakLocator.lag].magnitude)
        if level > best?.level ?? limit { best = (index, level) }
      }
    }
    return best
  }

  private func interpolate(_ newest: UnsafePointer<Float>, _ count: Int) {
    if sampleRate <= 96_000 {
      AnnexTwoInterpolator.quadruple(newest, count: count, into: between)
    } else if sampleRate <= 192_000 {
      AnnexTwoInterpolator.double(newest, count: count, into: between)
    } else {
      between.update(repeating: 0, count: count)
    }
  }
}
