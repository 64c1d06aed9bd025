import AudioCore
import Loudness

/// The stretch of a programme's sound that is at hand while the programme is replayed.
struct SoundWindow {
  private let held: AudioBuffer
  private var start: Int64 = 0

  /// An empty window at the beginning of a programme of `channels` channels.
  init(channels: Int) { held = AudioBuffer(channels: channels) }

  /// The sample behind the last one that came in.
  var end: Int64 { start + Int64(held.frames) }

  /// Takes the next block; samples before `wanted` aren't kept.
  mutating func append(_ block: AudioBuffer, from wanted: Int64) {
    held.append(block)
    let dropped = Int(min(max(0, wanted - start), Int64(held.frames)))
    held.removeFirst(dropped)
    start += Int64(dropped)
  }

  /// The samples of `range` with `dips` in them; silence outside the window.
  func sound(_ range: Range<Int64>, with dips: GainDips) -> AudioBuffer {
    let result = AudioBuffer(channels: held.channels, capacity: range.count)
    let inside = range.clamped(to: start..<end)
    guard !inside.isEmpty else {
      result.appendSilence(range.count)
      return result
    }
    result.appendSilence(Int(inside.lowerBound - range.lowerBound))
    result.append(held, range: Int(inside.lowerBound - start)..<Int(inside.upperBound - start))
    result.appendSilence(Int(range.upperBound - inside.upperBound))
    dips.apply(to: result, from: range.lowerBound)
    return result
  }
}
