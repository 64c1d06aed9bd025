import AudioCore

/// What is known of one filter of libavfilter that may be used.
///
/// Only what is listed may be used: a chain of filters can otherwise read and write files, open sockets and load code.
package struct FilterRule: Sendable {
  /// Its name.
  package let name: String
  /// The options that may be given.
  package let options: Set<String>
  /// Options without which it does nothing that a test could see, as text.
  package let example: String
  /// By how many samples a burst of noise is found later at 48 kHz with ``example``; `nil` where it isn't found.
  package let delay: Int?
  /// Whether it delays all frequencies alike, which is removed; others only turn phases.
  package let isDelaying: Bool
  /// Samples that it gives more than it gets, at 48 kHz with ``example``.
  package let tail: Int

  init(
    _ name: String, _ options: String, _ example: String = "", delay: Int? = 0, tail: Int = 0,
    isDelaying: Bool = false
  ) {
    self.name = name
    self.options = Set(options.split(separator: " ").map(String.init))
    self.example = example
    self.delay = delay
    self.isDelaying = isDelaying
    self.tail = tail
  }

  /// The rule for the filter `name`; `nil` for one that may not be used.
  package static func named(_ name: String) -> FilterRule? { byName[name] }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// Reasons why well-known filters may not be used.
  static let reasons: [String: String] = [
    "loudnorm": "the loudness is Pinna's own work", "volumedetect": "pinna measure does it",
    "ebur128": "pinna measure does it", "astats": "pinna measure does it",
    "aresample": "-r chooses the rate", "asetrate": "-r chooses the rate",
    "atempo": "it has no exact length", "atrim": "--start and --end choose the range",
    "adelay": "it moves the sound against its pictures",
    "compensationdelay": "it moves the sound against its pictures",
    "areverse": "it holds the whole programme in memory",
    "aloop": "it holds the programme in memory",
    "pan": "--layout chooses the channels", "channelmap": "--layout chooses the channels",
    "aformat": "-r, -b and --layout choose the format", "ametadata": "it writes files",
    "asendcmd": "it reads files", "amovie": "it reads files", "arnndn": "it reads files",
    "sofalizer": "it reads files; --hrtf takes them", "headphone": "--endpoint headphones does it",
    "azmq": "it opens sockets", "ladspa": "it loads code", "lv2": "it loads code",
    "dialoguenhance": "it changes the channels", "surround": "it changes the channels",
  ]

  /// Makes sure that `filter` may be used.
  /// - Throws: ``MediaError`` of kind `usage`.
  static func check(_ filter: FilterRequest.Filter) throws {
    guard let rule = named(filter.name) else {
      let reason = reasons[filter.name] ?? "only filters that were tried are used"
      throw MediaError(
        .usage,
        "the filter \(filter.name) may not be used: \(reason); pinna taps list names those that may"
      )
    }
    for option in filter.options {
      guard rule.options.contains(option.name) else {
        throw MediaError(
          .usage,
          "the filter \(filter.name) doesn't take the option \(option.name) here; it takes "
            + rule.options.sorted().joined(separator: ", "))
      }
      // Expressions may call random(), which is seeded by the time, and change over time.
      guard !option.value.contains("random"), !option.value.contains("ld(") else {
        throw MediaError(
          .usage,
          "the filter \(filter.name): \(option.name)=\(option.value) isn't the same in every run")
      }
    }
  }
}
