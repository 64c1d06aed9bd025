// SPDX-License-Identifier: Apache-2.0
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

/// The destinations of a channel whose place isn't in the target layout.
///
/// Places are labels of ITU-R BS.2051. A place's rules are tried in order, and the first one whose
/// destinations all exist applies. If none fits, the last one applies and its destinations are
/// looked up in turn.
struct DownmixRule: Sendable {
  /// A place in the target and the share of the channel's power that it gets.
  typealias Share = (place: String, power: Double)

  /// The channel's place.
  let place: String
  /// The channel's destinations.
  let shares: [Share]
  /// Applies to 22.2 programmes only.
  let onlyFrom22: Bool

  private init(_ place: String, _ shares: [Share], onlyFrom22: Bool = false) {
    self.place = place
    self.shares = shares
    self.onlyFrom22 = onlyFrom22
  }

  /// The rules of a place, mirrored for the right side.
  static func rules(for place: String, from22: Bool) -> [DownmixRule] {
    let left = place.contains("-") ? mirrored(place) : place
    let found = table.filter { $0.place == left && (from22 || !$0.onlyFrom22) }
    guard left != place else { return found }
    return found.map { rule in
      DownmixRule(place, rule.shares.map { (mirrored($0.place), $0.power) })
    }
  }

  private static func mirrored(_ place: String) -> String {
    if place.hasSuffix("000") || place.hasSuffix("180") { return place }
    return String(place.map { $0 == "+" ? "-" : ($0 == "-" ? "+" : $0) })
  }

  /// M±030 to M+000, M+000 and M±110 to fewer channels: ITU-R BS.775-3, Annex 4, Table 2, which
  /// has no more than five channels. The others: the channel mapping of ITU-R BS.2127, clause 8
  /// (DirectSpeakers), which agrees with it where both have a rule. Neither of them has M±015,
  /// which is panned by angle at constant power.
  private static let table: [DownmixRule] = ear + heights

  private static let ear: [DownmixRule] = [
    DownmixRule("M+000", [("M+030", 1 / 2), ("M-030", 1 / 2)]),
    DownmixRule("M+015", [("M+030", 1 / 2), ("M+000", 1 / 2)]),
    DownmixRule("M+015", [("M+030", 0.853_553_390_593_273_8), ("M-030", 0.146_446_609_406_726_2)]),
    DownmixRule("M+030", [("M+000", 1 / 2)]),
    DownmixRule("M+060", [("M+030", 2 / 3), ("M+110", 1 / 3)]),
    DownmixRule("M+060", [("M+030", 1 / 2), ("M+090", 1 / 2)]),
    DownmixRule("M+060", [("M+030", 1)]),
    DownmixRule("M+090", [("M+030", 1 / 3), ("M+110", 2 / 3)], onlyFrom22: true),
    DownmixRule("M+090", [("M+030", 1 / 2), ("M+110", 1 / 2)]),
    DownmixRule("M+090", [("M+030", 1 / 2)]),
    DownmixRule("M+110", [("M+135", 1)]),
    DownmixRule("M+110", [("M+180", 1 / 2)]),
    DownmixRule("M+110", [("M+030", 1 / 2)]),
    DownmixRule("M+135", [("M+110", 1)]),
    DownmixRule("M+135", [("M+180", 1 / 2)]),
    DownmixRule("M+135", [("M+030", 1 / 2)]),
    DownmixRule("M+180", [("M+135", 1 / 2), ("M-135", 1 / 2)]),
    DownmixRule("M+180", [("M+110", 1 / 2), ("M-110", 1 / 2)]),
    DownmixRule("M+180", [("M+030", 1 / 4), ("M-030", 1 / 4)]),
    DownmixRule("B+000", [("M+000", 1)]),
    DownmixRule("B+000", [("M+030", 1 / 2), ("M-030", 1 / 2)]),
    DownmixRule("B+045", [("M+030", 1)]),
  ]

  private static let heights: [DownmixRule] = [
    DownmixRule("U+000", [("U+030", 1 / 2), ("U-030", 1 / 2)]),
    DownmixRule("U+000", [("U+045", 1 / 2), ("U-045", 1 / 2)]),
    DownmixRule("U+000", [("M+000", 1)]),
    DownmixRule("U+000", [("M+030", 1 / 2), ("M-030", 1 / 2)]),
    DownmixRule("U+030", [("U+045", 1)]),
    DownmixRule("U+030", [("M+030", 1)]),
    DownmixRule("U+045", [("U+030", 1)]),
    DownmixRule("U+045", [("M+030", 1)]),
    DownmixRule("U+090", [("U+030", 1 / 2), ("U+110", 1 / 2)]),
    DownmixRule("U+090", [("U+045", 1 / 2), ("U+135", 1 / 2)]),
    DownmixRule("U+090", [("M+090", 1)]),
    DownmixRule("U+090", [("U+030", 1 / 2), ("M+110", 1 / 2)]),
    DownmixRule("U+090", [("M+030", 1 / 2), ("M+110", 1 / 2)]),
    DownmixRule("U+090", [("M+030", 1 / 2)]),
    DownmixRule("U+110", [("U+135", 1)]),
    DownmixRule("U+110", [("M+110", 1)]),
    DownmixRule("U+110", [("M+135", 1)]),
    DownmixRule("U+110", [("M+030", 1 / 2)]),
    DownmixRule("U+135", [("U+110", 1)]),
    DownmixRule("U+135", [("M+135", 1)]),
    DownmixRule("U+135", [("M+110", 1)]),
    DownmixRule("U+135", [("M+030", 1 / 2)]),
    DownmixRule("U+180", [("U+135", 1 / 2), ("U-135", 1 / 2)]),
    DownmixRule("U+180", [("U+110", 1 / 2), ("U-110", 1 / 2)]),
    DownmixRule("U+180", [("M+135", 1 / 2), ("M-135", 1 / 2)]),
    DownmixRule("U+180", [("M+110", 1 / 2), ("M-110", 1 / 2)]),
    DownmixRule("U+180", [("M+030", 1 / 4), ("M-030", 1 / 4)]),
    DownmixRule("T+000", [("U+045", 1 / 4), ("U-045", 1 / 4), ("U+135", 1 / 4), ("U-135", 1 / 4)]),
    DownmixRule("T+000", [("U+030", 1 / 4), ("U-030", 1 / 4), ("U+110", 1 / 4), ("U-110", 1 / 4)]),
    DownmixRule("T+000", [("U+045", 1 / 4), ("U-045", 1 / 4), ("M+135", 1 / 4), ("M-135", 1 / 4)]),
    DownmixRule("T+000", [("U+030", 1 / 4), ("U-030", 1 / 4), ("M+110", 1 / 4), ("M-110", 1 / 4)]),
    DownmixRule("T+000", [("M+030", 1 / 4), ("M-030", 1 / 4), ("M+135", 1 / 4), ("M-135", 1 / 4)]),
    DownmixRule("T+000", [("M+030", 1 / 4), ("M-030", 1 / 4), ("M+110", 1 / 4), ("M-110", 1 / 4)]),
    DownmixRule("T+000", [("M+030", 1 / 4), ("M-030", 1 / 4)]),
  ]
}
