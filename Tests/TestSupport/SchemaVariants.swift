// SPDX-License-Identifier: Apache-2.0
import Report

/// All values that differ from a given one in one place. In a list, only the first element is changed.
package struct SchemaVariants {
  /// How a variant differs.
  package enum Change: Sendable {
    /// An object has one key more.
    case added
    /// An object has one key less.
    case removed
    /// A value is replaced by one of another type.
    case replaced
  }

  /// One variant.
  package struct Variant: Sendable {
    /// How it differs.
    package let change: Change
    /// Path of the changed place, e.g. `$.input[0].name`.
    package let place: String
    /// The whole value with the change.
    package let value: JSONValue
  }

  /// The variants.
  package let all: [Variant]

  /// All variants of `value`.
  package init(_ value: JSONValue) { all = SchemaVariants.variants(value, "$") }

  private static func variants(_ value: JSONValue, _ place: String) -> [Variant] {
    var found = others(value).map { Variant(change: .replaced, place: place, value: $0) }
    switch value {
    case .object(let members):
      var more = members
      more["unknownKey"] = .integer(1)
      found.append(Variant(change: .added, place: place, value: .object(more)))
      for (key, member) in members.sorted(by: { $0.key < $1.key }) {
        var less = members
        less[key] = nil
        found.append(Variant(change: .removed, place: "\(place).\(key)", value: .object(less)))
        found += variants(member, "\(place).\(key)").map { variant in
          var changed = members
          changed[key] = variant.value
          return Variant(change: variant.change, place: variant.place, value: .object(changed))
        }
      }
    case .list(let elements):
      guard let first = elements.first else { break }
      found += variants(first, "\(place)[0]").map { variant in
        Variant(
          change: variant.change, place: variant.place,
          value: .list([variant.value] + elements.dropFirst()))
      }
    default: break
    }
    return found
  }

  private static func others(_ value: JSONValue) -> [JSONValue] {
    [.null, .text("nonsense"), .number(0.5), .flag(true), .list([]), .object([:])].filter {
      $0 != value
    }
  }
}
