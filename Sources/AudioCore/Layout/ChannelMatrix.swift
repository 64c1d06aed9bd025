// SPDX-License-Identifier: Apache-2.0

/// A mix of channels in words: which channels each one of another layout is made of, as `FL=FL+0.7*FC|FR=FR+0.7*FC`.
///
/// Rows stand between `|`, terms between `+` and `-`, and a number before a channel is its gain, 10 at most. Strings of ffmpeg's filter
/// `pan` are taken, too: a layout may stand first, `c0`, `c1` … name channels by their number, and with `<` instead of `=` the gains of
/// a row are divided by the sum of their magnitudes.
public struct ChannelMatrix: Sendable, Hashable, Codable {
  /// A channel of the source with its gain.
  public struct Term: Sendable, Hashable, Codable {
    /// Name or number of the channel.
    public var channel: String
    /// Factor of its samples.
    public var gain: Double
    /// Place of the channel in the text, from 1.
    var column: Int
  }

  /// A channel of the mix.
  public struct Row: Sendable, Hashable, Codable {
    /// Name or number of the channel.
    public var output: String
    /// The channels that it is made of.
    public var terms: [Term]
    /// Place of the output in the text, from 1.
    var column: Int
  }

  /// Largest magnitude of a gain, +20 dB.
  static let largestGain = 10.0

  /// The text that it was read from.
  public let text: String
  /// Layout that the text names; `nil` for that of the rows.
  public let layout: ChannelLayout?
  /// Channels of the mix, in the order of the text.
  public let rows: [Row]

  /// The matrix that `text` describes.
  /// - Throws: ``MediaError`` of kind `usage` that names the column of what is wrong.
  public init(_ text: String) throws {
    var parser = MatrixParser(text)
    self.text = text
    (layout, rows) = try parser.parse()
  }

  /// Gains for a programme of `source`: a row for each channel of the mix, a column for each of the source.
  /// - Throws: ``MediaError`` of kind `usage` for channels that aren't there, and channels of the mix without a row.
  package func gains(from source: ChannelLayout) throws -> (
    layout: ChannelLayout, gains: [[Double]]
  ) {
    let target = try layout ?? ChannelLayout(rows.map(speaker))
    var gains = [[Double]](
      repeating: [Double](repeating: 0, count: source.count), count: target.count)
    var given: Set<Int> = []
    for row in rows {
      guard let output = ChannelMatrix.index(of: row.output, in: target) else {
        throw fault(
          row.column, "\(target) has no channel \(row.output): it has \(ChannelMatrix.list(target))"
        )
      }
      guard given.insert(output).inserted else {
        throw fault(row.column, "\(row.output) is given twice")
      }
      var inputs: Set<Int> = []
      for term in row.terms {
        guard let input = ChannelMatrix.index(of: term.channel, in: source) else {
          throw fault(
            term.column,
            "the source has no channel \(term.channel): it has \(ChannelMatrix.list(source))")
        }
        guard inputs.insert(input).inserted else {
          throw fault(term.column, "\(term.channel) is given twice")
        }
        gains[output][input] = term.gain
      }
    }
    if let missing = target.speakers.indices.first(where: { !given.contains($0) }) {
      throw fault(
        text.count + 1, "\(target) has \(target.speakers[missing].name), too, which no row makes")
    }
    return (target, gains)
  }

  private func speaker(_ row: Row) throws -> Speaker {
    if let speaker = Speaker(name: row.output), speaker.name == row.output { return speaker }
    throw fault(
      row.column,
      "\(row.output) is no loudspeaker; name one such as FL, or a layout first, as in stereo|c0=…")
  }

  private static func list(_ layout: ChannelLayout) -> String {
    layout.channelNames.joined(separator: ", ")
  }

  /// The channel of `layout` with this name, or this number behind `c`.
  private static func index(of name: String, in layout: ChannelLayout) -> Int? {
    if name.first == "c", let number = Int(name.dropFirst()) {
      return (0..<layout.count).contains(number) ? number : nil
    }
    return layout.speakers.firstIndex { $0.name == name }
  }

  private func fault(_ column: Int, _ what: String) -> MediaError {
    ChannelMatrix.fault(column, what)
  }

  static func fault(_ column: Int, _ what: String) -> MediaError {
    MediaError(.usage, "\(setting: .downmix), column \(column): \(what)")
  }
}

/// Reads the text of a ``ChannelMatrix``.
private struct MatrixParser {
  private let text: [Character]
  /// Index of the next character.
  private var place = 0

  init(_ text: String) { self.text = Array(text) }

  mutating func parse() throws -> (ChannelLayout?, [ChannelMatrix.Row]) {
    // Pasted from a command of ffmpeg.
    let filter = Array("pan=")
    if text.starts(with: filter) { place = filter.count }
    let layout = try layout()
    var rows: [ChannelMatrix.Row] = []
    repeat { rows.append(try row(rows)) } while try goesOn()
    return (layout, rows)
  }

