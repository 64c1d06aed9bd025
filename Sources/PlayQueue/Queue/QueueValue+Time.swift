import AudioCore

extension QueueValue {
  private enum TimeKey: String, CaseIterable {
    case samples, rate
  }

  /// A time: `12.5s`, `48:10.250`, `48000S`, or the mapping of `samples` and `rate`.
  func time() throws(QueueFault) -> TimeSpec {
    let failure = fault("hh:mm:ss.mmm, 12.5s, 48000S, or {samples: 48000, rate: 48000}")
    switch node {
    case .scalar(let text, _):
      guard let time = try? TimeSpec(text, option: key) else { throw failure }
      return time
    case .list: throw failure
    case .map:
      var samples: Int?
      var rate: Int?
      for (key, value) in try entries(TimeKey.self) {
        switch key {
        case .samples: samples = try value.integer(0...(1 << 48))
        case .rate: rate = try value.integer(1...1_000_000_000)
        }
      }
      guard let samples, let rate else { throw failure }
      return .clock(MediaTime(ticks: Int64(samples), rate: Int64(rate)))
    }
  }
}

extension TimeSpec {
  /// Whether it is no time at all.
  var isZero: Bool {
    switch self {
    case .samples(let count): return count == 0
    case .clock(let time): return time.ticks == 0
    }
  }
}
