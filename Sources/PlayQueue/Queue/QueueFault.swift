// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A fault of a queue, and its place.
package struct QueueFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// The reason of a fault.
  package enum Reason: Sendable, Equatable {
    /// A key that isn't known here.
    case unknownKey(allowed: [String])
    /// A value of the wrong shape or outside its range; `expected` completes "give …".
    case badValue(expected: String)
    /// A key that must be there.
    case missing(String)
    /// Two statements that exclude each other.
    case contradiction(String)
    /// The queue has no items.
    case noItems
    /// There is no item of this number.
    case noSuchItem(count: Int)
    /// The first item says how it follows the item before.
    case firstTransition
    /// The first item is a part of the item before.
    case firstPart
    /// A range ends where it begins or earlier.
    case rangeReversed
    /// A range reaches behind the end of its track; both in samples of the track.
    case rangeBehindEnd(samples: Int64, length: Int64)
    /// The fades of an item are together longer than it; both in samples of the programme.
    case fadesMeet(fades: Int64, length: Int64)
    /// A crossfade is longer than one of the items that it joins; both in samples of the programme.
    case crossfadeTooLong(crossfade: Int64, length: Int64)
    /// The crossfades at both ends of an item, or a fade and a crossfade, overlap; both in samples of the programme.
    case crossfadesOverlap(crossfades: Int64, length: Int64)
    /// A fade stands at an end that is crossfaded.
    case crossfadeWithFade
    /// The format that a queue is written in can't hold this; without `why` it has no place for the key.
    case unwritable(QueueFormat, why: String?)
    /// Positions need more than 128 bits.
    case positionTooLarge
  }

  /// Reason of the fault.
  package let reason: Reason
  /// Number of the item, from 1; `nil` when it is about the queue.
  package var item: Int?
  /// The key; `nil` when it is about none.
  package var key: String?
  /// Line in the file, from 1; `nil` where it isn't known.
  package var line: Int?
  /// The file; `nil` when the queue wasn't read from one.
  package var file: String?

  /// The fault `reason` at `item` (from 1), `key` and `line`.
  package init(_ reason: Reason, item: Int? = nil, key: String? = nil, line: Int? = nil) {
    self.reason = reason
    self.item = item
    self.key = key
    self.line = line
  }

  /// This fault in the file at `path`.
  package func located(in path: String) -> QueueFault {
    var fault = self
    fault.file = path
    return fault
  }

  /// The failure of kind `usage` with the sentence.
  package var mediaError: MediaError { MediaError(.usage, description) }

  /// One sentence: file, line, item and key, what is wrong, what to do.
  package var description: String {
    let place = [
      file, line.map { "line \($0)" }, item.map { "item \($0)" }, key.map(QueueFault.quoted),
    ]
    let known = place.compactMap { $0 }
    return (known.isEmpty ? "the queue" : known.joined(separator: ", ")) + ": " + sentence
  }

  /// Foreign text in a message: short and without control characters.
  static func quoted(_ text: String) -> String {
    let plain = text.unicodeScalars.prefix(60).map {
      $0.properties.generalCategory == .control ? "?" : "\($0)"
    }
    return plain.joined() + (text.unicodeScalars.count > 60 ? "…" : "")
  }

  private var sentence: String {
    switch reason {
    case .unknownKey(let allowed):
      return "this key isn't known; allowed keys are \(allowed.joined(separator: ", "))"
    case .badValue(let expected): return "this value can't be used; give \(expected)"
    case .missing(let key): return "\(key) is missing; add it"
    case .contradiction(let what): return "\(what) exclude each other; remove one of them"
    case .noItems: return "there are no items; give at least one"
    case .noSuchItem(let count): return "there is no such item; the queue has \(count)"
    case .firstTransition:
      return "the first item has no item before it; remove its crossfade or gap"
    case .firstPart: return "the first item has no item before it to be a part of; remove part"
    case .unwritable(let format, let why):
      return "\(why ?? "\(format.words) has no place for this"); change it, or write a queue file"
    case .rangeReversed: return "the range is empty; let its end come after its start"
    case .crossfadeWithFade:
      return "a fade and a crossfade are at the same join; remove one of them"
    case .positionTooLarge:
      return "its position can't be computed exactly; use fewer different sample rates"
    case .rangeBehindEnd, .fadesMeet, .crossfadeTooLong, .crossfadesOverlap: return lengthSentence
    }
  }

  private var lengthSentence: String {
    switch reason {
    case .rangeBehindEnd(let samples, let length):
      return "the range reaches sample \(samples), but the track has \(length) samples; shorten it"
    case .fadesMeet(let fades, let length):
      return "the fades have \(fades) samples, but the item has \(length); shorten them"
    case .crossfadeTooLong(let crossfade, let length):
      return "the crossfade has \(crossfade) samples, but an item that it joins has \(length); "
        + "shorten it"
    case .crossfadesOverlap(let crossfades, let length):
      return "the fades at both ends have \(crossfades) samples, but the item has \(length); "
        + "shorten them"
    default: return ""
    }
  }
}
