import AudioCore

/// A test signal for taps that change the tempo: clicks, whose places in the output are compared with those that the
/// tempo gives them.
struct TempoProbe {
  /// What the clicks show.
  struct Finding: Equatable {
    /// Samples by which the output is late, in its middle value.
    let delay: Int
    /// Largest difference of a click from that, in samples.
    let spread: Int
  }

  /// Milliseconds that a click may lie from its place before that is told as a degradation, and at most.
  static let (doubtfulSpread, greatestSpread) = (40.0, 100.0)
  /// Number of clicks.
  private static let clicks = 12
  /// Seconds from one click to the next, from the beginning to the first, and from the last to the end.
  private static let step = 0.5
  /// Share of a click's peak that counts as its beginning.
  private static let beginning: Float = 0.3
  /// Peak that a click has at least in the output.
  private static let audible: Float = 1e-3

  let format: AudioFormat
  let tempo: Tempo

  /// Sample at which click number `index` begins.
  private func place(_ index: Int) -> Int {
    Int(Double(index + 1) * TempoProbe.step * Double(format.sampleRate))
  }

  /// The signal: bursts of noise of 5 ms that die away, the same in all channels.
  var signal: AudioBuffer {
    let signal = AudioBuffer(channels: format.channels)
    signal.appendSilence(place(TempoProbe.clicks))
    let length = format.sampleRate / 200
    for channel in 0..<signal.channels {
      let plane = signal.channel(channel)
      var noise = ProbeNoise(seed: 12_345)
      for click in 0..<TempoProbe.clicks {
        for index in 0..<length {
          let decay = 1 - Float(index) / Float(length)
          plane[place(click) + index] = noise.next() * 0.5 * decay
        }
      }
    }
    return signal
  }

  /// Where the clicks lie in `output`; `nil` where one isn't found. Silence of `lead` samples went into the tap before
  /// the signal.
  func finding(_ output: [[Float]], lead: Int) -> Finding? {
    let length = output.map(\.count).min() ?? 0
    // Clicks are looked for on both sides of their places, as far as no other one lies there.
    let reach = Int(0.4 * TempoProbe.step / tempo.factor * Double(format.sampleRate))
    var delays: [Int] = []
    for click in 0..<TempoProbe.clicks {
      let expected = Int(tempo.frames(Int64(place(click))))
      let centre = Int(tempo.frames(Int64(place(click) + lead)))
      let range = max(0, centre - reach)..<min(length, centre + reach)
      guard !range.isEmpty else { return nil }
      let peaks = range.map { index in output.reduce(0) { max($0, $1[index].magnitude) } }
      let peak = peaks.max() ?? 0
      guard peak > TempoProbe.audible,
        let first = peaks.firstIndex(where: { $0 > peak * TempoProbe.beginning })
      else { return nil }
      delays.append(range.lowerBound + first - expected)
    }
    delays.sort()
    let middle = delays[delays.count / 2]
    return Finding(
      delay: middle, spread: delays.map { abs($0 - middle) }.max() ?? 0)
  }
}
