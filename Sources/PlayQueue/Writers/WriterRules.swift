// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The limits of a format, and the refusals of everything that it can't hold.
struct WriterRules {
  /// Bytes of a text, below what readers accept in one line.
  private static let mostTextBytes = 60_000

  let format: QueueFormat
  /// The keys of items that it has a place for.
  let keys: Set<ItemDraft.Key>
  var itemTags: Set<QueueTag> = []
  var queueTags: Set<QueueTag> = []

  /// The fault that the format can't hold something; `why` is `nil` when it has no place for the key.
  func fault(_ why: String? = nil, item: Int?, key: String) -> QueueFault {
    QueueFault(.unwritable(format, why: why), item: item, key: key)
  }

  /// Refuses keys and tags that the format has no place for.
  func check(_ queue: PlayQueue) throws(QueueFault) {
    if let key = queue.usedKeys.first { throw fault(item: nil, key: key) }
    try check(queue.tags, queueTags, nil)
    for (index, item) in queue.items.enumerated() {
      for key in item.usedKeys where !keys.contains(key) {
        throw fault(item: index + 1, key: key.rawValue)
      }
      try check(item.tags, itemTags, index + 1)
    }
  }

  private func check(
    _ tags: [String: String], _ allowed: Set<QueueTag>, _ item: Int?
  ) throws(QueueFault) {
    let names = Set(allowed.map(\.rawValue))
    // Sorted, so that of two faults always the same one is told.
    for (name, text) in tags.sorted(by: { $0.key < $1.key }) {
      guard names.contains(name) else { throw fault(item: item, key: name) }
      _ = try line(text, item: item, key: name)
    }
  }

  /// A text that stands on one line, with nothing at its ends that a reader would cut off.
  func line(_ text: String, item: Int?, key: String) throws(QueueFault) -> String {
    let scalars = text.unicodeScalars
    let isPlain = scalars.allSatisfy {
      $0.properties.generalCategory != .control && $0.value & 0xFFFE != 0xFFFE
    }
    guard isPlain, text.utf8.count <= WriterRules.mostTextBytes,
      scalars.first != " ", scalars.last != " "
    else {
      throw fault(
        "this text isn't one plain line without blanks at its ends", item: item, key: key)
    }
    return text
  }

  /// The item's title, `nil` without one.
  func title(_ item: QueueItem, number: Int) throws(QueueFault) -> String? {
    guard let title = ReadQueue.text(item.title) else { return nil }
    return try line(title, item: number, key: "title")
  }

  /// A path below the list's folder that readers leave as it is.
  func path(_ path: String, item: Int) throws(QueueFault) -> String {
    let isInside = path.parts(at: "/").allSatisfy { !["", ".", ".."].contains($0) }
    let isPlain = path.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0.value != 0x7F && $0 != "\\"
    }
    guard isInside, isPlain, path.utf8.count <= WriterRules.mostTextBytes / 3 else {
      throw fault("the file has to lie in the list's folder or below", item: item, key: "file")
    }
    guard format == .queue || format == .cue || !NameSearch.isList(path) else {
      throw fault("lists inside lists aren't followed", item: item, key: "file")
    }
    return path
  }

  /// An exact time.
  func time(_ time: TimeSpec, item: Int, key: ItemDraft.Key) throws(QueueFault) -> MediaTime {
    switch time {
    case .clock(let time) where time.ticks >= 0: return time
    case .samples(0): return MediaTime(ticks: 0, rate: 1)
    case .samples, .clock:
      throw fault(
        "samples count at a rate that \(format.words) doesn't know", item: item, key: key.rawValue)
    }
  }
}

extension QueueFormat {
  /// The format in a sentence.
  var words: String {
    switch self {
    case .queue: return "a queue file"
    case .cue: return "a cue sheet"
    case .m3u: return "an M3U list"
    case .xspf: return "an XSPF playlist"
    case .pls: return "a PLS list"
    case .otio: return "a timeline of OpenTimelineIO"
    }
  }
}

extension PlayQueue {
  /// The keys of the queue that say something, without tags and items.
  fileprivate var usedKeys: [String] {
    var keys: [String] = []
    if rate != nil { keys.append("rate") }
    if layout != nil { keys.append("layout") }
    switch transition {
    case .cut: break
    case .crossfade: keys.append("crossfade")
    case .gap: keys.append("gap")
    }
    if loudness != .programme { keys.append("loudness") }
    if pinnedGain != nil { keys.append("gain") }
    if chapters != .items { keys.append("chapters") }
    return keys
  }
}

extension QueueItem {
  /// The keys that say something, without tags.
  fileprivate var usedKeys: [ItemDraft.Key] {
    var keys: [ItemDraft.Key] = []
    switch source {
    case .silence: keys.append(.silence)
    case .file(_, let track, let range):
      if track != nil { keys.append(.track) }
      if !range.start.isZero { keys.append(.start) }
      if range.end != nil { keys.append(.end) }
    }
    if gain != 0 { keys.append(.gain) }
    if fadeIn != nil { keys.append(.fadeIn) }
    if fadeOut != nil { keys.append(.fadeOut) }
    if loudness != nil { keys.append(.loudness) }
    switch transition {
    case nil: break
    // Said of the item itself, it holds against a crossfade of the queue, which lists don't have.
    case .cut: break
    case .crossfade: keys.append(.crossfade)
    case .gap: keys.append(.gap)
    }
    if !taps.isEmpty { keys.append(.tap) }
    if title?.isEmpty == false { keys.append(.title) }
    if !markers.isEmpty { keys.append(.markers) }
    if isPart { keys.append(.part) }
    return keys
  }
}

/// Addresses and decimal numbers in lists.
enum WriterText {
  /// `path` so that it doesn't look like one on a drive of Windows.
  static func withoutDrive(_ path: String) -> String {
    path.utf8.dropFirst().first == UInt8(ascii: ":") ? "./" + path : path
  }

  /// `path` with percent-encoding of everything but letters and digits of ASCII, `-._~` and slashes.
  static func encoded(_ path: String) -> String {
    var text = ""
    for byte in withoutDrive(path).utf8 {
      let scalar = Unicode.Scalar(byte)
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || "0"..."9" ~= scalar)
      if isPlain || "-._~/".unicodeScalars.contains(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        text += "%" + byte.hexadecimal(2, uppercase: true)
      }
    }
    return text
  }

  /// Seconds in decimal; `nil` where they need more than nine digits behind the point, or ten in front.
  static func seconds(_ time: MediaTime) -> String? {
    var power: Int64 = 1
    for digits in 0...9 {
      let (product, isTooLong) = time.ticks.multipliedReportingOverflow(by: power)
      guard !isTooLong else { return nil }
      if product % time.rate == 0 { return decimal(product / time.rate, digits: digits) }
      power *= 10
    }
    return nil
  }

  /// `units` of a tenth, hundredth… by the number of `digits` behind the point.
  static func decimal(_ units: Int64, digits: Int) -> String? {
    let power = (0..<digits).reduce(Int64(1)) { product, _ in product * 10 }
    guard units >= 0, units / power < 1_000_000_000 else { return nil }
    return digits > 0 ? units.decimal(digits) : "\(units)"
  }
}
