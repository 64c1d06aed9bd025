// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Writes queue files in YAML.
struct QueueFileText {
  private static let rules = WriterRules(format: .queue, keys: Set(ItemDraft.Key.allCases))

  private var lines = ["schema: \(PlayQueue.schema)"]
  /// Number of the item that is written; `nil` for the queue.
  private var number: Int?
  private var indent = ""

  /// The text of `queue`, which has been validated.
  /// - Throws: ``QueueFault`` for values that a queue file doesn't accept.
  static func text(of queue: PlayQueue) throws(QueueFault) -> String {
    var text = QueueFileText()
    try text.write(queue)
    return text.lines.joined(separator: "\n") + "\n"
  }

  private mutating func write(_ queue: PlayQueue) throws(QueueFault) {
    if let rate = queue.rate {
      guard (1...10_000_000).contains(rate) else { throw fault("rate", "1…10000000 Hz") }
      put("rate", "\(rate)")
    }
    if let layout = queue.layout { try put("layout", quoting: layout) }
    try put(queue.transition)
    if queue.loudness != .programme { put("loudness", queue.loudness.rawValue) }
    if let gain = queue.pinnedGain { try put("gain", gain, -120...40, "dB") }
    if queue.chapters != .items { put("chapters", queue.chapters.rawValue) }
    try put(queue.tags)
    lines.append("items:")
    for (index, item) in queue.items.enumerated() {
      number = index + 1
      let first = lines.count
      indent = "    "
      try write(item)
      lines[first] = "  - " + lines[first].dropFirst(4)
    }
  }

  private mutating func write(_ item: QueueItem) throws(QueueFault) {
    switch item.source {
    case .silence(let length): try put("silence", length)
    case .file(let path, let track, let range):
      try put("file", quoting: path)
      if let track {
        guard (0...Int(Int32.max)).contains(track) else { throw fault("track", "0 or more") }
        put("track", "\(track)")
      }
      if range.start != .samples(0) { try put("start", range.start) }
      if let end = range.end { try put("end", end) }
    }
    if item.gain != 0 { try put("gain", item.gain, -120...40, "dB") }
    try put(item.fadeIn, "fade-in")
    try put(item.fadeOut, "fade-out")
    if let loudness = item.loudness { try put("loudness", loudness, -70...0, "LUFS") }
    // The queue's own transition has no cut, but an item's overrides the queue's.
    if item.transition == .cut { put("crossfade", "0s") }
    if let transition = item.transition { try put(transition) }
    try put(taps: item.taps)
    if let title = ReadQueue.text(item.title) { try put("title", quoting: title) }
    try put(item.markers)
    if item.isPart { put("part", "true") }
    try put(item.tags)
  }

  private func fault(_ key: String, _ expected: String) -> QueueFault {
    QueueFault(.badValue(expected: expected), item: number, key: key)
  }

  // MARK: Values

  private mutating func put(_ key: String, _ value: String) {
    lines.append("\(indent)\(key): \(value)")
  }

  private mutating func put(_ key: String, quoting text: String) throws(QueueFault) {
    guard QueueFileText.isReadable(text) else { throw fault(key, QueueFileText.readable) }
    put(key, QueueFileText.quoted(text))
  }

  private static let readable = "a text without the character 0 that begins with no byte order mark"

  /// Whether readers of YAML give the text back: many take the character of a byte order mark away at its beginning,
  /// however it is written.
  private static func isReadable(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    return !scalars.isEmpty && scalars.first != "\u{FEFF}" && !scalars.contains("\0")
  }

  private mutating func put(
    _ key: String, _ value: Double, _ range: ClosedRange<Double>, _ unit: String
  ) throws(QueueFault) {
    guard range.contains(value) else {
      throw fault(key, "a number of \(range.lowerBound)…\(range.upperBound) \(unit)")
    }
    put(key, "\(value) \(unit)")
  }

  private mutating func put(_ key: String, _ time: TimeSpec) throws(QueueFault) {
    guard let text = QueueFileText.text(of: time) else {
      throw QueueFileText.rules.fault(
        "the time has more digits than a queue file accepts", item: number, key: key)
    }
    put(key, text)
  }

  private mutating func put(_ transition: Transition) throws(QueueFault) {
    switch transition {
    case .cut: break
    case .gap(let length): try put("gap", length)
    case .crossfade(let length, let curve):
      try put("crossfade", length)
      if curve != .equalPower { put("curve", curve.rawValue) }
    }
  }

  private mutating func put(_ fade: Fade?, _ key: String) throws(QueueFault) {
    guard let fade else { return }
    try put(key, fade.length)
    if fade.curve != .equalPower { put(key + "-curve", fade.curve.rawValue) }
  }

  private mutating func put(_ tags: [String: String]) throws(QueueFault) {
    guard !tags.isEmpty else { return }
    lines.append("\(indent)tags:")
    let outer = indent
    indent += "  "
    defer { indent = outer }
    for (name, value) in tags.sorted(by: { $0.key < $1.key }) { try put(name, quoting: value) }
  }

  private mutating func put(taps: [String]) throws(QueueFault) {
    guard !taps.isEmpty else { return }
    lines.append("\(indent)tap:")
    for tap in taps {
      guard QueueFileText.isReadable(tap) else { throw fault("tap", QueueFileText.readable) }
      lines.append("\(indent)  - \(QueueFileText.quoted(tap))")
    }
  }

  private mutating func put(_ markers: [QueueMarker]) throws(QueueFault) {
    guard !markers.isEmpty else { return }
    lines.append("\(indent)markers:")
    let outer = indent
    defer { indent = outer }
    for marker in markers {
      indent = outer + "  - "
      try put("at", marker.at)
      indent = outer + "    "
      try put("title", quoting: marker.title)
    }
  }

  /// A time with all that it says; `nil` where a queue file doesn't accept it.
  private static func text(of time: TimeSpec) -> String? {
    switch time {
    case .samples(let count): return (0..<(1 << 48)).contains(count) ? "\(count)S" : nil
    case .clock(let time):
      var (power, digits) = (Int64(1), 0)
      while power < time.rate, digits < 9 { (power, digits) = (power * 10, digits + 1) }
      // Decimals keep the rate as well where it is a power of ten.
      if power == time.rate, let text = WriterText.decimal(time.ticks, digits: digits) {
        return text + "s"
      }
      guard (0...(1 << 48)).contains(time.ticks), time.rate <= 1_000_000_000 else { return nil }
      return "{samples: \(time.ticks), rate: \(time.rate)}"
    }
  }

  /// A text in double quotes of YAML, of which JSON's are a part (YAML 1.2, 5.7 and 7.3.1).
  private static func quoted(_ text: String) -> String {
    JSONText.quoted(text) { scalar in
      switch scalar {
      case "\u{0}"..<" ", "\u{7F}"..."\u{A0}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}",
        "\u{FFFF}":
        JSONText.escape(scalar)
      default: nil
      }
    }
  }
}
