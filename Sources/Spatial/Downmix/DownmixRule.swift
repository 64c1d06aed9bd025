/// Where a channel goes when its place isn't in the target layout.
///
/// Places are labels of ITU-R BS.2051. A place's rules are tried in order, and the first one whose
/// destinations all exist applies. Where none fits, the last one applies and its destinations are
/// looked up in turn.
struct DownmixRule: Sendable {
  /// A place in the target and the share of the channel's power that it gets.
  typealias Share = (place: String, power: Double)

  /// The channel's place.
  let place: String
  /// Where it goes.
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
