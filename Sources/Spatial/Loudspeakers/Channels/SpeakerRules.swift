/// The rules by which channels of common packs go to other layouts (ITU-R BS.2127-1, 8).
struct SpeakerRules: Sendable {
  /// One rule.
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