  /// The layout's name in front of the first row; `nil` where the text begins with a row.
  private mutating func layout() throws -> ChannelLayout? {
    guard let bar = text.firstIndex(of: "|"),
      !text[place..<bar].contains(where: { "=<".contains($0) })
    else { return nil }
    let name = String(text[place..<bar]).trimmed
    guard !name.isEmpty else { throw ChannelMatrix.fault(bar + 1, "expected a channel, not \"|\"") }
    guard let layout = ChannelLayout(name: name) else {
      throw ChannelMatrix.fault(1, "\(name) is neither a layout nor a row such as FL=FL+0.7*FC")
    }
    place = bar + 1
    return layout
  }

  private mutating func row(_ former: [ChannelMatrix.Row]) throws -> ChannelMatrix.Row {
    skipSpaces()
    let column = place + 1
    let output = try name("a channel")
    guard !former.contains(where: { $0.output == output }) else {
      throw ChannelMatrix.fault(column, "\(output) is given twice")
    }
    skipSpaces()
    guard let relation = next, "=<".contains(relation) else {
      throw unexpected("\"=\" after \(output)")
    }
    place += 1
    var terms: [ChannelMatrix.Term] = []
    var factor = try sign(isFirst: true)
    repeat { terms.append(try term(factor, terms)) } while try another(&factor)
    if relation == "<" {
      let sum = terms.reduce(0) { $0 + $1.gain.magnitude }
      // A sum of nothing stays nothing, as in pan.
      if sum > 1e-5 { for index in terms.indices { terms[index].gain /= sum } }
    }
    return ChannelMatrix.Row(output: output, terms: terms, column: column)
  }

  /// Whether another term follows, with its sign as factor.
  private mutating func another(_ factor: inout Double) throws -> Bool {
    skipSpaces()
    guard let next, "+-".contains(next) else { return false }
    factor = try sign(isFirst: false)
    return true
  }

  private mutating func sign(isFirst: Bool) throws -> Double {
    skipSpaces()
    guard let next, "+-".contains(next) else {
      if isFirst { return 1 }
      throw unexpected("\"+\", \"-\", \"|\" or the end")
    }
    place += 1
    return next == "-" ? -1 : 1
  }

  private mutating func term(_ sign: Double, _ former: [ChannelMatrix.Term]) throws
    -> ChannelMatrix.Term
  {
    skipSpaces()
    var gain = 1.0
    let begin = place + 1
    if let next, next.isNumberPart {
      gain = try number()
      skipSpaces()
      guard self.next == "*" else { throw unexpected("\"*\" and a channel after the number") }
      place += 1
      skipSpaces()
      guard gain <= ChannelMatrix.largestGain else {
        throw ChannelMatrix.fault(begin, "a gain may be 10 (+20 dB) at most")
      }
    }
    let column = place + 1
    let channel = try name(place + 1 == begin ? "a channel or a number" : "a channel")
    guard !former.contains(where: { $0.channel == channel }) else {
      throw ChannelMatrix.fault(column, "\(channel) is given twice")
    }
    return ChannelMatrix.Term(channel: channel, gain: sign * gain, column: column)
  }

  private mutating func number() throws -> Double {
    let begin = place
    while let next, next.isNumberPart { place += 1 }
    let digits = String(text[begin..<place])
    guard let value = Double(digits), digits != ".", !digits.hasSuffix(".") else {
      throw ChannelMatrix.fault(begin + 1, "\(digits) is no number")
    }
    return value
  }

  private mutating func name(_ wanted: String) throws -> String {
    let begin = place
    guard let first = next, first.isASCII, first.isLetter else { throw unexpected(wanted) }
    while let next, next.isASCII, next.isLetter || next.isNumber { place += 1 }
    return String(text[begin..<place])
  }

  /// Whether another row follows.
  private mutating func goesOn() throws -> Bool {
    skipSpaces()
    guard let next else { return false }
    guard next == "|" else { throw unexpected("\"+\", \"-\", \"|\" or the end") }
    place += 1
    return true
  }

  private var next: Character? { place < text.count ? text[place] : nil }

  private mutating func skipSpaces() { while next == " " { place += 1 } }

  private func unexpected(_ wanted: String) -> MediaError {
    let found = next.map { "\"\($0)\"" } ?? "the end"
    return ChannelMatrix.fault(place + 1, "expected \(wanted), not \(found)")
  }
}

extension Character {
  /// Whether it is a digit or the point of a number.
  fileprivate var isNumberPart: Bool { self == "." || (isASCII && isNumber) }
}

extension String {
  /// Without spaces at both ends.
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
