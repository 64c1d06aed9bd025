// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal
import YAML

/// Turns nodes of a document into values. Scalars are taken as text, so that `off` stays a word.
struct ValueReader {
  /// The greatest whole number that is read: every one up to it is exact as a Double.
  private static let greatestWhole = Int64(1) << 53
  /// The greatest gain in dB; what is above is a mistake that would hurt.
  private static let greatestGain = 100.0

  /// Name of the file.
  let file: String
  /// Collects what was taken leniently.
  let log: DAMFLog

  /// The place of a node.
  func place(_ node: YAMLNode, _ keys: String) -> DAMFPlace {
    DAMFPlace(file, line: node.line, keys: keys)
  }

  /// The values of a mapping by their keys; of a repeated key the last one holds.
  func fields(_ node: YAMLNode, _ keys: String) throws(DAMFError) -> [(
    key: String, value: YAMLNode
  )] {
    guard case .mapping(let pairs, _) = node else {
      throw DAMFError(.form, "a mapping of keys to values is expected", at: place(node, keys))
    }
    var result: [(key: String, value: YAMLNode)] = []
    var places: [String: Int] = [:]
    for pair in pairs {
      let key = try self.key(pair.key, keys)
      if let index = places.updateValue(result.count, forKey: key) {
        places[key] = index
        noteRepeated(pair.key, key)
        result[index].value = pair.value
      } else {
        result.append((key, pair.value))
      }
    }
    return result
  }

  /// The word of a key.
  func key(_ node: YAMLNode, _ keys: String) throws(DAMFError) -> String {
    guard case .scalar(let name) = node else {
      throw DAMFError(.form, "a key has to be a word", at: place(node, keys))
    }
    return name.text
  }

  /// Notes that `key` stands once more.
  func noteRepeated(_ node: YAMLNode, _ key: String) {
    log.note(
      .duplicateKey, kind: key, at: place(node, key),
      "\(YAMLText.quoted(key)) stands more than once; the last one holds")
  }

  /// Notes a key that isn't known.
  func noteUnknown(_ node: YAMLNode, _ key: String) {
    log.note(
      .unknownKey, kind: key, at: place(node, ""),
      "the key \(YAMLText.quoted(key)) isn't known; its value isn't used")
  }

  /// Notes a property without effect.
  func noteUnused(_ node: YAMLNode, _ key: String) {
    log.note(.notUsed, kind: key, at: place(node, ""), "\(key) has no effect on what is rendered")
  }

  /// Whether nothing is stated.
  func isNothing(_ node: YAMLNode) -> Bool {
    if case .scalar(let scalar) = node { return scalar.isNothing }
    return false
  }

  /// The items of a list; none where nothing is stated.
  func list(_ node: YAMLNode, _ keys: String) throws(DAMFError) -> [YAMLNode] {
    if case .sequence(let nodes, _) = node { return nodes }
    guard isNothing(node) else {
      throw DAMFError(.form, "a list is expected", at: place(node, keys))
    }
    return []
  }

  /// The text of a scalar.
  func text(_ node: YAMLNode, _ keys: String) throws(DAMFError) -> String {
    guard case .scalar(let scalar) = node else {
      throw DAMFError(.form, "a word or number is expected, not a list", at: place(node, keys))
    }
    return scalar.text
  }

  /// A finite number.
  func number(_ node: YAMLNode, _ keys: String) throws(DAMFError) -> Double {
    var text = try self.text(node, keys)
    if let comma = text.firstIndex(of: ","), !text.contains(".") {
      text.replaceSubrange(comma...comma, with: ".")
      log.note(.comma, kind: keys, at: place(node, keys), "a comma is taken as the decimal point")
    }
    // Swift's reader takes hexadecimal digits and names of infinities, too.
    let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
    guard isPlain, let value = Double(text), value.isFinite else {
      throw DAMFError(
        .number, "\(YAMLText.quoted(text)) isn't a finite number; correct it",
        at: place(node, keys))
    }
    return value
  }

  /// A whole number.
  func whole(_ node: YAMLNode, _ keys: String) throws(DAMFError) -> Int64 {
    let value = try number(node, keys)
    guard let whole = Int64(exactly: value), abs(whole) <= ValueReader.greatestWhole else {
      throw DAMFError(
        .number, "\(value) isn't a whole number of at most 2^53; correct it",
        at: place(node, keys))
    }
    return whole
  }

  /// A number of samples, at least 0.
  func samples(_ node: YAMLNode, _ keys: String) throws(DAMFError) -> Int64 {
    let value = try whole(node, keys)
    guard value >= 0 else {
      throw DAMFError(
        .negativeTime, "\(value) samples lie before the beginning; correct it",
        at: place(node, keys))
    }
    return value
  }

  /// An ID, at least 0.
  func id(_ node: YAMLNode, _ keys: String) throws(DAMFError) -> Int {
    let value = try whole(node, keys)
    guard let id = Int32(exactly: value), id >= 0 else {
      throw DAMFError(
        .number, "\(value) can't be an ID; give one from 0 on", at: place(node, keys))
    }
    return Int(id)
  }

  /// Whether something is so: `true`, `false`, 1 or 0.
  func flag(_ node: YAMLNode, _ keys: String) throws(DAMFError) -> Bool {
    let text = try self.text(node, keys)
    switch text.lowercased() {
    case "true", "1", "1.0": return true
    case "false", "0", "0.0": return false
    default:
      throw DAMFError(
        .form, "\(YAMLText.quoted(text)) is neither true nor false", at: place(node, keys))
    }
  }

  /// The amplitude of a gain in dB, at least 0; the spellings of −∞ are silence.
  func amplitude(_ node: YAMLNode, _ keys: String) throws(DAMFError) -> Double {
    let text = try self.text(node, keys)
    if ["-inf", "-.inf", "-infinity"].contains(text.lowercased()) { return 0 }
    let gain = try number(node, keys)
    guard gain <= ValueReader.greatestGain else {
      throw DAMFError(
        .number, "a gain of \(gain) dB is above \(Int(ValueReader.greatestGain)) dB; correct it",
        at: place(node, keys))
    }
    return Decibels.amplitude(gain)
  }

  /// A number moved into `range`.
  func number(
    _ node: YAMLNode, in range: ClosedRange<Double>, _ keys: String
  ) throws(DAMFError) -> Double {
    let value = try number(node, keys)
    guard !range.contains(value) else { return value }
    log.note(
      .range, kind: keys, at: place(node, keys),
      "\(value) is outside \(range.lowerBound)…\(range.upperBound), and was moved to its end")
    return min(max(value, range.lowerBound), range.upperBound)
  }

  /// Three finite numbers.
  func triple(_ node: YAMLNode, _ keys: String) throws(DAMFError) -> Triple {
    guard case .sequence(let nodes, _) = node, nodes.count == 3 else {
      throw DAMFError(
        .number, "three numbers are expected, as in [0, 1, 0]", at: place(node, keys))
    }
    return Triple(
      x: try number(nodes[0], keys), y: try number(nodes[1], keys), z: try number(nodes[2], keys))
  }
}

/// Numbers along the axes of the room: to the right, to the front and up.
package struct Triple: Sendable, Hashable {
  /// To the right.
  package var x: Double
  /// To the front.
  package var y: Double
  /// Up.
  package var z: Double

  /// The numbers moved into `range`.
  func clamped(to range: ClosedRange<Double>) -> Triple {
    let move = { (value: Double) in min(max(value, range.lowerBound), range.upperBound) }
    return Triple(x: move(x), y: move(y), z: move(z))
  }
}
