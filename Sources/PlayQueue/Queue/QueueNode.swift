// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The tree of a queue file, whatever it was written in: words, lists and mappings with their lines.
package indirect enum QueueNode: Sendable, Equatable {
  /// A key and what it stands for.
  package struct Entry: Sendable, Equatable {
    package let key: String
    /// Line of the key, from 1; `nil` where it isn't known.
    package let line: Int?
    package let value: QueueNode

    /// The entry `key` with `value`.
    package init(_ key: String, _ value: QueueNode, line: Int? = nil) {
      self.key = key
      self.value = value
      self.line = line
    }
  }

  /// A word, number or text as it is written; the empty text is nothing, as `null` is.
  case scalar(String, line: Int? = nil)
  case list([QueueNode], line: Int? = nil)
  /// A mapping in its order.
  case map([Entry], line: Int? = nil)

  /// The line it begins on.
  package var line: Int? {
    switch self {
    case .scalar(_, let line), .list(_, let line), .map(_, let line): return line
    }
  }

  /// Whether it is the empty text, which unsets a key.
  var isNothing: Bool {
    if case .scalar("", _) = self { return true }
    return false
  }
}

/// One value on its way into a queue: the node, and what a fault about it names.
struct QueueValue {
  let node: QueueNode
  let item: Int?
  let key: String

  /// The fault that something else is expected here.
  func fault(_ expected: String) -> QueueFault {
    QueueFault(.badValue(expected: expected), item: item, key: key, line: node.line)
  }

  func text() throws(QueueFault) -> String {
    guard case .scalar(let text, _) = node, !text.isEmpty else { throw fault("a text") }
    return text
  }

  /// One text, or a list of texts.
  func texts() throws(QueueFault) -> [String] {
    guard case .list(let nodes, _) = node else { return [try text()] }
    guard !nodes.isEmpty else { throw fault("a text or a list of texts") }
    var texts: [String] = []
    for node in nodes { texts.append(try QueueValue(node: node, item: item, key: key).text()) }
    return texts
  }

  /// A finite number within `range`, with or without `unit` behind it.
  func number(_ range: ClosedRange<Double>, unit: String) throws(QueueFault) -> Double {
    let expected = "a number of \(range.lowerBound)…\(range.upperBound) \(unit)"
    guard case .scalar(let text, _) = node else { throw fault(expected) }
    var plain = Substring(text)
    if plain.lowercased().hasSuffix(unit.lowercased()) { plain = plain.dropLast(unit.count) }
    while plain.last == " " { plain.removeLast() }
    guard let number = Double(plain), range.contains(number) else { throw fault(expected) }
    return number
  }

  func integer(_ range: ClosedRange<Int>) throws(QueueFault) -> Int {
    guard case .scalar(let text, _) = node, let number = Int(text), range.contains(number) else {
      throw fault("a whole number of \(range.lowerBound)…\(range.upperBound)")
    }
    return number
  }

  func flag() throws(QueueFault) -> Bool {
    switch node {
    case .scalar("true", _): return true
    case .scalar("false", _): return false
    default: throw fault("true or false")
    }
  }

  func word<Word: RawRepresentable & CaseIterable>(
    _: Word.Type
  ) throws(QueueFault) -> Word where Word.RawValue == String {
    if case .scalar(let text, _) = node, let word = Word(rawValue: text) { return word }
    throw fault("one of " + Word.allCases.map(\.rawValue).joined(separator: ", "))
  }

  /// The mapping's values by the keys of `Key`.
  func entries<Key: RawRepresentable & CaseIterable & Hashable>(
    _: Key.Type
  ) throws(QueueFault) -> [(Key, QueueValue)] where Key.RawValue == String {
    let allowed = Key.allCases.map(\.rawValue)
    guard case .map(let entries, _) = node else {
      throw fault("a mapping with keys of " + allowed.joined(separator: ", "))
    }
    var found: [(Key, QueueValue)] = []
    var seen: Set<Key> = []
    for entry in entries {
      guard let key = Key(rawValue: entry.key) else {
        throw QueueFault(
          .unknownKey(allowed: allowed), item: item, key: entry.key, line: entry.line)
      }
      guard seen.insert(key).inserted else {
        throw QueueFault(
          .contradiction("two values of one key"), item: item, key: entry.key, line: entry.line)
      }
      found.append((key, QueueValue(node: entry.value, item: item, key: entry.key)))
    }
    return found
  }
}

extension QueueValue {
  private enum TimeKey: String, CaseIterable {
    case samples, rate
  }

  /// A time: `12.5s`, `48:10.250`, `48000S`, or the mapping of `samples` and `rate`.
  func time() throws(QueueFault) -> TimeSpec {
    let failure = fault("hh:mm:ss.mmm, 12.5s, 48000S, or {samples: 48000, rate: 48000}")
    switch node {
    case .scalar(let text, _):
      guard let time = try? TimeSpec(text, option: key) else { throw failure }
      return time
    case .list: throw failure
    case .map:
      var samples: Int?
      var rate: Int?
      for (key, value) in try entries(TimeKey.self) {
        switch key {
        case .samples: samples = try value.integer(0...(1 << 48))
        case .rate: rate = try value.integer(1...1_000_000_000)
        }
      }
      guard let samples, let rate else { throw failure }
      return .clock(MediaTime(ticks: Int64(samples), rate: Int64(rate)))
    }
  }
}

extension TimeSpec {
  /// Whether it is no time at all.
  var isZero: Bool {
    switch self {
    case .samples(let count): return count == 0
    case .clock(let time): return time.ticks == 0
    }
  }
}
