import AudioCore
import Signal

/// Energy of the difference between TEST and REF, channel by channel, and its first and last place.
struct NullSums: Sendable {
  /// Sums over one channel.
  struct Channel: Sendable {
    /// Energy of REF.
    var reference = 0.0
    /// Energy of TEST.
    var test = 0.0
    /// Dot product of both.
    var cross = 0.0
    /// Energy of the difference.
    var difference = 0.0
    /// Samples that differ.
    var differing: Int64 = 0

    /// Gain of TEST, linear; 1 where REF is silent.
    var gain: Double { reference > 0 ? cross / reference : 1 }
    /// Energy of the difference after the gain is corrected.
    var afterGain: Double {
      reference > 0 ? min(difference, max(0, test - cross * cross / reference)) : test
    }
  }

  let sources: [Int]
  private(set) var channels: [Channel]
  private(set) var first: Int64?
  private(set) var last: Int64 = 0
  private(set) var count: Int64 = 0
  private(set) var largest: Float = 0

  init(sources: [Int]) {
    self.sources = sources
    channels = [Channel](repeating: Channel(), count: sources.count)
  }

  mutating func add(_ old: AudioBuffer, _ new: AudioBuffer, count length: Int) {
    for (channel, source) in sources.enumerated() {
      let (one, other) = (old.channel(channel), new.channel(source))
      var sums = channels[channel]
      for index in 0..<length {
        let (a, b) = (one[index], other[index])
        let (x, y) = (Double(a), Double(b))
        sums.reference += x * x
        sums.test += y * y
        sums.cross += x * y
        guard a != b else { continue }
        let off = y - x
        sums.difference += off * off
        sums.differing += 1
        largest = max(largest, abs(b - a))
        let place = count + Int64(index)
        if place < first ?? .max { first = place }
        last = max(last, place)
      }
      channels[channel] = sums
    }
    count += Int64(length)
  }

  var reference: Double { channels.reduce(0) { $0 + $1.reference } }
  var difference: Double { channels.reduce(0) { $0 + $1.difference } }
  var afterGain: Double { channels.reduce(0) { $0 + $1.afterGain } }
  /// Residual in dB re REF.
  var residual: Double { Decibels.boundedLevel(power: difference, over: reference) }
  /// Residual after every channel's gain, in dB re REF.
  var residualAfterGain: Double { Decibels.boundedLevel(power: afterGain, over: reference) }
}
