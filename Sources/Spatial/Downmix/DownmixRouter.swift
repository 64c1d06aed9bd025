import AudioCore
import Platform

/// Finds where each channel of a source layout goes in a target layout.
struct DownmixRouter {
  private let source: ChannelLayout
  private let target: ChannelLayout
  private let lfeGainDB: Double?
  /// Target channel of each place that isn't LFE.
  private let places: [String: Int]
  private let from22: Bool

  /// A router between two layouts; `lfeGainDB` is that of ``DownmixOptions``.
  init(source: ChannelLayout, target: ChannelLayout, lfeGainDB: Double?) {
    self.source = source
    self.target = target
    self.lfeGainDB = lfeGainDB
    // Only 22.2 has both of these channels.
    from22 = source.speakers.contains(.bottomFrontCenter) && source.speakers.contains(.topCenter)
    var places: [String: Int] = [:]
    for (index, speaker) in target.speakers.enumerated() where !speaker.isLFE {
      let label = target.direction(at: index).label
      if places[label] == nil { places[label] = index }
    }
    self.places = places
  }

  /// Target channels and linear gains of the source channel at `input`; a target may repeat.
  /// - Throws: ``MediaError`` of kind `usage` when there is no way to the target.
  func gains(of input: Int) throws -> [(output: Int, gain: Double)] {
    let speaker = source.speakers[input]
    if speaker.isLFE { return bass(speaker) }
    let label = source.direction(at: input).label
    if let own = target.speakers.firstIndex(of: speaker), target.direction(at: own).label == label {
      return [(own, 1)]
    }
    guard let powers = resolve(label, depth: 0) else {
      throw MediaError(
        .usage,
        "\(target.name) has no place for \(speaker.name) of \(source.name): a mix needs front left"
          + " and right, or front centre")
    }
    return powers.map { ($0.output, $0.gain) }
  }

  /// Follows the rules of `place` until every destination is in the target; `nil` when that fails.
  /// A chain of more than four steps is a cycle, because no path through the table is longer.
  private func resolve(_ place: String, depth: Int) -> [(output: Int, gain: Double)]? {
    if let own = places[place] { return [(own, 1)] }
    let rules = DownmixRule.rules(for: place, from22: from22)
    guard depth < 4, let last = rules.last else { return nil }
    let fitting = rules.first { $0.shares.allSatisfy { places[$0.place] != nil } }
    var found: [(output: Int, gain: Double)] = []
    for share in (fitting ?? last).shares {
      guard let onward = resolve(share.place, depth: depth + 1) else { return nil }
      found += onward.map { ($0.output, $0.gain * share.power.squareRoot()) }
    }
    return found
  }

  private func bass(_ speaker: Speaker) -> [(output: Int, gain: Double)] {
    if let own = target.speakers.firstIndex(of: speaker), bassCount(target) >= bassCount(source) {
      return [(own, 1)]
    }
    if let other = target.speakers.firstIndex(where: \.isLFE) {
      return [(other, bassCount(source) > 1 ? 0.5.squareRoot() : 1)]
    }
    guard let lfeGainDB else { return [] }
    let fronts = ["M+030", "M-030"].compactMap { places[$0] }
    let outputs = fronts.isEmpty ? ["M+000"].compactMap { places[$0] } : fronts
    return outputs.map { ($0, pow(10, lfeGainDB / 20)) }
  }

  private func bassCount(_ layout: ChannelLayout) -> Int {
    layout.speakers.filter(\.isLFE).count
  }
}
