/// All windows of one length over the steps of a programme, and the best of them for each reason.
struct ExcerptWindows {
  private let steps: [ExcerptStep]
  private let length: Int
  /// Mean level of the steps that aren't silent, dBFS.
  private let usual: Double

  /// Windows of `length` steps.
  init(_ steps: [ExcerptStep], length: Int) {
    self.steps = steps
    self.length = max(1, length)
    let heard = steps.map(\.level).filter { $0 > ExcerptStep.silence + 20 }
    usual = heard.isEmpty ? ExcerptStep.silence : heard.reduce(0, +) / Double(heard.count)
  }

  /// Whether anything can be heard.
  var isAudible: Bool { usual > ExcerptStep.silence }

  /// The first step of the best window for each reason; no window overlaps another.
  func found() -> [(FoundExcerpt.Reason, Int)] {
    var found: [(FoundExcerpt.Reason, Int)] = []
    for (reason, scores) in [
      (FoundExcerpt.Reason.motion, motion()), (.dialogue, dialogue()), (.quiet, quiet()),
    ] {
      let free = scores.indices.filter { start in
        found.allSatisfy { abs($0.1 - start) >= length } && scores[start] > 0
      }
      guard let best = free.max(by: { scores[$0] < scores[$1] }) else { continue }
      found.append((reason, best))
    }
    return found
  }

  /// Motion counts by how loud it is.
  private func motion() -> [Double] {
    sums(steps.map { $0.motion * weight($0.level) })
  }

  /// What comes from the middle counts by how much it goes up and down, as syllables do.
  private func dialogue() -> [Double] {
    let shares = sums(steps.map { $0.middleShare * weight($0.middleLevel) })
    let changes = zip(steps.dropFirst(), steps).map { abs($0.middleLevel - $1.middleLevel) }
    let lively = sums([0] + changes.map { min($0, 12) })
    return zip(shares, lively).map { $0 * min(1, $1 / Double(length) / 3) }
  }

  /// The quieter, the better, as long as four fifths can be heard.
  private func quiet() -> [Double] {
    let floor = max(usual - 40, ExcerptStep.silence + 15)
    let heard = sums(steps.map { $0.level > floor ? 1 : 0 })
    let levels = sums(steps.map { max($0.level, floor) })
    return zip(heard, levels).map { heard, level in
      heard < 0.8 * Double(length) ? 0 : max(0, usual - level / Double(length))
    }
  }

  /// 0 for 30 dB below the usual level and less, 1 for 10 dB below it and more.
  private func weight(_ level: Double) -> Double { min(1, max(0, (level - usual + 30) / 20)) }

  /// The sum over each window; a programme shorter than one window has none.
  private func sums(_ figures: [Double]) -> [Double] {
    guard figures.count >= length else { return [] }
    var totals = [0.0]
    for figure in figures { totals.append(totals[totals.count - 1] + figure) }
    return (0...figures.count - length).map { totals[$0 + length] - totals[$0] }
  }
}
