/// A linear gain that goes from one value to another during a fade.
struct GainLine: Equatable {
  private(set) var from: Double
  private(set) var to: Double
  private(set) var fade: Fade

  /// A constant gain.
  init(_ gain: Double) { (from, to, fade) = (gain, gain, .done) }

  /// A gain that goes from `from` to `to` during `fade`.
  init(from: Double, to: Double, _ fade: Fade) {
    (self.from, self.to, self.fade) = (from, to, fade)
  }

  /// The gain at sample `time`.
  func value(at time: Double) -> Double {
    let part = fade.part(at: time)
    return part >= 1 ? to : from + (to - from) * part
  }

  /// Goes from the gain at sample `time` to `target` during `fade`.
  mutating func turn(to target: Double, at time: Double, _ fade: Fade) {
    self = GainLine(from: value(at: time), to: target, fade)
  }

  /// Whether the gain is 0 from sample `time` on.
  func isZero(from time: Double) -> Bool {
    to == 0 && (from == 0 || fade.part(at: time) >= 1)
  }

  /// Adds `count` samples from `source` to `target`, each times the gain at its time; the first one
  /// is sample `time`. Each gain depends on its sample's number only.
  func add(
    _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int, time: Int
  ) {
    guard !isZero(from: Double(time)) else { return }
    let first = fade.part(at: Double(time))
    if first >= 1 || from == to {
      let gain = Float(to)
      for index in 0..<count { target[index] += gain * source[index] }
      return
    }
    let (start, scale, base, way) = (fade.start, 1 / fade.length, from, to - from)
    for index in 0..<count {
      let part = min(1, max(0, (Double(time + index) - start) * scale))
      target[index] += Float(base + way * part) * source[index]
    }
  }
}
