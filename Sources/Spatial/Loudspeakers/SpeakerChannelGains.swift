// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Works out which loudspeakers of a layout play a channel that was made for one (ITU-R BS.2127-1, 8).
///
/// In order: the rules for common packs; a loudspeaker of the label's name; the loudspeaker within the bounds
/// of the position; a panner at the position. An LFE goes to an LFE or nowhere.
struct SpeakerChannelGains {
  private static let tolerance = 1e-5

  private let layout: LoudspeakerLayout
  private let names: Set<String>
  private let sphere: PointSourcePanner
  private let room: AllocentricPanner

  /// Gains for `layout`.
  init(_ layout: LoudspeakerLayout) {
    self.layout = layout
    names = Set(layout.speakers.map(\.name))
    sphere = PointSourcePanner(layout)
    room = AllocentricPanner(layout.mainSpeakers.map(\.corner))
  }

  /// Gains of all loudspeakers for `channel` with its nominal `position`.
  func gains(of channel: SpeakerChannel, at position: ObjectPosition) -> [Double] {
    if let rule = ruleGains(channel) { return rule }
    let labels = channel.labels.map { SpeakerRules.shared.name(of: $0) }
    for label in labels {
      if let index = index(of: label), layout.speakers[index].isLFE == channel.isLFE {
        return single(index)
      }
    }
    if let index = nearest(to: channel, position) { return single(index) }
    if channel.isLFE { return index(of: "LFE1").map(single) ?? silence }
    return panned(position)
  }

  private var silence: [Double] { [Double](repeating: 0, count: layout.speakers.count) }

  private func index(of name: String) -> Int? {
    layout.speakers.firstIndex { $0.name == name }
  }

  private func single(_ index: Int) -> [Double] {
    var gains = silence
    gains[index] = 1
    return gains
  }

  private func ruleGains(_ channel: SpeakerChannel) -> [Double]? {
    guard let pack = channel.pack, let label = channel.labels.first,
      let rule = SpeakerRules.shared.gains(
        of: SpeakerRules.shared.name(of: label), pack: pack, layout: layout.name, speakers: names)
    else { return nil }
    var gains = silence
    for (name, gain) in rule {
      if let index = index(of: name) { gains[index] = gain }
    }
    return gains
  }

  /// The loudspeaker of the channel's kind within its bounds that is nearest to the position; `nil` when
  /// there is none or several are equally near.
  private func nearest(to channel: SpeakerChannel, _ position: ObjectPosition) -> Int? {
    let (point, isCartesian) = SpeakerChannelGains.point(position)
    let near = layout.speakers.indices.filter {
      let speaker = layout.speakers[$0]
      return speaker.isLFE == channel.isLFE
        && SpeakerChannelGains.isWithin(channel, position, speaker)
    }
    let distances = near.map { index in
      let speaker = layout.speakers[index]
      return RoomGeometry.length((isCartesian ? speaker.corner : speaker.place) - point)
    }
    guard let least = distances.min() else { return nil }
    let best = zip(near, distances).filter { $0.1 < least + SpeakerChannelGains.tolerance }
    return best.count == 1 ? best.first?.0 : nil
  }

  private func panned(_ position: ObjectPosition) -> [Double] {
    let (point, isCartesian) = SpeakerChannelGains.point(position)
    let shape = isCartesian ? room.gains(point) : sphere.gains(point)
    var gains = silence
    for (main, index) in layout.mains.enumerated() where shape[main].isFinite {
      gains[index] = shape[main]
    }
    return gains
  }

  private static func point(_ position: ObjectPosition) -> (SIMD3<Double>, isCartesian: Bool) {
    switch position {
    case .polar(let direction, let distance):
      let point = RoomGeometry.point(
        azimuth: direction.azimuth, elevation: direction.elevation, distance: distance)
      return (point, false)
    case .cartesian(let x, let y, let z): return (SIMD3(x, y, z), true)
    }
  }

