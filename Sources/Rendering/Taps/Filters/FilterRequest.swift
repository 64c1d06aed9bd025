// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Filters of libavfilter, one after the other.
public struct FilterRequest: Sendable, Hashable, Codable {
  /// One filter.
  public struct Filter: Sendable, Hashable, Codable {
    /// Its name in libavfilter.
    public var name: String
    /// Its options.
    public var options: [Option]

    /// A filter.
    public init(_ name: String, _ options: [Option] = []) {
      self.name = name
      self.options = options
    }
  }

  /// One option of a filter.
  public struct Option: Sendable, Hashable, Codable {
    /// Its name in libavfilter.
    public var name: String
    /// Its value as text.
    public var value: String

    /// An option.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The filters in the order in which the sound passes them.
  public var filters: [Filter]

  /// These filters.
  public init(_ filters: [Filter]) { self.filters = filters }

  /// The filters that `text` names as ffmpeg writes them: `afftdn=nr=12:nf=-40,deesser`. Options are given by name;
  /// commas and colons between brackets belong to a value.
  /// - Throws: ``MediaError`` of kind `usage`.
  public init(parsing text: String) throws {
    guard !text.contains(where: { "\\'[];".contains($0) }) else {
      throw MediaError(
        .usage,
        "'\(text)' isn't a plain chain of filters; leave out quotes, backslashes, labels and semicolons"
      )
    }
    filters = try FilterRequest.split(text, at: ",").map { part in
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(sides[0])
      guard !name.isEmpty else { throw MediaError(.usage, "'\(text)' has an empty filter") }
      let options = sides.count > 1 ? FilterRequest.split(String(sides[1]), at: ":") : []
      return Filter(
        name,
        try options.map { option in
          let pair = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
          guard pair.count == 2, !pair[0].isEmpty, !pair[1].isEmpty else {
            throw MediaError(
              .usage, "\(name)=\(option): give options by name, such as \(name)=NAME=\(option)")
          }
          return Option(String(pair[0]), String(pair[1]))
        })
    }
  }

  /// The parts of `text` between marks that aren't inside brackets.
  private static func split(_ text: String, at mark: Character) -> [String] {
    var parts = [""]
    var depth = 0
    for character in text {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if character == mark, depth <= 0 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }

  /// Chain as ffmpeg writes it.
  var text: String {
    filters.map { filter in
      let options = filter.options.map { "\($0.name)=\($0.value)" }.joined(separator: ":")
      return filter.name + (options.isEmpty ? "" : "=" + options)
    }.joined(separator: ",")
  }

  /// Tempos that can be asked for.
  private static let tempos = 0.25...4.0

  /// By how much they make the sound faster.
  /// - Throws: ``MediaError`` of kind `usage` for a tempo that can't be used.
  func tempo() throws -> Tempo {
    let texts = filters.flatMap { filter in
      filter.name == "rubberband" ? filter.options.filter { $0.name == "tempo" } : []
    }.map(\.value)
    let factors = try texts.map { text in
      guard let factor = Double(text), FilterRequest.tempos.contains(factor) else {
        throw MediaError(.usage, "rubberband=tempo=\(text): give a number from 0.25 to 4")
      }
      return factor
    }
    guard let factor = factors.first(where: { $0 != 1 }) else { return .same }
    guard filters.count == 1, factors.count == 1 else {
      throw MediaError(
        .usage, "rubberband=tempo=\(factor): give a filter that changes the tempo a tap of its own")
    }
    return Tempo(factor)
  }
}