  /// Whether a loudspeaker stands within the channel's bounds. A bound that isn't stated is the position.
  private static func isWithin(
    _ channel: SpeakerChannel, _ position: ObjectPosition, _ speaker: Loudspeaker
  ) -> Bool {
    let (least, greatest) = (channel.least, channel.greatest)
    func lies(_ value: Double, _ from: Double?, _ to: Double?, or own: Double) -> Bool {
      (from ?? own) - tolerance < value && value < (to ?? own) + tolerance
    }
    switch position {
    case .polar(let direction, let distance):
      let isPole = speaker.direction.elevation.magnitude > 90 - tolerance
      let isInTurn = RoomGeometry.contains(
        speaker.direction.azimuth, from: least.first ?? direction.azimuth,
        to: greatest.first ?? direction.azimuth, tolerance: tolerance)
      return (isPole || isInTurn)
        && lies(
          speaker.direction.elevation, least.second, greatest.second, or: direction.elevation)
        && lies(1, least.third, greatest.third, or: distance)
    case .cartesian(let x, let y, let z):
      let corner = speaker.corner
      return lies(corner.x, least.first, greatest.first, or: x)
        && lies(corner.y, least.second, greatest.second, or: y)
        && lies(corner.z, least.third, greatest.third, or: z)
    }
  }
}

/// The rules by which channels of common packs go to other layouts (ITU-R BS.2127-1, 8).
struct SpeakerRules: Sendable {
  private struct Rule: Sendable {
    let label: String
    /// Layouts of the channel's pack; `nil` for any.
    let inputs: Set<String>?
    /// Layouts of the output; `nil` for any.
    let outputs: Set<String>?
    let gains: [(label: String, gain: Double)]
  }

  /// The rules of the table.
  static let shared = SpeakerRules()

  private let layoutOfPack: [String: String]
  private let aliases: [String: String]
  private let rules: [String: [Rule]]

  private init() {
    layoutOfPack = SpeakerRules.pairs(ChannelRules.packs)
    aliases = SpeakerRules.pairs(ChannelRules.aliases)
    let rules = SpeakerRules.lines(ChannelRules.rules).map { words in
      Rule(
        label: words[0], inputs: SpeakerRules.names(words[1]),
        outputs: SpeakerRules.names(words[2]), gains: SpeakerRules.gains(words.dropFirst(3)))
    }
    self.rules = Dictionary(grouping: rules, by: \.label)
  }

  /// Common packs of a layout, e.g. `AP_00010017`, in order.
  func packs(of layout: String) -> [String] {
    layoutOfPack.filter { $0.value == layout }.map(\.key).sorted()
  }

  /// The name in ITU-R BS.2051 that a label means: without the prefix of its URN, by today's name.
  func name(of label: String) -> String {
    let plain =
      label.hasPrefix("urn:itu:bs:2051:")
      ? label.split(separator: ":").last.map(String.init) ?? label : label
    return aliases[plain] ?? plain
  }

  /// Gains by loudspeaker of a channel with the label `name` in a common pack, in an output of `speakers`;
  /// `nil` where no rule fits.
  func gains(of name: String, pack: String, layout: String, speakers: Set<String>)
    -> [(label: String, gain: Double)]?
  {
    guard let input = layoutOfPack[pack.uppercased()] else { return nil }
    let rule = rules[name]?.first { rule in
      rule.inputs?.contains(input) != false && rule.outputs?.contains(layout) != false
        && rule.gains.allSatisfy { speakers.contains($0.label) }
    }
    return rule?.gains
  }

  private static func lines(_ text: String) -> [[String]] {
    text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
  }

  private static func pairs(_ text: String) -> [String: String] {
    Dictionary(lines(text).map { ($0[0], $0[1]) }) { first, _ in first }
  }

  private static func names(_ word: String) -> Set<String>? {
    word == "*" ? nil : Set(word.split(separator: ",").map(String.init))
  }

  private static func gains(_ words: ArraySlice<String>) -> [(label: String, gain: Double)] {
    stride(from: words.startIndex, to: words.endIndex - 1, by: 2).map {
      (words[$0], Double(words[$0 + 1]) ?? 0)
    }
  }
}
